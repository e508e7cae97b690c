"""The replay page: one file that asks for nothing, with data that a browser reads back as the ruling's battle."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine.forecast import Odds
from engine.recording import Chances, Chapter, HourlyChance, Recording
from engine.ruleset import Event, no_op
from scripts.support.golden_cases import golden_cases, ruled
from scripts.support.rulings import HOSTILE, hastings, named, rulings_of
from scripts.support.workbooks import Rows
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.pages.replay_page import changes_of, replay_page, with_turning_point
from sheets_algo.replays.luck_report import how_lucky
from tests.helpers.games import WITH_SECRETS, WITHOUT_HOURS

KILOBYTE = 1000


class Page(HTMLParser):
    """A page as a browser sees it: elements with their attributes, and the texts of styles and scripts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.within: dict[str, list[str]] = {}
        self.shown = ""
        self._open = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        self._open = tag
        self.within.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, text: str) -> None:
        if self._open:
            self.within[self._open][-1] += text
        if self._open not in ("script", "style"):
            self.shown += text

    def attributes(self, tag: str, **wanted: str) -> dict[str, str]:
        (found,) = [found for name, found in self.elements if name == tag and wanted.items() <= found.items()]
        return found

    @property
    def data(self) -> Any:
        return json.loads(self.within["script"][0])


def read_back(columns: list[list[int | str]]) -> list[list[int]]:
    """The numbers of `changes_of`, one flank after another: a text stands for so many hours without a change."""
    flanks = []
    for changes in columns:
        each = [change for part in changes for change in ([0] * int(part) if isinstance(part, str) else [part])]
        flanks.append(np.cumsum(each).tolist())
    return flanks


def test_the_page_makes_no_requests_and_runs_only_its_own_script() -> None:
    html = replay_page(hastings())
    page = Page(html)
    policy = page.attributes("meta", **{"http-equiv": "Content-Security-Policy"})["content"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    def hash_of(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == hash_of(page.within["script"][1])
    assert rules["style-src"] == hash_of(page.within["style"][0])
    assert rules["img-src"] == "data:"
    for _, found in page.elements:
        for name, value in found.items():
            assert not name.startswith("on")
            assert name != "style"
            if name in ("src", "href", "data", "action", "poster", "srcset"):
                assert value.startswith(("data:", "#"))
    assert "url(" not in page.within["style"][0]
    assert "@import" not in page.within["style"][0]


def test_the_data_equals_the_ruling_s_battle() -> None:
    ruling = hastings()
    recording = ruling.outcome.recording
    assert isinstance(recording, Recording)
    data = Page(replay_page(ruling)).data

    assert data["hours"] == len(recording.men) - 1
    for name in ("men", "ships", "status", "target"):
        assert read_back(data[name]) == getattr(recording, name).T.tolist()
    for name, unit in (("x", 1 / data["steps"]), ("y", 1 / data["steps"]), ("morale", 1 / 1000)):
        assert np.allclose(np.array(read_back(data[name])) * unit, getattr(recording, name).T, atol=unit)
    assert [(label, side) for side, label, _ in data["flanks"]] == [
        (actor.label, ("Attacker", "Defender").index(actor.side)) for actor in recording.actors
    ]


def sentences(data: Any) -> list[tuple[int, str, str]]:
    """Hour, rule and text of every event in a page's data."""
    told = []
    for hour, events in data["events"]:
        for kind, *values in events:
            rule, _, *words = data["kinds"][kind]
            inserts = [data["names"][-1 - value] if value < 0 else f"{value:,}" for value in values]
            told.append(
                (hour, rule, "".join(word + insert for word, insert in zip(words, [*inserts, ""], strict=True)))
            )
    return told


@pytest.mark.parametrize("name", ["Ann 007", "1,2", "12,345 men", "", "9" * 30, *HOSTILE.values()])
def test_every_event_is_listed_with_its_rule(name: str) -> None:
    ruling = hastings(named(name or "Ann", war="War"))
    data = Page(replay_page(ruling)).data

    last = data["hours"]
    told = [(min(event.hour or 0, last), event.id, event.text) for event in ruling.outcome.events]
    assert sorted(sentences(data)) == sorted(told)


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=40))
def test_numbers_are_written_as_changes_and_read_back(frames: list[list[int]]) -> None:
    numbers = np.array(frames)

    assert read_back(changes_of(numbers)) == numbers.T.tolist()


