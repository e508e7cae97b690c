"""The fifteen invariants of the rules, for any war; 7, 11 and 12 stand with chance, the general and the form."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.rng import Rng
from engine.ruleset import Outcome
from engine.scorecard.general import CommanderRolls, bonus
from engine.scorecard.inputs import ScoreBelligerent, ScoredSide, ScoreInputs
from engine.scorecard.score import Score, scores
from tests.games.scorecard.engine.wars import (
    BELLIGERENTS,
    CONSTANTS,
    SCORECARD,
    SEEDS,
    TABLES,
    attacker,
    defender,
    leader,
    nation,
    war,
    wars,
)
from tests.helpers.example_budget import LAW

LISTS = st.lists(BELLIGERENTS, min_size=1, max_size=5)


def scored(inputs: ScoreInputs) -> tuple[Score, Score]:
    return scores(inputs, CommanderRolls(3, 5), CommanderRolls(4, 6), TABLES)


def points(id: str, inputs: ScoreInputs) -> list[Fraction | None]:
    """Of the attacker and the defender; None where the factor is left out."""
    return [next((factor.points for factor in score.factors if factor.id == id), None) for score in scored(inputs)]


def nations_points(listed: list[ScoreBelligerent]) -> Fraction | None:
    return points("SC-04", war(defender=defender(belligerents=tuple(listed))))[1]


def totals(outcome: Outcome) -> list[object]:
    return [outcome.figures["Attacker Total"], outcome.figures["Defender Total"]]


@LAW
@given(inputs=wars(ruled=True))
def test_invariant_1_a_total_is_the_sum_of_its_factors(inputs: ScoreInputs) -> None:
    for score in scored(inputs):
        expected = sum((factor.points for factor in score.factors), Fraction(0))
        if score.side.side == "Defender" and score.side.nation.civil_disarray:
            expected *= Fraction(3, 2)
        if score.is_leader_killed:
            expected -= 10
        assert score.total == expected


@LAW
@given(inputs=wars(), seed=SEEDS)
def test_invariant_1_the_printed_points_add_up(inputs: ScoreInputs, seed: int) -> None:
    """Each printed number is at most half a hundredth off, and there are at most 13."""
    blocks = {block.heading: block for block in SCORECARD.resolve(inputs, Rng(seed)).receipt.blocks}
    for side in (inputs.attacker, inputs.defender):
        lines = [(line.label, line.text.split(" ")[0].replace("−", "-")) for line in blocks[side.title].lines]
        factors = sum(Fraction(text) for label, text in lines if label in TABLES.factors.values())
        printed = dict(lines)
        total = Fraction(printed["Sum"] if "Sum" in printed else printed["Total"])
        assert abs(factors - total) <= Fraction("0.07")


@LAW
@given(inputs=wars())
def test_invariant_2_points_stay_in_their_ranges(inputs: ScoreInputs) -> None:
    for location in points("SC-01", inputs):
        assert location is not None
        assert 0 <= location <= 5
    attackers, defenders = points("SC-02", inputs)
    assert attackers in {1, 2}
    assert defenders in {1, 2, 3, 4, 5}
    assert set(points("SC-05", inputs)) <= {3, 5, 6, 7, 10}
    assert set(points("SC-11", inputs)) <= set(range(10))
    assert points("SC-12", inputs) == [10, 10]


@LAW
@given(inputs=wars())
def test_invariant_3_industry_and_navy_have_their_conditions(inputs: ScoreInputs) -> None:
    assert points("SC-08", inputs)[0] == 0
    for side, navy in zip((inputs.attacker, inputs.defender), points("SC-09", inputs), strict=True):
        if not (inputs.near_water and side.navy_nearby):
            assert navy == 0


@LAW
@given(inputs=wars())
def test_invariant_4_expansion_never_raises_the_total(inputs: ScoreInputs) -> None:
    assert all(value is not None and value <= 0 for value in points("SC-10", inputs))


@LAW
@given(listed=LISTS, data=st.data())
def test_invariant_5_order_on_the_list_does_not_matter(listed: list[ScoreBelligerent], data: st.DataObject) -> None:
    order = data.draw(st.permutations(listed))
    shuffled = [
        ScoreBelligerent(belligerent.name, "".join(data.draw(st.permutations(belligerent.letters))))
        for belligerent in order
    ]

    assert nations_points(shuffled) == nations_points(listed)


@LAW
@given(listed=LISTS, letter=st.sampled_from("WV"), data=st.data())
def test_invariant_6_a_w_or_v_costs_exactly_one_point(
    listed: list[ScoreBelligerent], letter: str, data: st.DataObject
) -> None:
    which = data.draw(st.integers(0, len(listed) - 1))
    before = nations_points(listed)
    listed[which] = ScoreBelligerent(listed[which].name, listed[which].letters + letter)

    assert before is not None
    assert nations_points(listed) == before - 1


@LAW
@given(inputs=wars())
def test_invariant_8_a_beach_landing_only_lifts_the_defender(inputs: ScoreInputs) -> None:
    on_land = points("SC-02", replace(inputs, beach_landing=False))
    at_the_beach = points("SC-02", replace(inputs, beach_landing=True))

    assert at_the_beach[0] == on_land[0]
    assert on_land[1] is not None
    assert at_the_beach[1] == max(on_land[1], 2)


@LAW
@given(battles=st.integers(0, 20), exp=st.integers(0, 8), data=st.data())
def test_invariant_9_one_more_exp_adds_one_point(battles: int, exp: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, battles if battles <= 3 else battles - 1))
    general = leader(wins=wins, battles=battles)

    assert bonus(general, exp + 1, CONSTANTS).points == bonus(general, exp, CONSTANTS).points + 1


@LAW
@given(inputs=wars(), seed=SEEDS)
def test_invariant_9_a_dead_or_missing_general_scores_nothing(inputs: ScoreInputs, seed: int) -> None:
    outcome = SCORECARD.resolve(inputs, Rng(seed))
    for row, side in enumerate((inputs.attacker, inputs.defender)):
        if outcome.results[row].values["Fate"] in ("", "killed"):
            general = next(variable for variable in outcome.explained if variable.name == f"General, {side.side}")
            assert general.value == 0


@LAW
@given(inputs=wars(), factor=st.integers(2, 1000), seed=SEEDS)
def test_invariant_10_only_the_ratio_of_the_armies_counts(inputs: ScoreInputs, factor: int, seed: int) -> None:
    def enlarged(side: ScoredSide) -> ScoredSide:
        return side if side.soldiers is None else replace(side, soldiers=side.soldiers * factor)

    larger = replace(inputs, attacker=enlarged(inputs.attacker), defender=enlarged(inputs.defender))
    before, after = SCORECARD.resolve(inputs, Rng(seed)), SCORECARD.resolve(larger, Rng(seed))

    assert (after.figures, after.results, after.updates) == (before.figures, before.results, before.updates)


@LAW
@given(inputs=wars(), taken=st.floats(0, 100), seed=SEEDS)
def test_invariant_13_territory_never_changes_a_total(inputs: ScoreInputs, taken: float, seed: int) -> None:
    divided = replace(
        inputs,
        territory_taken=taken,
        attacker=replace(inputs.attacker, nation=replace(inputs.attacker.nation, fully_united=False)),
        defender=replace(inputs.defender, nation=replace(inputs.defender.nation, fully_united=False)),
    )

    assert totals(SCORECARD.resolve(divided, Rng(seed))) == totals(SCORECARD.resolve(inputs, Rng(seed)))


@LAW
@given(inputs=wars(), seed=SEEDS)
def test_invariant_14_only_leaders_change_with_wins_up_to_battles(inputs: ScoreInputs, seed: int) -> None:
    outcome = SCORECARD.resolve(inputs, Rng(seed))

    assert {update.tab for update in outcome.updates} <= {"Score Leaders"}
    for side in (inputs.attacker, inputs.defender):
        if side.general is not None:
            after = {update.field: update.after for update in outcome.updates if update.row == side.general.name}
            battles, wins = after["Battles"], after.get("Wins", side.general.wins)
            assert isinstance(battles, int)
            assert isinstance(wins, int)
            assert wins <= battles == side.general.battles + 1


@LAW
@given(inputs=wars(ruled=True), seed=SEEDS)
def test_invariant_15_the_same_war_and_seed_give_the_same_receipt(inputs: ScoreInputs, seed: int) -> None:
    assert SCORECARD.resolve(inputs, Rng(seed)) == SCORECARD.resolve(inputs, Rng(seed))


def test_sc_op_30_the_greatest_numbers_can_be_scored() -> None:
    most = 1_000_000_000_000
    rich = nation(army_score=most, industry_score=most, stability=-most, edits=most)
    inputs = war(
        attacker=attacker(nation=rich, soldiers=0.001, chance=None, declared_at="19:59"),
        defender=defender(nation=rich, soldiers=most, chance=None, declared_at="00:00"),
    )

    assert SCORECARD.resolve(inputs, Rng(0)).figures["Winner"] == "France"
