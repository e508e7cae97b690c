"""Posts to a wiki over real HTTP: each receipt is there exactly once, whatever is lost or comes late."""

from __future__ import annotations

import random
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from localwiki.server import LocalWiki

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotSent, Post, PostRefused, Unanswered
from sheets_algo.posting.mediawiki import WikiChannel, title_of
from sheets_algo.workbook.findings import State
from tests.helpers.example_budget import BUDGET
from tests.helpers.posting import Outbox, post
from tests.helpers.real_wiki import PASSWORD, USER, real_wiki

PAGE = "Talk:Season 3"


@pytest.fixture
def wiki() -> Iterator[LocalWiki]:
    with LocalWiki(silence_s=2) as server:
        assert isinstance(server, LocalWiki)
        yield server


def settings(folder: Path, address: str, user: str, password: str, **more: Any) -> ChannelSettings:
    file = folder / "bot.txt"
    file.write_text(password, "utf-8")
    file.chmod(0o600)
    given: dict[str, Any] = {"page": PAGE, "secret_file": file} | more
    return ChannelSettings(name="wiki", to="mediawiki", address=address, user=user, **given)


@pytest.fixture
def channel(wiki: LocalWiki, tmp_path: Path) -> WikiChannel:
    return WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password), timeout_s=5)


def receipt(number: int, war: str = "Hastings, é 𓀀", **more: Any) -> Post:
    wiki = f"== {war} ==\n* '''Motive:''' Conquest\n=== Result ===\n* '''Winner:''' {number}"
    return post(war, number=number, mark=f"R-{number:04d} aa{number}", wiki=wiki, **more)


def taken_back(number: int, ruling: Post) -> Post:
    return post(number=number, mark=f"R-{number:04d} bb", kind="Undo", wiki="It is undone.", undoes=ruling)


def test_receipts_become_sections_below_another_each_once(wiki, channel):
    wiki.put(PAGE, "Welcome.\n\n== Rules ==\nBe é kind.")
    for number in (8, 9, 8, 9):
        assert channel.send(receipt(number)) == PAGE

    assert wiki.pages[PAGE].text == (
        "Welcome.\n\n== Rules ==\nBe é kind."
        "\n\n== Hastings, é 𓀀 ==\n<!-- sheets-algo R-0008 aa8 -->\n* '''Motive:''' Conquest"
        "\n=== Result ===\n* '''Winner:''' 8"
        "\n\n== Hastings, é 𓀀 ==\n<!-- sheets-algo R-0009 aa9 -->\n* '''Motive:''' Conquest"
        "\n=== Result ===\n* '''Winner:''' 9"
    )
    assert wiki.edits == 2


def test_a_page_for_each_receipt_is_made_once_and_never_overwrites_another(wiki, tmp_path):
    each = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, page="Wars/{request} {war}"))
    assert each.send(receipt(8)) == each.send(receipt(8)) == "Wars/W-0007 Hastings, é 𓀀"
    assert wiki.edits == 1

    with pytest.raises(PostRefused, match="is there already, and not by this receipt"):
        each.send(receipt(9))
    each.correct(taken_back(10, receipt(8)), "")
    (text,) = {page.text for page in wiki.pages.values()}
    assert text.startswith(
        "<!-- sheets-algo R-0008 aa8 -->\n: '''It is undone.''' <!-- sheets-algo R-0010 bb -->\n\n== Hastings"
    )


@pytest.mark.parametrize(
    ("war", "title"),
    [
        ("User:Admin/common.js", "Wars/User Admin common.js"),
        ("../../Main Page", "Wars/.. .. Main Page"),
        ("[[x]] {{y}} <b>#z|a_b~~~~", "Wars/x y b z a b"),
        ("%41&amp;", "Wars/41 amp;"),
        ("é" * 2_000, "Wars/" + "é" * 125),
    ],
)
def test_a_hostile_name_leads_to_no_other_page(war, title):
    assert title_of("Wars/{war}", receipt(1, war)) == title


def test_an_undo_stands_below_its_receipt_once_and_at_the_end_if_that_is_gone(wiki, channel):
    first, second = receipt(8), receipt(9)
    for each in (first, second):
        channel.send(each)
    for _ in range(2):
        channel.correct(taken_back(10, first), PAGE)
    assert wiki.pages[PAGE].text.splitlines()[1:3] == [
        "<!-- sheets-algo R-0008 aa8 -->",
        ": '''It is undone.''' <!-- sheets-algo R-0010 bb -->",
    ]
    assert wiki.edits == 3

    wiki.put(PAGE, wiki.pages[PAGE].text.replace("<!-- sheets-algo R-0009 aa9 -->\n", ""))
    channel.correct(taken_back(11, second), PAGE)
    assert wiki.pages[PAGE].text.endswith("* '''Winner:''' 9\n\n: '''It is undone.''' <!-- sheets-algo R-0011 bb -->")


