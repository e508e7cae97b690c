"""The log's wording: a sentence for every kind of event (LOG-03), a line for every variable (LOG-02)."""

from __future__ import annotations

import pytest

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import KINDS, Happening
from engine.autoalgo.names import Names, flank_name
from engine.autoalgo.report import log
from engine.explained import Explanation, Term
from engine.ruleset import Event

NAMES = Names(
    sides=("Normandy", "England"),
    side_of=(0, 0, 1, 1),
    flanks=("left", "centre", "4", "The Fyrd"),
    armies=("Normandy", "Normandy", "England", "England"),
)
DISEASES = ("Influenza", "Tuberculosis")


def happening(kind: int, **changed: float) -> Happening:
    """Return an event of hour 3 between England's flank 4 and Normandy's centre."""
    plain = {"hour": 3, "kind": kind, "side": 1, "flank": 2, "target": 1}
    return Happening(**{**plain, "amount": 0.0, "shaken": 0.0, "distance_m": 0.0, **changed})  # type: ignore[arg-type]


def test_log_03_every_event_reads_as_a_sentence() -> None:
    cases = [
        (
            happening(kinds.ATTACK, amount=312, shaken=1_450.4, distance_m=140.2),
            "England, flank 4 attacks Normandy's centre flank at 140 m: 312 men fall, 1,450 lose heart",
        ),
        (
            happening(kinds.ATTACK, flank=3, amount=1, distance_m=2),
            "England, The Fyrd attacks Normandy's centre flank at 2 m: 1 man falls",
        ),
        (
            happening(kinds.CHARGE, distance_m=60),
            "England, flank 4 charges Normandy's centre flank from 60 m",
        ),
        (
            happening(kinds.HIGHER_GROUND),
            "England, flank 4 has the higher ground over Normandy's centre flank",
        ),
        (happening(kinds.RETREATS), "England, flank 4 starts to rout, driven by Normandy's centre flank"),
        (happening(kinds.RETREATS, target=-1), "England, flank 4 starts to rout"),
        (
            happening(kinds.ROUTED),
            "England, flank 4 is fully routed, driven by Normandy's centre flank",
        ),
        (happening(kinds.ROUTED, target=-1), "England, flank 4 is fully routed"),
        (happening(kinds.ROUTED, target=kinds.LEFT_MAP), "England, flank 4 leaves the map, fully routed"),
        (
            happening(kinds.CAPTURED, amount=214),
            "England, flank 4 lays down its arms to Normandy's centre flank: 214 men captured",
        ),
        (
            happening(kinds.SUNK, amount=1),
            "England, flank 4 goes down under Normandy's centre flank: 1 ship sunk",
        ),
        (happening(kinds.ATTRITION, target=-1, amount=12), "England, flank 4 loses 12 men to hunger and hardship"),
        (
            happening(kinds.DISEASE, flank=-1, target=0, amount=80),
            "Influenza breaks out among the men of England: 80 men die",
        ),
        (
            happening(kinds.DISEASE, flank=-1, target=1),
            "Tuberculosis breaks out among the men of England: nobody dies",
        ),
        (happening(kinds.WIPED_OUT, target=-1), "the last men of England, flank 4 are dead of hunger and disease"),
        (happening(kinds.SUPPLY_CUT), "England, flank 4 cuts the supply of Normandy's centre flank"),
        (happening(kinds.SIDE_CUT, flank=-1), "every flank of England is cut off from its supply"),
        (happening(kinds.SIEGE, flank=-1), "the siege of England by Normandy begins"),
        (happening(kinds.DECIDED, flank=-1), "no flank of England is left to fight"),
    ]
    assert [(found, log.event_of(found, NAMES, DISEASES).text) for found, _ in cases] == cases


def test_log_03_every_kind_of_event_has_a_sentence() -> None:
    """Every kind of event needs a sentence, or the log of a battle fails; the sick are told with their outbreak."""
    assert [number for number, kind in enumerate(KINDS) if not kind.sentence] == [kinds.SICKENED]
    assert all(word in log.WORDS for kind in KINDS for word in log.BRACES.findall(kind.sentence))


def test_log_03_an_event_has_hour_side_flank_kind_amount_and_rule() -> None:
    event = log.event_of(happening(kinds.CAPTURED, amount=214), NAMES, DISEASES)
    assert (event.hour, event.side, event.flank, event.kind) == (3, "Defender", "4", "captured")
    assert (event.amount, event.id) == (214, "ATK-08")
    assert event.line().startswith("hour 3  captured: England, flank 4 lays down")
    assert event.line().endswith("214 men captured. [ATK-08]")


def test_log_03_only_countable_events_have_an_amount() -> None:
    assert log.event_of(happening(kinds.CHARGE), NAMES, DISEASES).amount is None
    assert log.event_of(happening(kinds.ATTACK), NAMES, DISEASES).amount == 0


def test_flanks_have_readable_names() -> None:
    cases = [("left", "left flank"), ("7", "flank 7"), ("The Fyrd", "The Fyrd"), ("Vor\nhut", "Vor hut")]
    assert [(label, flank_name(label)) for label, _ in cases] == cases


def test_log_02_a_variable_is_logged_with_its_terms() -> None:
    made = Explanation("Defense, infantry", "VAR-DEF", 0.42, (Term("Fortifications", "Castle", 0.5, 3),))
    lines = log.variables_section("Hastings", [made])
    assert lines[0] == "Hastings"
    assert 'Defense, infantry 0.42 = (Fortifications "Castle" 0.5 ×3) / 3 [VAR-DEF]' in lines


@pytest.mark.parametrize("settings", [(), (Event(None, "", "", "setting", None, "SET-06", "Hours most is 12"),)])
def test_r_95_the_line_below_the_title_points_to_the_timeline(settings: tuple[Event, ...]) -> None:
    made = Explanation("Defense, infantry", "VAR-DEF", 0.42, (Term("Fortifications", "Castle", 0.5, 3),))
    lines = log.variables_section("Hastings", [made] * 50, settings)
    number = lines.index("2. Timeline") + 1
    contents = f"The timeline begins in line {number}, below the variables; the result follows it."
    assert lines[2] == f"{contents} Rules: history."
