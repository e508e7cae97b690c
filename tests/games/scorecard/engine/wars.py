"""Wars for the tests of this ruleset: the packaged tables, plain builders, and hypothesis strategies."""

from typing import Any

from hypothesis import strategies as st

from engine.scorecard.inputs import Override, ScoreBelligerent, ScoredSide, ScoreInputs
from engine.scorecard.records import ScoreLeader, ScoreNation
from engine.scorecard.resolve import Scorecard
from engine.scorecard.tables import ScoreTables
from scripts.support.pinned_tables import SHIPPED, raw_tables

TABLES = ScoreTables.of(raw_tables("scorecard", SHIPPED))
CONSTANTS = TABLES.constants
SCORECARD = Scorecard(TABLES)


def nation(name: str = "France", **more: Any) -> ScoreNation:
    plain: dict[str, Any] = {"name": name, "stability": 0, "edits": 100}
    return ScoreNation(**plain | more)


def leader(**more: Any) -> ScoreLeader:
    plain: dict[str, Any] = {"name": "Condé", "nation": "France", "exp": 4}
    return ScoreLeader(**plain | more)


def attacker(**more: Any) -> ScoredSide:
    """A side that scores 10 for taking part, 3 for its motive, 1 for the ground and 4 for its own L: 18."""
    plain: dict[str, Any] = {"nation": nation("Spain"), "location": 0, "tactical": 1, "motive": "Economic", "chance": 0}
    return ScoredSide(side="Attacker", **plain | more)


def defender(**more: Any) -> ScoredSide:
    """As plain as `attacker`: 18."""
    plain: dict[str, Any] = {
        "nation": nation("France"),
        "location": 0,
        "tactical": 1,
        "motive": "Economic",
        "chance": 0,
    }
    return ScoredSide(side="Defender", **plain | more)


def war(**more: Any) -> ScoreInputs:
    plain: dict[str, Any] = {"name": "War", "attacker": attacker(), "defender": defender()}
    return ScoreInputs(**plain | more)


SCORES = st.integers(0, 5000).map(lambda tenths: tenths / 100)
LOCATIONS: st.SearchStrategy[str | float] = st.sampled_from([*TABLES.locations]) | st.sampled_from([0, 2.5, 5])
CLOCKS = st.times().map(lambda time: f"{time.hour:02}:{time.minute:02}")
LETTERS = st.text("LMSVW", max_size=5)
BELLIGERENTS = st.builds(ScoreBelligerent, st.sampled_from(["Italy", "Mali", "Korea"]), LETTERS)
OVERRIDES = st.lists(
    st.builds(
        Override, st.sampled_from(sorted(TABLES.factors)), st.integers(-500, 500).map(lambda tenths: tenths / 10)
    ),
    unique_by=lambda override: override.factor,
    max_size=2,
).map(tuple)


def levels(side: str) -> st.SearchStrategy[str | float]:
    return st.sampled_from([*TABLES.tactics_for(side)]) | st.sampled_from([1, 2])


@st.composite
def leaders(draw: st.DrawFn, country: str) -> ScoreLeader:
    battles = draw(st.integers(0, 12))
    return ScoreLeader(
        name=f"Marshal of {country}",
        nation=country,
        role=draw(st.sampled_from(["General", "Ruler"])),
        battles=battles,
        wins=draw(st.integers(0, battles)),
        exp=draw(st.none() | st.integers(0, 9)),
        status=draw(st.sampled_from(["Active", "Wounded"])),
    )


@st.composite
def sides(draw: st.DrawFn, side: str, country: str, *, ruled: bool) -> ScoredSide:
    own = ScoreNation(
        name=country,
        edits=draw(st.integers(1, 10_000_000)),
        army_score=draw(SCORES),
        industry_score=draw(SCORES),
        navy_score=draw(SCORES),
        stability=draw(st.integers(-200, 2000).map(lambda tenths: tenths / 10)),
        expansion_turns=draw(st.integers(0, 10)),
        civil_disarray=draw(st.booleans()),
        fully_united=draw(st.booleans()),
    )
    return ScoredSide(
        side=side,
        nation=own,
        location=draw(LOCATIONS),
        tactical=draw(levels(side)),
        motive=draw(st.sampled_from([*TABLES.motives])),
        belligerents=tuple(draw(st.lists(BELLIGERENTS, max_size=4))),
        navy_nearby=draw(st.booleans()),
        general=draw(st.none() | leaders(country)),
        soldiers=draw(st.none() | st.integers(1, 200_000)),
        declared_at=draw(CLOCKS),
        opponent_edits=draw(st.none() | st.integers(1, 10_000_000)),
        chance=draw(st.none() | st.integers(0, 9)),
        general_roll=draw(st.none() | st.integers(0, 9)),
        leader_killed=draw(st.booleans()),
        overrides=draw(OVERRIDES) if ruled else (),
    )


@st.composite
def wars(draw: st.DrawFn, *, ruled: bool = False) -> ScoreInputs:
    """Any war that the form lets through; with a moderator's overrides only if `ruled`."""
    return ScoreInputs(
        name=draw(st.text(min_size=1, max_size=20)),
        attacker=draw(sides("Attacker", "Spain", ruled=ruled)),
        defender=draw(sides("Defender", "France", ruled=ruled)),
        near_water=draw(st.booleans()),
        beach_landing=draw(st.booleans()),
        attacking_countries=draw(st.none() | st.integers(1, 20)),
        territory_taken=draw(st.none() | st.integers(0, 1000).map(lambda tenths: tenths / 10)),
    )


SEEDS = st.integers(0, 2**64 - 1)