def test_unchanged_hours_take_no_room() -> None:
    assert changes_of(np.full((10_000, 1), 7)) == [[7, "9999"]]


def test_equal_rulings_give_equal_bytes() -> None:
    assert replay_page(hastings()) == replay_page(hastings())


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_names_stay_text(hostile: str) -> None:
    """Whatever players call nations, flanks and wars, the page has the same elements and shows the text as it is."""
    ruling = hastings(named(hostile))
    page = Page(replay_page(ruling))
    plain = Page(replay_page(hastings(named("Plain"))))

    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert {name for _, found in page.elements for name in found} == {
        name for _, found in plain.elements for name in found
    }
    assert ruling.outcome.scenes[0].attacker.nation in page.shown
    raw = re.search(r'id="data">(.*?)</script>', replay_page(ruling), re.DOTALL)
    assert raw is not None
    assert not set("<>&\u2028\u2029") & set(raw[1])


def test_the_terrain_has_a_legend_with_its_colours() -> None:
    page = Page(replay_page(hastings()))
    source = next(found["src"] for tag, found in page.elements if tag == "img")
    with Image.open(io.BytesIO(base64.b64decode(source.removeprefix("data:image/png;base64,")))) as image:
        assert image.mode == "P"
        colours = {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in image.convert("RGB").getcolors()}  # type: ignore[union-attr]

    shown = {found["data-colour"] for _, found in page.elements if found.get("class") == "swatch ground"}
    assert len(colours) > 1
    assert shown == colours


def test_the_receipt_the_account_and_luck_are_shown() -> None:
    ruling = hastings()
    form = ruling.form
    luck = how_lucky(form, form.deserialize(ruling.receipt.inputs), int(ruling.receipt.seed), no_op)

    page = Page(replay_page(ruling, luck))

    for block in ruling.outcome.receipt.blocks:
        for line in block.lines:
            assert line.text in page.shown
    assert all(event.text in page.shown for event in luck)
    told = Page(replay_page(ruling))
    assert all(sentence in told.shown for sentence in ruling.outcome.receipt.account)


@pytest.mark.parametrize("folder", golden_cases("autoalgo"), ids=lambda folder: folder.name)
def test_the_page_and_the_account_name_the_same_hours(folder: Path) -> None:
    outcome = ruled(folder)
    ruling = replace(hastings(), outcome=outcome)
    found = re.findall(r"Hour ([\d,]+) cost the loser most: (.*)", outcome.receipt.account[2])
    told = [(hour.replace(",", ""), text) for hour, text in found]

    shown = Page(replay_page(ruling)).shown

    assert re.findall(r"hour (\d+): Heaviest loss\. (.*)", shown) == told != []
    assert "Turning point" not in shown  # no chances, none that moved
    assert shown.count(outcome.receipt.account[0]) == 3  # headline, last moment, account


@pytest.mark.parametrize(
    ("shares", "hour", "text"),
    [
        ((0.5, 0.9, 0.8, 0.3, 0.4, 0.2), 6, "The chance of Normandy went from 80 to 30 %."),  # not the first change
        ((0.5, 0.5, 0.6, 0.6, 0.2, 0.2), 8, "The chance of Normandy went from 60 to 20 %."),
        ((0.5, 1), 2, "The chance of Normandy went from 50 to 100 %."),
    ],
)
def test_fc_28_the_turning_point_is_the_largest_change_of_the_chance(
    shares: tuple[float, ...], hour: int, text: str
) -> None:
    chapters = (Chapter(0, "Begin", "."), Chapter(3, "First blow", "."), Chapter(7, "Heaviest loss", "It broke."))
    line = [HourlyChance(2 * place, Odds(share, share, share), None) for place, share in enumerate(shares)]
    told = with_turning_point((*chapters, Chapter(12, "End", ".")), line, "Normandy")
    assert [chapter for chapter in told if chapter not in chapters][:-1] == [Chapter(hour, "Turning point", text)]
    assert [chapter.hour for chapter in told] == sorted(chapter.hour for chapter in told)
    assert (told[0].name, told[-1].name) == ("Begin", "End")


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ((0.5, 0.31, 0.88, 0.9), "Hour 2 turned it against England: 69 % to 12 %. "),
        ((0.5, 0.9, 0.9, 0.2), "Hour 3 turned it against Normandy: 90 % to 20 %. "),
        ((1, 1, 1), ""),
        ((), ""),
    ],
)
def test_a_link_preview_names_the_hour_that_turned_the_battle(shares: tuple[float, ...], sentence: str) -> None:
    ruling = hastings()
    assert ruling.outcome.recording is not None
    line = tuple(HourlyChance(hour, Odds(share, share, share), None) for hour, share in enumerate(shares))
    chances = Chances(100, line) if line else None
    shown = Page(replay_page(ruling, (), chances, "https://example.org/x.png"))
    told = {
        name: shown.attributes("meta", property=f"og:{name}")["content"] for name in ("title", "description", "image")
    }
    assert told["title"] == ruling.outcome.receipt.title
    assert told["description"] == f"{sentence}{ruling.outcome.recording.chapters[-1].text}"
    assert told["image"] == "https://example.org/x.png"


