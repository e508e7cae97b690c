"""Each line of the pages of stories: what is typed between passes, and what the program answers after each."""

from __future__ import annotations

from itertools import groupby

import pytest

from scripts.support.story_pages import PAGES, TESTS, Story, stories


@pytest.mark.parametrize(
    "told",
    [
        pytest.param([*found], id=f"{page.relative_to(TESTS).with_suffix('')}: {scene[0][3:-3]}")
        for page in PAGES
        for scene, found in groupby(stories(page), lambda story: (story.scene.heading, story.scene.cells))
    ],
)
def test_stories_have_their_answers(told: list[Story]) -> None:
    """A line that differs is shown as the page would have it."""
    assert [answer for story in told if (answer := story.answer()) != story.line] == []
