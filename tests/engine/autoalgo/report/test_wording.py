"""English of a war: verbs after a side of several nations (R-130), and counts of 1, in receipt, log and forecast."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.autoalgo.battle.events import KINDS, Happening
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.names import Names
from engine.autoalgo.report import log
from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, fleet, line, terrain, war
from tests.engine.autoalgo.battle.test_siege_of_history import siege_war

AUTOALGO = Autoalgo(shipped_tables())
ONE, TWO = "Norden", "Norden + Rivan"
VERB = re.compile(r"(?<!by )Norden(?: (hold|abandon|win|take|attack|shake|begin|storm|lift|beat)s\b)|Norden")
SAILS = re.compile(r"Norden (with [\d,]+ (?:man|men)) attacks")
WARS = {
    "battle": war(army("A"), army("B")),
    "lost": war(army("A", 2_000), army("B")),
    "abandoned": war(army("A", flanks=line("Position", y=100)), army("B", flanks=line("Position", y=300))),
    "siege": siege_war(40_000, 1_000),
    "storm": siege_war(40_000, 3_000, order="Storm"),
    "sea": war(fleet("A", 30), fleet("B", 1), ground=terrain("Water")),
    "few": war(army("A", 1), army("B", 1)),
    "boat": war(fleet("A", 1), fleet("B", 1), ground=terrain("Water")),
    "one": war(army("A", 5_000), army("B", 1)),
}


def named(inputs: WarInputs, side: str, name: str) -> WarInputs:
    """Return the war with another name of a side's nation."""
    belligerent = getattr(inputs, side)
    return replace(inputs, **{side: replace(belligerent, nation=replace(belligerent.nation, name=name))})


def sentences(inputs: WarInputs, seed: int) -> Iterator[str]:
    """Yield the sentences about a war: receipt, log, chapters and forecast."""
    outcome = AUTOALGO.resolve(inputs, Rng(seed))
    yield from outcome.receipt.text().splitlines()
    yield from (event.text for event in outcome.events)
    yield from outcome.why
    if outcome.recording is not None:
        yield from (chapter.text for chapter in outcome.recording.chapters)
    yield outcome.summary
    yield AUTOALGO.course(inputs, AUTOALGO.replicates(inputs, seed, 0, 5))


@pytest.mark.parametrize("side", ["attacker", "defender"])
@pytest.mark.parametrize("name", WARS)
def test_r_130_verbs_are_plural_after_several_nations(name: str, side: str) -> None:
    """A name in two parts changes no number, so the texts differ in the name and in the verbs behind it alone."""
    inputs = named(named(WARS[name], "attacker", "B"), "defender", "C")
    one, two = (list(sentences(named(inputs, side, nation), 3)) for nation in (ONE, TWO))

    assert two == [after_two(text) for text in one]
    assert any(found[1] for text in one for found in VERB.finditer(text))


def after_two(text: str) -> str:
    """Return a sentence about one nation as it reads about two."""
    return VERB.sub(lambda found: f"{TWO} {found[1]}" if found[1] else TWO, SAILS.sub(r"Norden \1 attack", text))


def test_r_130_every_event_has_its_verb_in_the_plural() -> None:
    def text_of(kind: int, name: str) -> str:
        names = Names((name, "B"), (0, 1), ("left", "left"), (name, "B"))
        return log.event_of(Happening(1, kind, 0, 0, 1, 1.0, 1.0, 1.0), names, ("Plague", "Plague")).text

    texts = [(text_of(kind, ONE), text_of(kind, TWO)) for kind in range(len(KINDS))]
    assert [two for _, two in texts] == [after_two(one) for one, _ in texts]
    assert not [one for one, _ in texts if re.search(r"\b1 (men|ships)\b|1 \w+ lose\b", one)]


@pytest.mark.parametrize("name", WARS)
def test_a_count_of_one_has_a_noun_in_the_singular(name: str) -> None:
    for seed in range(5):
        for text in sentences(WARS[name], seed):
            assert not re.search(r"(?<![\d.,])1 (men|ships|hours|days|rounds|flanks|points)\b", text)


@pytest.mark.parametrize("name", ["few", "one", "battle"])
def test_atk_05_no_more_men_lose_heart_than_a_flank_has_left(name: str) -> None:
    for seed in range(5):
        outcome = AUTOALGO.resolve(WARS[name], Rng(seed))
        assert outcome.recording is not None
        started = [int(men) for men in outcome.recording.men[0]]
        for event in outcome.events:
            if shaken := re.search(r"([\d,]+)(?: man| men)? loses? heart", event.text):
                assert int(shaken[1].replace(",", "")) <= started[event.flanks[event.kind == "attack"]]