def test_fc_28_a_battle_with_a_steady_chance_has_no_turning_point() -> None:
    chapters = (Chapter(0, "Begin", "."), Chapter(7, "Heaviest loss", "It broke."), Chapter(12, "End", "."))
    sure = [HourlyChance(hour, Odds(1, 1, 1), None) for hour in range(4)]
    slow = [HourlyChance(hour, Odds(share, share, share), None) for hour, share in enumerate((0.5, 0.9, 0.99, 1))]
    for line in (sure, slow):
        assert with_turning_point(chapters, line, "Normandy") == chapters
    assert with_turning_point(chapters, (), "Normandy") == chapters


def test_the_first_chance_comes_from_the_lines_on_luck() -> None:
    ruling = hastings()
    form, seed = ruling.form, int(ruling.receipt.seed)
    inputs = form.deserialize(ruling.receipt.inputs)
    luck = how_lucky(form, inputs, seed, no_op)
    (told,) = [re.findall(r"(\w+) won, as in (\d+) of (\d+) others", line.text) for line in luck[:1]]
    ((winner, equal, others),) = told

    hour, share, low, high, _ = Page(replay_page(ruling, luck, form.ruleset.chances(inputs, seed))).data["chances"][0]

    assert hour == 0
    assert share == (int(equal) if winner == "Attacker" else int(others) - int(equal)) / int(others)
    assert low < share < high


@pytest.mark.parametrize(("case", "most"), [("hastings", 60), ("jerusalem", 150)])
def test_pages_are_small(case: str, most: int) -> None:
    (folder,) = [folder for folder in golden_cases("autoalgo") if folder.name == case]
    ruling = replace(hastings(), outcome=ruled(folder))

    assert len(replay_page(ruling).encode()) <= most * KILOBYTE


@pytest.mark.parametrize(("name", "tab"), WITHOUT_HOURS)
def test_a_ruling_without_hours_has_a_page_without_a_slider(name: str, tab: str) -> None:
    ruling = rulings_of(name, tab=tab)[0]
    page = Page(replay_page(ruling))

    assert "input" not in page.within
    assert "script" not in page.within
    assert ("img" in page.within) == (ruling.outcome.places is not None)
    assert ruling.outcome.events
    for event in ruling.outcome.events:
        assert event.text in page.shown
        assert event.id in page.shown
    policy = page.attributes("meta", **{"http-equiv": "Content-Security-Policy"})["content"]
    assert "script-src 'none'" in policy


def with_long_names(rows: Rows) -> None:
    """Give the players of houses names that stand nowhere by chance."""
    for house in rows.get("Houses", ()):
        house["Player"] += " of the North"


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_a_page_of_a_game_with_secrets_shows_the_public_part(name: str) -> None:
    rulings = rulings_of(name, with_long_names)
    pages = {
        ruling.receipt.request: Page(replay_page(ruling)).shown
        for ruling in rulings
        if isinstance(ruling.form, SecretForm)
    }
    assert len(pages) > 3
    assert not any("from receipt" in text for text in pages.values())  # it would count the orders of others

    secrets = public = 0
    for ruling in rulings:
        if not isinstance(ruling.form, SecretForm):
            continue
        for news in ruling.outcome.news({}):
            for line in news.block.lines:
                if len(line.text) < 10:  # a number may stand anywhere
                    continue
                known = any(line in other.block.lines for other in ruling.outcome.news({}) if not other.reader)
                assert (line.text in pages[ruling.receipt.request]) == known, line
                secrets, public = secrets + (not known), public + known
        told: tuple[Event, ...] = ruling.outcome.events
        assert all(event.text not in pages[ruling.receipt.request] for event in told)
    assert secrets
    assert public
