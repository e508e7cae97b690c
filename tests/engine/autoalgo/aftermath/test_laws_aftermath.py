"""Invariants of whole rulings (section 15 of the rules), for any war a workbook can hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings

from engine.autoalgo.inputs import SIDES, FlankOrder, WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.army import belligerent
from engine.autoalgo.setup.strategy import flank_table
from engine.rng import Rng
from engine.ruleset import Event, Outcome
from scripts.support.pinned_tables import shipped_tables as tables
from scripts.support.smallest_war import receipt_losses
from tests.helpers.example_budget import BUDGET
from tests.helpers.random_wars import seeds, wars

AUTOALGO = Autoalgo(tables())
CAPTURED = ("captured", "starved out", "terms", "taken with the works")
law = settings(max_examples=max(5, round(10 * BUDGET)), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def ruled(war: WarInputs, seed: int) -> Outcome:
    return AUTOALGO.resolve(war, Rng(seed))


KILLED = ("killed in the siege", "killed in the sally", "killed by the relief")
"""Events of a siege in which men of a flank are killed."""


def total(events: Iterable[Event], kind: str, side: str) -> int:
    return round(sum(event.amount or 0 for event in events if event.kind == kind and event.side == side))


def battle_events(outcome: Outcome) -> list[Event]:
    kinds = [event.kind for event in outcome.events]
    return list(outcome.events[: kinds.index("battle ends")])


def killed_of(events: Iterable[Event], side: int) -> int:
    """Return the men of a side killed in attacks, which are events of the other side, and in a siege (R-100)."""
    in_siege = sum(total(events, kind, SIDES[side]) for kind in KILLED)
    return total(events, "attack", SIDES[1 - side]) + in_siege


def invariant_24_receipt_numbers_equal_the_log_s_sums(war: WarInputs, outcome: Outcome) -> None:
    events = battle_events(outcome)
    for side, name in enumerate(SIDES):
        died = total(events, "natural attrition", name) + total(events, "disease outbreak", name)
        captured = sum(total(events, kind, name) for kind in CAPTURED)
        losses = receipt_losses(outcome.receipt, 1 + side)
        sunk, in_action = losses.pop("ships sunk", 0), losses.total() - losses["died"]
        ships = total(events, "ships sunk", name) + total(events, "ships lost", name)
        assert (losses["died"], sunk) == (died, ships)
        assert in_action == killed_of(events, side) + captured
        assert losses["captured"] >= captured


def invariants_1_and_2_flanks_at_the_end_and_the_log_account_for_everybody(war: WarInputs, outcome: Outcome) -> None:
    """Start = survivors + killed + died + captured; ships: start = afloat + sunk."""
    events = battle_events(outcome)
    for side, name in enumerate(SIDES):
        plans = flank_table(war, side, tables())
        left = total(outcome.events, "flank at the end", name)
        lost = killed_of(events, side) + sum(
            total(events, kind, name) for kind in ("natural attrition", "disease outbreak", *CAPTURED)
        )
        assert sum(plan.men for plan in plans) == left + lost
    ships = sum(plan.ships for side in (0, 1) for plan in flank_table(war, side, tables()))
    sunk = sum(total(events, kind, name) for kind in ("ships sunk", "ships lost") for name in SIDES)
    if all(belligerent(war, side).flanks for side in (0, 1)):
        assert ships == sunk + sum(int(row.values["End Ships"] or 0) for row in outcome.results)


def invariant_13_a_siege_begins_only_under_all_conditions(war: WarInputs, outcome: Outcome) -> None:
    """A fortified place, an attacker of whom not all storm, a defender inside, all but in the first hour (R-100)."""
    sieges = [event for event in outcome.events if event.kind == "siege begins"]
    assert len(sieges) <= 1
    if sieges:
        before = [event for event in outcome.events if event.flanks and (event.hour or 0) <= (sieges[0].hour or 0)]
        gone = {event.flanks[0] for event in before if event.kind in ("fully routed", "wiped out by attrition")}
        besiegers, defenders = (flank_table(war, side, tables()) for side in (0, 1))
        garrison = [
            plan for place, plan in enumerate(defenders, start=len(besiegers)) if plan.men and place not in gone
        ]
        assert tables().is_fortified(war.location)
        # A defender who storms fights as Normal.
        are_inside = {plan.maneuver in ("Position", "Normal", "Storm") for plan in garrison}
        assert True in are_inside
        assert sieges[0].hour == 1 or False not in are_inside
        assert {plan.maneuver for plan in besiegers if plan.men} != {"Storm"}


def invariant_14_the_occupation_ends_with_a_round_of_little_change(war: WarInputs, outcome: Outcome) -> None:
    growth = [event.amount or 0.0 for event in outcome.events if event.kind == "occupation round"]
    least = tables().constants.occ_07.change_least
    assert growth
    assert growth[-1] < least
    assert all(change >= least for change in growth[:-1])


def rcpt_02_a_receipt_holds_one_statement_a_line(war: WarInputs, outcome: Outcome) -> None:
    """Whatever the war, the wiki text is a paragraph, headings and bullets, so it pastes into any page."""
    receipt = outcome.receipt
    title, *account = receipt.wiki().splitlines()[: 1 + len(receipt.account)]
    assert title.startswith("== ")
    assert not any(line.startswith(("=", "*")) for line in account)
    for line in receipt.wiki().splitlines()[1 + len(receipt.account) :]:
        assert line.startswith(("=== ", "* "))


OF_ONE_RULING = (
    invariant_24_receipt_numbers_equal_the_log_s_sums,
    invariants_1_and_2_flanks_at_the_end_and_the_log_account_for_everybody,
    invariant_13_a_siege_begins_only_under_all_conditions,
    invariant_14_the_occupation_ends_with_a_round_of_little_change,
    rcpt_02_a_receipt_holds_one_statement_a_line,
)


@settings(law, max_examples=max(10, round(20 * BUDGET)))
@given(war=wars(), seed=seeds())
def test_each_ruling_obeys_the_laws_of_the_aftermath(war: WarInputs, seed: int) -> None:
    """Each ruling is examined under all of them, which costs little beside its battle."""
    outcome = ruled(war, seed)
    for law_holds in OF_ONE_RULING:
        law_holds(war, outcome)


@law
@given(war=wars(), seed=seeds())
def test_invariant_15_the_winner_s_stability_does_not_depend_on_the_occupation_score(war: WarInputs, seed: int) -> None:
    """The head of state's Attack changes the score and nothing else, unless he commands as well."""
    rulings = []
    for attack in (0.0, 10.0):
        own = [replace(belligerent(war, side), national_leader=_head(f"Head {side}", attack)) for side in (0, 1)]
        rulings.append(ruled(replace(war, attacker=own[0], defender=own[1], commit_stability=True), seed))
    weak, strong = rulings
    assert weak.winner == strong.winner
    winner = SIDES.index(weak.winner)
    assert weak.updates[winner] == strong.updates[winner]
    for outcome in rulings:
        assert all(0 <= float(update.after or 0) <= 200 for update in outcome.updates if update.field == "Stability")


