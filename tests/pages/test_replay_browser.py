"""The replay page in a real browser: what one sees, keys, addresses, hostile names, barriers, requests."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.recording import Chances
from scripts.support.browser import AXE, BARRIERS, browser
from scripts.support.rulings import HOSTILE, hastings, named, rulings_of
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.ruling.plan import Ruling
from tests.helpers.games import WITHOUT_HOURS

pytestmark = pytest.mark.browser
SCREENS = {"desktop": (1200, 900), "phone": (360, 780), "phone on its side": (844, 390)}
WATCHED = [(390, 844), (844, 390), (1366, 650), (1280, 800)]
"""Screens on which a battle is watched without scrolling."""


def battle() -> Ruling:
    """The battle of Hastings under luck that decides it in its sixth hour."""
    return hastings(lambda rows: rows["War Requests"][0].update(Seed=73))


@functools.cache
def battle_chances() -> Chances | None:
    """The chances of that battle."""
    return chances_of(battle())


def chances_of(ruling: Ruling) -> Chances | None:
    inputs = ruling.form.deserialize(ruling.receipt.inputs)
    found: Chances | None = ruling.form.ruleset.chances(inputs, int(ruling.receipt.seed))
    return found


@dataclass
class Opened:
    """A page in the browser, with all that it asked for, said or failed at."""

    tab: Any
    heard: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return str(self.tab.locator(selector).first.inner_text())

    def hour(self) -> int:
        return int(self.text("#hour").split()[1])


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def show(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Ruling], Opened]]:
    """Open the page of a ruling from disk, in one tab for all."""
    folder = tmp_path_factory.mktemp("pages")
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    tab = context.new_page()
    opened = Opened(tab)
    tab.on("request", lambda request: opened.heard.append(f"request {request.url[:80]}"))
    tab.on("console", lambda message: opened.heard.append(f"console {message.text}"))
    tab.on("pageerror", lambda error: opened.heard.append(f"error {error}"))
    tab.on("dialog", lambda dialog: opened.heard.append("dialog"))

    def opens(ruling: Ruling, hash: str = "", chances: Chances | None = None) -> Opened:
        file = folder / f"page {len(list(folder.iterdir()))}.html"
        file.write_text(replay_page(ruling, (), chances), encoding="utf-8")
        opened.heard.clear()
        tab.goto(f"{Path(file).as_uri()}{hash}")
        asked = [line for line in opened.heard if not line.startswith("request data:")]
        tab.locator("body[data-ready], body:not(:has(#map))").wait_for()
        assert asked == [f"request {file.as_uri()}"[:88]]  # only the file itself, and what stands in it
        return opened

    yield opens
    context.close()


@pytest.fixture
def page(show: Callable[..., Opened]) -> Opened:
    """The battle of Hastings at hour 5, as its address says."""
    return show(battle(), "#h=5", battle_chances())


def test_an_hour_shows_men_events_and_flanks_of_the_ruling(page: Opened) -> None:
    ruling = battle()
    recording = ruling.outcome.recording
    assert recording is not None
    assert page.hour() == 5
    for side, name in enumerate(("Attacker", "Defender")):
        own = [row for row, actor in enumerate(recording.actors) if actor.side == name]
        men = int(recording.men[5, own].sum())
        assert page.text(f"#men-text{side}") == f"{men:,} of {int(recording.men[0, own].sum()):,} men"
    told = [event for event in ruling.outcome.events if event.hour == 5]
    shown = page.tab.locator("#events > li").all_inner_texts()
    assert sorted(shown) == sorted(event.text for event in told)
    rows = page.tab.locator("#rows tr").all_inner_texts()
    assert len(rows) == len(recording.actors)
    for row, actor in enumerate(recording.actors):
        assert actor.label in rows[row]
        assert f"{recording.men[5, row]:,}" in rows[row]
        assert recording.statuses[recording.status[5, row]] in rows[row]


def test_keys_and_buttons_step_through_the_hours(page: Opened) -> None:
    keyboard, last = page.tab.keyboard, int(page.tab.get_attribute("#slider", "max"))
    page.tab.evaluate("document.activeElement.blur()")
    for key, hour in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        keyboard.press(key)
        assert page.hour() == hour, key
    keyboard.press("Home")
    page.tab.click("#on")
    assert page.hour() == 1
    page.tab.click("#back")
    assert page.hour() == 0
    hours = []
    while page.tab.is_enabled("#next"):
        page.tab.click("#next")
        hours.append(page.hour())
    assert hours == sorted(set(hours))
    assert hours[-1] == last
    ruling = battle()
    recording = ruling.outcome.recording
    assert recording is not None
    quiet = recording.routine | recording.folded
    told = {min(event.hour or 0, last) for event in ruling.outcome.events if event.kind not in quiet}
    assert told - {0} <= set(hours)
    page.tab.locator("#slider").focus()
    keyboard.press("ArrowLeft")
    assert page.hour() == last - 1
    page.tab.evaluate("location.hash = 'h=3'")
    page.tab.wait_for_timeout(50)
    assert page.hour() == 3
    assert page.tab.get_attribute("#link", "href") == "#h=3"


@pytest.mark.parametrize(("width", "height"), WATCHED)
def test_map_controls_and_slider_are_on_one_screen(page: Opened, width: int, height: int) -> None:
    page.tab.set_viewport_size({"width": width, "height": height})
    page.tab.evaluate("scrollTo(0, 0)")
    boxes = {name: page.tab.locator(f"#{name}").bounding_box() for name in ("map", "play", "on", "next", "slider")}
    for name, box in boxes.items():
        assert box["x"] >= 0, name
        assert box["y"] >= 0, name
        assert box["x"] + box["width"] <= width, name
        assert box["y"] + box["height"] <= height, name
    assert boxes["map"]["width"] == boxes["map"]["height"] >= 340
    assert boxes["slider"]["width"] >= 340
    assert boxes["slider"]["height"] >= 44  # pixels, for a finger


def test_space_plays_and_arrows_step_with_any_focus(page: Opened) -> None:
    keyboard = page.tab.keyboard
    for focused in ("#on", "#next", "#speed", "#play", "#slider", "#link", "#events"):
        page.tab.evaluate("step(4)")
        page.tab.locator(focused).focus()
        keyboard.press(" ")
        assert page.text("#play") == "Pause", focused
        keyboard.press(" ")
        assert (page.text("#play"), page.hour()) == ("Play", 4), focused
        keyboard.press("ArrowRight")
        assert page.hour() == 5, focused
        keyboard.press("ArrowLeft")
        assert page.hour() == 4, focused
    page.tab.locator("#on").focus()
    keyboard.press("Enter")
    assert page.hour() == 5


def test_a_finger_moving_over_the_map_steps(chromium: Any, page: Opened) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    tab = context.new_page()
    tab.goto(f"{page.tab.url.partition('#')[0]}#h=5")
    tab.locator("body[data-ready]").wait_for()
    finger, swiped = context.new_cdp_session(tab), Opened(tab)

    def swipe(start: tuple[int, int], end: tuple[int, int]) -> int:
        for kind, spots in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            points = [{"x": x, "y": y} for x, y in spots]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return swiped.hour()

    assert swipe((300, 300), (100, 310)) == 6
    assert swipe((100, 300), (300, 290)) == 5
    assert swipe((200, 300), (205, 302)) == 5  # a tap
    assert swipe((200, 300), (150, 200)) == 5  # that scrolls the page
    context.close()


def test_playing_continues_by_itself_and_speaks_only_on_steps(page: Opened) -> None:
    page.tab.keyboard.press("Home")
    page.tab.evaluate("document.activeElement.blur()")
    said = page.text("#said")
    assert said.startswith("Hour 0: ")
    page.tab.keyboard.press(" ")
    for _ in range(200):
        page.tab.wait_for_timeout(50)
        if page.hour():
            break
    assert page.text("#play") == "Pause"
    assert page.text("#said") == said
    page.tab.keyboard.press(" ")
    assert page.text("#play") == "Play"
    assert page.text("#said").startswith(f"Hour {page.hour()}: ")


def test_reduced_motion_shows_whole_hours_only(page: Opened) -> None:
    """The map is drawn once an hour, where flanks glide otherwise."""
    drawn = """() => new Promise(done => {
        let count = 0; const draw = drawMap; window.drawMap = share => { count += share !== 1; draw(share); };
        step(0); play(); setTimeout(() => { pause(); window.drawMap = draw; done(count); }, 500); })"""
    page.tab.emulate_media(reduced_motion="reduce")
    assert page.tab.evaluate(drawn) == 0
    page.tab.emulate_media(reduced_motion="no-preference")
    assert page.tab.evaluate(drawn) > 0


def test_flanks_on_one_spot_are_drawn_apart(page: Opened) -> None:
    overlaps = """() => { const found = []; for (let at = 0; at <= LAST; at++) { const [xs, ys, rs] = layout(at, 580);
        for (let one = 0; one < FLANKS; one++) for (let other = 0; other < one; other++)
            if (Math.hypot(xs[one] - xs[other], ys[one] - ys[other]) < rs[one] + rs[other] - 0.5) found.push(at); }
        return found; }"""
    assert page.tab.evaluate(overlaps) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_replays_are_accessible_without_sideways_scrolling(page: Opened, theme: str, screen: str) -> None:
    width, height = SCREENS[screen]
    page.tab.emulate_media(color_scheme=theme)
    page.tab.set_viewport_size({"width": width, "height": height})
    if not page.tab.evaluate("typeof axe === 'object'"):
        page.tab.evaluate(AXE.read_text(encoding="utf-8"))
    for moment in ("seen = 0; step(5)", "step(LAST)"):  # before and after the winner is known
        page.tab.evaluate(moment)
        assert page.tab.evaluate(BARRIERS) == [], moment
        assert page.tab.evaluate("document.documentElement.scrollWidth") <= width, moment


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_map_and_its_legend_have_the_same_colours(page: Opened, theme: str) -> None:
    page.tab.emulate_media(color_scheme=theme)
    page.tab.set_viewport_size({"width": 1280, "height": 800})
    page.tab.evaluate("scrollTo(0, 0)")
    image = Image.open(io.BytesIO(page.tab.locator(".battle .map").screenshot())).convert("RGB")
    drawn = {colour for count, colour in image.getcolors(1 << 20) if count > 500}  # type: ignore[misc, union-attr]
    for swatch in page.tab.locator(".swatch.ground").all():
        shown = Image.open(io.BytesIO(swatch.screenshot())).convert("RGB")
        assert shown.getpixel((shown.width // 2, shown.height // 2)) in drawn
    if theme == "dark":
        assert (255, 255, 255) not in drawn  # a white plain would be the brightest of the page


def test_the_chances_are_drawn_with_their_error_and_read_out_for_the_hour(page: Opened) -> None:
    page.tab.evaluate("step(0)")
    assert page.tab.locator("#chance-chart polyline.chance").count() == 1
    assert page.tab.locator("#chance-chart polygon.band").count() == 1
    share, low, high = page.tab.evaluate("data.chances[0].slice(1, 4).map(share => Math.round(100 * share))")
    assert low < share < high
    assert page.text("#now") == f"Normandy, hour 0: {share} % ({low} to {high} %)"


def test_a_page_is_printed_whole(page: Opened) -> None:
    page.tab.emulate_media(media="print")
    assert not page.tab.is_visible("#play")
    assert page.tab.is_visible("#hour")
    assert page.tab.evaluate("getComputedStyle(byId('events')).overflow") == "visible"
    page.tab.set_viewport_size({"width": 718, "height": 1047})  # A4 between usual margins
    for name in ("few", "many"):
        page.tab.evaluate("name => document.querySelector('.scroll').parentElement.classList.add(name)", name)
        assert page.tab.evaluate(CUT) == []
    page.tab.emulate_media(media="screen")
    page.tab.set_viewport_size({"width": 1200, "height": 900})
    assert page.heard.count("error") == 0


CUT = """() => {
    const table = document.querySelector(".scroll"), edge = table.getBoundingClientRect();
    const isCut = box => box.right > edge.right + 1 || box.bottom > edge.bottom + 1;
    const cells = [...table.querySelectorAll("td")].filter(cell => isCut(cell.getBoundingClientRect()));
    const clips = getComputedStyle(table).contain === "none" ? [] : ["contain"];
    return [...clips, ...cells.map(cell => cell.textContent)];
}"""
"""Script that returns the cells of the table of flanks that paper does not show as a whole."""


WINNER = ("is beaten off", "winner", "Losses:", "went from")
"""Texts that say who wins."""


def test_the_winner_is_hidden_until_the_battle_is_decided(show: Callable[..., Opened]) -> None:
    ruling = battle()
    recording = ruling.outcome.recording
    assert recording is not None
    begin, *_, decision, end = recording.chapters
    found = show(ruling, chances=chances_of(ruling))
    found.tab.set_viewport_size({"width": 1280, "height": 800})

    def told() -> list[str]:
        shown = found.tab.inner_text("main")
        return [text for text in WINNER if text in shown]

    def colours_to_come() -> int:
        """The colours of the timeline below its marks, right of the middle and left of its labels."""
        image = Image.open(io.BytesIO(found.tab.locator(".course .chart").screenshot())).convert("RGB")
        ahead = image.crop((image.width // 2, 20, image.width * 3 // 4, image.height - 4))
        return len(ahead.getcolors(1 << 20))  # type: ignore[arg-type]

    (turned,) = (at for at, name, _ in found.tab.evaluate("data.chapters") if name == "Turning point")
    for hour in range(decision.hour):
        found.tab.evaluate(f"step({hour})")
        assert told() == [text for text in WINNER if text == "went from" and hour == turned], hour
        assert found.text("#headline") == begin.text
        assert found.text("#hour") == f"Hour {hour}"  # nor how long it lasts
        assert f"hour {end.hour}" not in found.tab.inner_text("main")
        reached = [f"hour\n{at} {name}" for at, name, _ in found.tab.evaluate("data.chapters") if at <= hour]
        assert found.tab.locator(".chapters li:visible").all_inner_texts() == reached
    found.tab.evaluate("seen = 0; step(0)")
    assert colours_to_come() == 1
    found.tab.evaluate(f"step({decision.hour})")
    assert found.text("#hour") == f"Hour {decision.hour} of {end.hour}"
    assert told() == list(WINNER)
    assert found.text("#headline") == end.text
    assert colours_to_come() > 1
    found.tab.evaluate("step(0)")
    assert found.text("#headline") == end.text  # who has seen it may see all


def test_targets_are_large_enough_for_a_finger(page: Opened) -> None:
    page.tab.set_viewport_size({"width": 390, "height": 844})
    page.tab.click("#reveal")
    for target in page.tab.locator(".controls button, #link, .chapters a, #slider").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 44, target


def test_hour_0_does_not_begin_with_settings(show: Callable[..., Opened]) -> None:
    name = "weights/moderate"
    found = show(hastings(lambda rows: rows.update({"Autoalgo Settings": [{"Setting": name, "Value": 0.4}]})))
    assert name in found.tab.text_content("#receipt ~ .blocks")
    assert found.tab.locator("#events > li").first.inner_text().startswith("Normandy with")


def test_a_button_jumps_to_the_end_and_shows_the_winner(show: Callable[..., Opened]) -> None:
    found = show(battle())
    assert not found.tab.is_visible(".won")
    found.tab.click("#reveal")
    assert found.tab.locator("#slider").input_value() == found.tab.locator("#slider").get_attribute("max")
    assert found.tab.is_visible(".won")
    assert found.tab.is_visible("#receipt")
    assert not found.tab.is_visible("#reveal")


def test_the_decisive_moments_are_chapters_with_sentences(show: Callable[..., Opened]) -> None:
    found = show(battle())
    recording = battle().outcome.recording
    assert recording is not None
    found.tab.click("#reveal")
    for place, chapter in enumerate(recording.chapters[1:-1], start=1):
        found.tab.locator(".chapters a").nth(place).click()
        found.tab.wait_for_timeout(50)
        assert found.hour() == chapter.hour
        assert f"{chapter.name}: {chapter.text}" in found.text("#chapter")
    found.tab.evaluate("step(1)")
    assert not found.tab.is_visible("#chapter")
    assert found.tab.locator(".chapters [aria-current]").inner_text().split() == ["hour", "0", "Begin"]


@pytest.mark.parametrize(("example", "tab"), WITHOUT_HOURS)
def test_pages_without_a_map_are_accessible_too(show: Callable[..., Opened], example: str, tab: str) -> None:
    found = show(rulings_of(example, tab=tab)[0])
    found.tab.set_viewport_size({"width": 360, "height": 780})
    found.tab.evaluate(AXE.read_text(encoding="utf-8"))
    assert found.tab.evaluate(BARRIERS) == []
    assert found.tab.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("hostile", [*HOSTILE.values(), "M" * 10_000], ids=[*HOSTILE, "10,000 characters"])
def test_names_execute_nothing_and_fit(show: Callable[..., Opened], hostile: str) -> None:
    edit = named("Ann", hostile) if len(hostile) > 1_000 else named(hostile)
    found = show(hastings(edit), "#h=4")
    found.tab.set_viewport_size({"width": 360, "height": 780})
    title = found.tab.title()
    assert title != "run"
    assert title
    assert found.hour() == 4
    assert found.tab.evaluate("document.documentElement.scrollWidth") <= 360
    assert found.tab.evaluate("document.querySelector('h1').clientHeight") <= 120
    assert found.tab.evaluate("document.scripts.length") == 2
    assert not [line for line in found.heard if not line.startswith("request")]
