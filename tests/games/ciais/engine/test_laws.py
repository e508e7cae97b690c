"""Invariants of the catalogue, on any game that the form lets through."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.ciais.battle import meet
from engine.ciais.chance import CiaisRolls
from engine.ciais.game import Game
from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.ciais.odds import chance, percent
from engine.ciais.play import play
from engine.ciais.supply import dies, distance, points
from engine.ciais.taxes import income
from engine.ciais.unrest import taxed
from engine.decimals import exact
from engine.rng import Rng
from tests.games.ciais.engine.games import (
    CIAIS,
    CONSTANTS,
    GAMES,
    LATITUDES,
    LONGITUDES,
    SEEDS,
    TABLES,
    TENTHS,
    games,
    ruled,
    site,
    unit,
    unit_type,
)
from tests.helpers.example_budget import LAW

EFFECTIVE = st.integers(-20, 100).map(lambda tenths: Decimal(tenths) / 10)
RATES = st.integers(0, 1000).map(lambda tenths: Decimal(tenths) / 10)
BATTLES = games(CiaisOrder(kind="Battle", player="Anna", attacker="Anna 1", defender="Bola 1"))


def after(inputs: CiaisInputs, seed: int) -> dict[tuple[str, str], Any]:
    return {(update.row, update.field): update.after for update in ruled(inputs, seed).updates}


@LAW
@given(EFFECTIVE, EFFECTIVE)
def test_both_sides_odds_add_up_to_100(ours: Decimal, theirs: Decimal) -> None:
    """Invariant 1."""
    own, enemy = chance(ours, theirs, CONSTANTS), chance(theirs, ours, CONSTANTS)

    assert 0 <= own <= 1
    assert own + enemy == 1
    assert 0 <= percent(own) <= 100


@LAW
@given(EFFECTIVE, EFFECTIVE, st.integers(0, 100))
def test_attrition_never_helps_its_unit(ours: Decimal, theirs: Decimal, points: int) -> None:
    """Invariant 2."""
    less = ours - points * CONSTANTS.attrition_step

    assert chance(less, theirs, CONSTANTS) <= chance(ours, theirs, CONSTANTS)
    assert chance(theirs, less, CONSTANTS) >= chance(theirs, ours, CONSTANTS)


@LAW
@given(TENTHS, TENTHS)
def test_odds_without_attrition_follow_the_base_formula(ours: float, theirs: float) -> None:
    """Invariant 3."""
    own, enemy = Fraction(exact(ours)), Fraction(exact(theirs))

    if own + enemy:
        assert chance(exact(ours), exact(theirs), CONSTANTS) == own / (own + enemy)


@LAW
@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES, st.booleans())
def test_attrition_is_whole_and_0_at_home(north: float, east: float, other: float, far: float, wraps: bool) -> None:
    """Invariant 4."""
    here = unit(latitude=north, longitude=east)
    away = distance(here, site(latitude=other, longitude=far), wraps)

    assert away >= 0
    assert points(away) <= away < points(away) + 1
    assert distance(here, site(latitude=north, longitude=east), wraps) == 0


@LAW
@given(GAMES, SEEDS)
def test_unrest_stays_at_least_0_and_ends_the_game_at_10(inputs: CiaisInputs, seed: int) -> None:
    """Invariant 5."""
    played = play(inputs, CiaisRolls(battle=1 + seed % 100), TABLES)

    for player in played.game.players.values():
        assert player.unrest >= 0
    for name in {update.row for update in played.game.updates() if update.field in ("Unrest", "Bank ¤", "Round")}:
        assert played.game.players[name].unrest < 10 or played.game.players[name].status != "Playing"


@LAW
@given(RATES, RATES)
def test_tax_unrest_is_0_for_medium_rates_and_continuous(rate: Decimal, other: Decimal) -> None:
    """Invariant 6: nowhere does it change by more than 0.1 for a per cent."""
    own = taxed(rate, CONSTANTS).change

    assert (own == 0) == (10 <= rate <= 15)
    assert abs(own - taxed(other, CONSTANTS).change) <= abs(rate - other) / 10


@LAW
@given(RATES)
def test_income_is_in_proportion(rate: Decimal) -> None:
    """Invariant 7."""
    assert income(rate, CONSTANTS) * 10 == rate * 100
    assert income(Decimal(10), CONSTANTS) == 100


@LAW
@given(BATTLES, SEEDS)
def test_a_battle_removes_one_unit_and_changes_both_owners_unrest(inputs: CiaisInputs, seed: int) -> None:
    """Invariants 8 and 9."""
    meeting = meet(Game(inputs, TABLES))
    outcome = CIAIS.resolve(inputs, Rng(seed))
    written = {(update.row, update.field): update.after for update in outcome.updates}
    lost = {row for row, field in written if field == "Status"} & {"Anna 1", "Bola 1"}
    if meeting.chance is None:
        assert lost == {fighter.unit.name for fighter in meeting.fighters if fighter.is_dead}
        assert "Unrest" not in {field for _, field in written}
        return
    assert len(lost) == 1
    loser = lost.pop().removesuffix(" 1")
    before = {player.name: exact(player.unrest) for player in inputs.players}
    for name in ("Anna", "Bola"):
        change = exact(written.get((name, "Unrest"), before[name])) - before[name]
        assert change == 1 if name == loser else -1 <= change <= 0


@LAW
@given(GAMES, SEEDS)
def test_a_player_wins_or_loses_at_most_once(inputs: CiaisInputs, seed: int) -> None:
    """Invariants 10 and 11."""
    events = [event for event in ruled(inputs, seed).events if event.kind in ("win", "loss")]
    names = [event.text.split(",")[0] for event in events]
    alliances = {player.name: player.alliance for player in inputs.players}

    assert len(names) == len(set(names))
    for name in [event.text.split(",")[0] for event in events if event.id == "CI-WIN-2"]:
        assert any(alliances[name] == other for ally, other in alliances.items() if ally != name)


@LAW
@given(TENTHS, TENTHS, TENTHS, st.integers(0, 200), st.integers(0, 200), st.sampled_from(["land", "sea", "air"]))
def test_moving_a_supply_nearer_never_kills(
    land: float, sea: float, air: float, near: int, far: int, kind: str
) -> None:
    """Invariant 12."""
    type = unit_type(type=kind, multi_l=land, multi_s=sea, multi_a=air)
    near, far = min(near, far), max(near, far)

    assert not dies(type, near, CONSTANTS) or dies(type, far, CONSTANTS)


@LAW
@given(games(CiaisOrder(kind="End round")), SEEDS)
def test_an_ended_round_is_over_for_all(inputs: CiaisInputs, seed: int) -> None:
    """Invariant 13, of which the form does the refusing: everybody who played is one round further, nobody two."""
    written = after(inputs, seed)

    assert {row for row, field in written if field == "Round"} == {
        player.name for player in inputs.players if player.status == "Playing"
    }
    assert {value for (_, field), value in written.items() if field == "Round"} == {2}
