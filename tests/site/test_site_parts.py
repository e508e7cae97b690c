"""Parts of a site: receipts read back from markup, addresses of pages, charts."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.receipt import Block, Line, ReceiptText
from scripts.support.workbooks import example
from sheets_algo.forms.capabilities import leading_number
from sheets_algo.pages.site_page import RESERVED, addresses, read_receipt, shortened_name, site_page
from sheets_algo.site.season_pages.charts import POINTS_MOST, stability_chart
from tests.helpers.sites import season_of

texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool)
typed = texts | st.sampled_from(["'''bold:''' x", "== a ==", "=== b ===", "* c", "&#91;", "[[File:x]]", "{{x}}", "<b>"])


@given(
    title=typed,
    blocks=st.lists(st.tuples(typed, st.lists(st.tuples(st.just("") | texts, typed), max_size=3)), max_size=3),
)
def test_a_receipt_is_read_back_from_its_markup(title: str, blocks: list[tuple[str, list[tuple[str, str]]]]) -> None:
    """Texts of any kind with escaped markup; a label of the rules holds no colon."""
    made = tuple(
        Block(heading, tuple(Line(label.replace(":", ""), text) for label, text in lines)) for heading, lines in blocks
    )
    wiki = ReceiptText(title, made).wiki()

    assert read_receipt(wiki) == ReceiptText(title, made)


def test_unknown_lines_of_a_receipt_are_kept_as_text() -> None:
    wiki = "== [[Rome]] ==\n* '''Motive:''' &#91;x\n* no label\nno bullet\n=== A ===\n* '''Killed:''' 3"

    assert read_receipt(wiki) == ReceiptText(
        "[[Rome]]",
        (
            Block("", (Line("Motive", "[x"), Line("", "no label"), Line("", "no bullet"))),
            Block("A", (Line("Killed", "3"),)),
        ),
    )


@given(
    st.lists(
        typed | st.sampled_from(["Rome", "rome", "ROME!", "index", "CON", "Ümlaut", "ümlaut", "", "../..", "罗马"])
    )
)
def test_addresses_are_safe_unique_and_permanent(names: list[str]) -> None:
    found = addresses(names)

    assert list(found) == list(dict.fromkeys(names))
    assert len(set(found.values())) == len(found)
    for address in found.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", address)
        assert len(address) <= 70
        assert address not in RESERVED
    earlier = addresses(names[:-1])
    assert earlier == {name: found[name] for name in earlier}


def test_addresses_are_easy_to_read() -> None:
    assert addresses(["Seljuk Sultanate", "seljuk  sultanate", "Österreich", "index"]) == {
        "Seljuk Sultanate": "seljuk-sultanate",
        "seljuk  sultanate": "seljuk-sultanate-2",
        "Österreich": "osterreich",
        "index": "index-2",
    }


values = st.floats(0, 200).map(lambda number: round(number, 1))


@given(st.lists(values, min_size=2, max_size=900), st.integers(0, 50))
def test_a_chart_goes_from_the_first_value_to_the_last(steps: list[float], quiet: int) -> None:
    rulings = len(steps) - 1 + quiet
    html = stability_chart({"Rome": list(enumerate(steps))}, rulings, "text")
    (line,) = re.findall(r'points="([^"]*)"', html)
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    labels = [float(label) for label in re.findall(r">([\d.-]+)</text>", html)]

    def down(value: float) -> float:
        return 200 * (labels[-1] - value) / (labels[-1] - labels[0])

    assert labels[0] <= min(steps) <= max(steps) <= labels[-1]
    assert points[0] == (0, round(down(steps[0]), 1)) or abs(points[0][1] - down(steps[0])) < 0.06
    assert abs(points[-1][1] - down(steps[-1])) < 0.06
    assert points[-1][0] == 1000
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert len(points) <= 2 * POINTS_MOST + 2
    assert all(0 <= y <= 200 for _, y in points)


def test_invalid_characters_of_pages_are_replaced() -> None:
    data = {"root": "", "path": "wars/index.html", "title": "Wars", "verify_page": "", "wars": [], "pages": []}
    data |= {"preview": ""}

    assert "a\ufffdb\ufffd" in site_page("wars.html", data | {"site": "a\0b\ud800"})


def test_a_long_name_ends_in_an_ellipsis() -> None:
    assert shortened_name("Rome") == "Rome"
    assert shortened_name("R" * 100, 10) == "R" * 9 + "…"


def test_a_figure_of_a_receipt_is_its_leading_number() -> None:
    cases = {
        "20 (40 ÷ 2)": 20,
        "−2 (2 turns)": -2,
        "1,234.5": 1234.5,
        "3; without it 4": 3,
        "none": None,
        "2nd": None,
    }
    assert {text: leading_number(text) for text in cases} == cases


def test_a_finished_game_has_bars_and_two_of_them_a_chart_of_ratings(tmp_path: Path) -> None:
    rows = example("plots")
    finished = rows["Rank Requests"][0]
    rows["Rank Requests"] = [finished | {"Request": f"K-{number}", "Game": f"Game {number}"} for number in (1, 2)]
    season = season_of(tmp_path, rows)
    season.site(tmp_path / "site")
    first = (tmp_path / "site" / "index.html").read_text("utf-8")
    game = (tmp_path / "site" / "wars" / "k-2.html").read_text("utf-8")

    assert re.findall(r'<summary>(Ranks)</summary>.*?<polyline class="line c3"', first, re.DOTALL) == ["Ranks"]
    bars = re.findall(r"<bdi>(\w+)</bdi></th><td>(\d+)<svg.*?<td>(\d+)<svg", game)
    assert bars == re.findall(r"(\w+)</span> (\d+) → (\d+)", game)
    assert [name for name, *_ in bars] == ["Lancaster", "Tudor", "York"]
    assert "gold" not in first.lower() + game.lower()