@law
@given(war=wars(), seed=seeds())
def test_invariant_16_a_national_leader_who_is_not_in_command_never_dies(war: WarInputs, seed: int) -> None:
    war = replace(
        war,
        attacker=replace(war.attacker, national_leader=_head("Head of the attackers", 5.0)),
        defender=replace(war.defender, national_leader=_head("Head of the defenders", 5.0)),
        commit_stability=True,
    )
    outcome = ruled(war, seed)
    killed = [event.text for event in outcome.events if event.kind == "leader killed"]
    assert not any("Head of" in text for text in killed)
    assert not any(update.row.startswith("Head of") for update in outcome.updates)
    assert outcome.receipt.text().count("National leader: Head of") == 2


@law
@given(war=wars(), seed=seeds())
def test_invariant_7_equal_seed_and_inputs_give_an_equal_ruling(war: WarInputs, seed: int) -> None:
    """Bit for bit, log and all (R-25)."""
    logs: list[list[str]] = [[], []]
    first, second = (AUTOALGO.resolve(war, Rng(seed), log.extend) for log in logs)
    assert replace(first, scenes=()) == replace(second, scenes=())
    assert first.scenes[0].after == second.scenes[0].after
    assert logs[0] == logs[1]


@law
@given(war=wars(), seed=seeds())
def test_invariant_25_a_blank_strategy_equals_its_default_written_out(war: WarInputs, seed: int) -> None:
    """Flanks that are typed as the program would place and fill them fight the same battle (STRAT-01, STRAT-02)."""
    blank = [replace(belligerent(war, side), flanks=()) for side in (0, 1)]
    war = replace(war, attacker=blank[0], defender=blank[1])
    written = replace(
        war,
        attacker=replace(blank[0], flanks=_orders(war, 0)),
        defender=replace(blank[1], flanks=_orders(war, 1)),
    )
    first, second = ruled(war, seed), ruled(written, seed)
    assert first.receipt == second.receipt
    assert first.events == second.events
    assert first.results == ()


@law
@given(war=wars(), seed=seeds())
def test_invariant_11_occupiers_of_a_country_that_feeds_all_suffer_no_attrition(war: WarInputs, seed: int) -> None:
    """A country that feeds 200 million strangers starves nobody (ATT-04, OCC-05)."""
    assume(war.location.climate != tables().climate.ocean)
    fed = replace(war.location, local_population=200_000_000, attrition="none", fortifications="none")
    few = [replace(own, military=replace(own.military, size=300), flanks=()) for own in (war.attacker, war.defender)]
    outcome = ruled(replace(war, location=fed, attacker=few[0], defender=few[1]), seed)
    assert not [event for event in outcome.events if event.kind == "natural attrition"]


def _head(name: str, attack: float) -> Leader:
    return Leader(name=name, nation=("Anywhere",), birth_year=None, attack=attack, authority=5, cunning=5)


def _orders(war: WarInputs, side: int) -> tuple[FlankOrder, ...]:
    return tuple(
        FlankOrder(
            label=plan.label,
            x=plan.x,
            y=plan.y,
            infantry=plan.counts[0],
            cavalry=plan.counts[1],
            artillery=plan.counts[2],
            ships=plan.ships,
            maneuver=plan.maneuver,
        )
        for plan in flank_table(war, side, tables())
    )