def test_a_page_that_was_moved_is_followed(wiki, channel):
    channel.send(receipt(8))
    wiki.pages["Talk:Archive"] = wiki.pages.pop(PAGE)
    wiki.moved[PAGE] = "Talk:Archive"

    assert channel.send(receipt(8)) == channel.send(receipt(9)) == "Talk:Archive"
    assert wiki.pages["Talk:Archive"].text.count("sheets-algo") == 2


@pytest.mark.parametrize("kind", ["maxlag", "ratelimited", "readonly", "badtoken", "500", "503"])
def test_what_may_succeed_later_is_not_sent(wiki, channel, kind):
    wiki.fail(kind)
    with pytest.raises((NotSent, Unanswered)):
        channel.send(receipt(8))


@pytest.mark.parametrize("kind", ["protectedpage", "abusefilter-disallowed", "blocked"])
def test_what_the_wiki_refuses_is_told_with_its_words(wiki, channel, kind):
    channel.send(receipt(8))
    wiki.fail(kind, match="POST", times=2)  # the first is the login
    with pytest.raises(PostRefused, match=f"The wiki refuses it \\({kind}: "):
        channel.send(receipt(9))


def test_a_wrong_password_is_told_and_shown_nowhere(wiki, channel):
    channel.settings.secret_file.write_text("hush-hush", "utf-8")
    with pytest.raises(PostRefused, match=r"refuses the login of Herald@post") as raised:
        channel.send(receipt(8))
    assert "hush" not in "".join(traceback.format_exception(raised.value))


def test_doctor_s_question_edits_nothing_and_names_a_right_that_is_missing(wiki, channel):
    assert [finding.state for finding in channel.examine()] == [State.OK]
    wiki.rights = ["edit"]
    (finding,) = channel.examine()
    assert "lacks the right createpage and bot" in finding.text
    assert wiki.edits == 0
    with pytest.raises(PostRefused, match="assertbotfailed"):
        channel.send(receipt(8))


@pytest.mark.parametrize("seed", range(round(10 * BUDGET)))
def test_pst_10_no_schedule_of_faults_people_and_two_posters_posts_twice_or_forgets(wiki, tmp_path, seed):
    chance = random.Random(seed)
    outbox = Outbox(tmp_path / "season", (settings(tmp_path, wiki.api, wiki.user, wiki.password),))
    outbox.undo(outbox.book.rows("Posts")[1][1])
    posters = [outbox.poster(), outbox.poster()]
    total = len(outbox.posts("seq"))
    for _ in range(12):
        if chance.random() < 0.6:
            kind = chance.choice([kind for kind in wiki.kinds if kind not in ("silence", "protectedpage", "blocked")])
            when = chance.choice(["before", "after", "late"]) if kind in ("reset", "half") else "before"
            wiki.fail(kind if kind != "abusefilter-disallowed" else "reset", when, match=chance.choice(["POST", "GET"]))
        if chance.random() < 0.3:
            text = wiki.pages[PAGE].text if PAGE in wiki.pages else "Talk."
            wiki.put(PAGE, f"{text}\n\n== A person ==\nsays something.")
        number = chance.randrange(2)
        posters[number].work()
        if chance.random() < 0.3:
            posters[number] = outbox.poster()
        wiki.faults.clear()
        outbox.clock.move(chance.choice([20, 700]))
    wiki.carry_out_late()
    for _ in range(3):
        outbox.clock.move(1_000)
        outbox.poster().work()

    marks = re.findall(r"<!-- sheets-algo (R-\d+)", wiki.pages[PAGE].text)
    assert {state for (state,) in outbox.posts("state")} == {"Posted"}
    assert len(marks) == len(set(marks)) == total


def test_a_real_mediawiki_takes_a_whole_season(tmp_path):
    """Sections, a page each, an undo, doctor's question, and an edit that comes late."""
    with real_wiki(tmp_path) as address:
        channel = WikiChannel(settings(tmp_path, address, USER, PASSWORD))
        assert [str(finding) for finding in channel.examine() if finding.state is not State.OK] == []
        first, second = receipt(8), receipt(9)
        for each in (first, second, first, second):
            channel.send(each)
        for _ in range(2):
            channel.correct(taken_back(10, first), PAGE)
        each = WikiChannel(settings(tmp_path, address, USER, PASSWORD, page="Wars/{war}"))
        assert each.send(first) == each.send(first) == "Wars/Hastings, é 𓀀"
        with pytest.raises(PostRefused, match="is there already"):
            each.send(second)

        text = text_on(address, PAGE)
        assert re.findall(r"<!-- sheets-algo (R-\d+)", text) == ["R-0008", "R-0010", "R-0009"]
        assert text.count("=== Result ===\n* '''Winner:''' 8") == text.count("=== Result ===\n* '''Winner:''' 9") == 1


def text_on(address: str, title: str) -> str:
    import requests

    asked = {"action": "query", "prop": "revisions", "rvprop": "content", "rvslots": "main", "titles": title}
    found = requests.get(address, params={**asked, "format": "json", "formatversion": "2"}, timeout=60).json()
    return str(found["query"]["pages"][0]["revisions"][0]["slots"]["main"]["content"])
