"""Equality, bit for bit, of the compiled battle and the same source run by Python (R-25)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.autoalgo.battle.events import (
    ATTACK,
    DISEASE,
    LIFTED,
    RELIEF,
    RELIEF_FELL,
    RELIEVED,
    REPULSED,
    SALLY,
    SIDE_CUT,
    SIEGE,
    STARVED_OUT,
    SUNK,
    SUPPLY_CUT,
    TAKEN,
    TERMS_MADE,
    blank_events,
)
from engine.autoalgo.fight.battlefield import Battlefield, BattleResults, KernelArgs
from engine.autoalgo.fight.kernel import PLAIN, Kernel
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import FlankOrder, Relief, WarInputs
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.series.compile import compiled_kernel, fastest
from engine.autoalgo.series.forecast import LOST_MEN
from engine.autoalgo.setup.tables import Tables
from engine.rng import Rng, fill, fill_singly, ranked, ranked_singly
from engine.ruleset import MachineCode
from engine.settings import Setting
from scripts.support.pinned_tables import history_tables, tables, tables_with
from scripts.support.small_battles import (
    ARCHER,
    FEATURES,
    SOLDIER,
    army,
    fleet,
    ground_of_codes,
    line,
    terrain,
    unit,
    war,
)
from scripts.support.workbooks import NOW, example, forms, pass_context, read, workbook
from sheets_algo.forecasts.machine_code import MANY, MISSING, numba_compiler
from sheets_algo.ruling.passes.planner import plan_pass
from tests.engine.autoalgo.battle.test_tactics import mixed_war
from tests.helpers import machine_code
from tests.helpers.example_budget import BUDGET
from tests.helpers.random_wars import seeds, wars

pytest.importorskip("numba", reason="numba is not installed")
from sheets_algo.forecasts.compiler.machine import Machine

ROOM_FOR_EVENTS = 2_000
SIX_HOURS = tables_with({"strategy/hours_most": 6})
GUN = unit(name="Gun", power=(1.2, 1.2, 0.0), long_range=1_000.0)
WALLED = replace(tables().defaults.location, fortifications="Castle")


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    made = machine_code.kernel()
    assert made.is_compiled, made.why_not
    return made


def both(battlefield: Battlefield, kernel: Kernel, count: int = 1, first: int = 0) -> KernelArgs:
    """Fight battles both ways and compare the last one's arrays, all ends and all events bit by bit."""
    plain = battlefield.stage(first, count, PLAIN, blank_events(ROOM_FOR_EVENTS))
    fast = battlefield.stage(first, count, kernel, blank_events(ROOM_FOR_EVENTS))
    PLAIN.fight(*plain)
    kernel.fight(*fast)
    for name in ("buffers", "battle", "orders", "events", "frames", "ends", "consequences"):
        one, other = getattr(plain, name), getattr(fast, name)
        differing = [field for field, a, b in zip(one._fields, one, other, strict=True) if a.tobytes() != b.tobytes()]
        assert (name, differing) == (name, [])
    return fast


def kinds(stage: KernelArgs) -> set[int]:
    """Return the kinds of the events."""
    return set(stage.events.kind[: stage.events.used[0]].tolist())


@cache
def rulings() -> dict[str, tuple[WarInputs, Tables, int, str, dict[str, object]]]:
    """Rule the wars of the example workbook; return inputs, tables, seed, winner and figures of each."""
    form = forms()[0]
    made = plan_pass(read(workbook(example("1066"))), pass_context(), NOW)
    found = {}
    for ruling in made.rulings:
        inputs = form.deserialize(ruling.receipt.inputs)
        seed = int(ruling.receipt.seed)
        outcome = form.ruleset.resolve(inputs, Rng(seed))
        found[ruling.receipt.request] = (
            inputs, form.ruleset.tables_having(inputs.settings), seed, outcome.winner, dict(outcome.figures),
        )  # fmt: skip
    return found


def test_the_example_workbook_has_five_wars() -> None:
    assert sorted(rulings()) == ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"]


@pytest.mark.parametrize("request_id", ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"])
def test_compiled_equals_uncompiled_for_the_example_workbook(request_id: str, kernel: Kernel) -> None:
    inputs, numbers, seed, _, _ = rulings()[request_id]

    both(Battlefield.of(inputs, numbers, seed), kernel, count=max(10, round(40 * min(1, BUDGET))))


@pytest.mark.parametrize("request_id", ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"])
def test_the_ruling_is_battle_number_0_of_its_seed(request_id: str, kernel: Kernel) -> None:
    inputs, numbers, seed, winner, figures = rulings()[request_id]

    ends, _ = Battlefield.of(inputs, numbers, seed).fight(0, 1, kernel)

    assert ("Attacker", "Defender")[ends.winner[0]] == winner
    for side, header in enumerate(("Attacker Losses", "Defender Losses")):
        lost = (f"{what} {getattr(ends, what)[0, side]:,}" for what in LOST_MEN)
        sunk = f"; {ends.sunk[0, side]} ship{'s' if ends.sunk[0, side] > 1 else ''} sunk" if ends.sunk[0, side] else ""
        figure = str(figures[header])
        assert [part for part in lost if part not in figure and not part.endswith(" 0")] == []
        assert figure.endswith(f"{sunk})")


@pytest.mark.parametrize("request_id", ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"])
def test_log_03_a_compiled_ruling_has_the_same_log_pictures_and_frames(request_id: str, kernel: Kernel) -> None:
    inputs, numbers, seed, _, _ = rulings()[request_id]
    rules, code = Autoalgo(numbers), MachineCode(kernel)
    logs: tuple[list[str], list[str]] = [], []
    plain = rules.resolve(inputs, Rng(seed), logs[0].extend)

    fast = rules.resolve_with(code, inputs, Rng(seed), logs[1].extend)

    assert replace(plain, scenes=()) == replace(fast, scenes=())
    assert plain.scenes[0].moments == fast.scenes[0].moments
    assert logs[0] == logs[1]
    one, other = plain.recording, fast.recording
    assert one is not None
    assert other is not None
    assert [one.blows, one.chapters] == [other.blows, other.chapters]
    for name in ("x", "y", "men", "ships", "morale", "status", "target"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_long_battle_is_recorded_in_parts_without_a_gap(kernel: Kernel) -> None:
    """A siege of many days among many flanks: the kernel returns again and again."""
    sides = (army(name, 9_000, flanks=rows(30, y), disease="Smallpox") for name, y in (("A", 150.0), ("B", 250.0)))
    field = Battlefield.of(war(*sides), tables(), 3)
    whole = RecordedBattle(field.recording(kernel=kernel, frames=3_000), kernel)
    parts = RecordedBattle(field.recording(kernel=kernel, frames=1), kernel)

    hours, others = [*whole.hours()], [*parts.hours()]
    assert [hour for hour, _ in hours] == [hour for hour, _ in others] == [*range(whole.battle.hours + 1)]
    assert [event[:-1] for event in whole.happened] == [event[:-1] for event in parts.happened]  # without spare terms
    assert [a.tobytes() for a in whole.frames[1:]] == [a.tobytes() for a in parts.frames[1:]]
    assert [a.tobytes() for a in whole.battle] == [a.tobytes() for a in parts.battle]


def test_r_85_compiled_equals_uncompiled_under_fair_flanks(kernel: Kernel) -> None:
    many, few = army("A", 9_900, flanks=line(*["Normal"] * 14, y=190)), army("B", 9_900)
    fair = Battlefield.of(war(many, few), history_tables(), 85)
    assert fair.tunables.traits.weight[0] < 0.25

    both(fair, kernel, count=10)


def test_r_98_compiled_equals_uncompiled_by_the_rules_of_the_source(kernel: Kernel) -> None:
    archers = army(
        "A", 9_900, types=(ARCHER, None, None), flanks=line("Feigned Retreat", "Hit and run", "Normal", y=190)
    )
    theirs = tables().having((Setting(name="strategy/rules", value="source"),))
    field = Battlefield.of(war(archers, army("B", 9_000)), theirs, 98)
    assert not field.tunables.constants.r_66.applies

    both(field, kernel, count=10)


def test_r_86_compiled_equals_uncompiled_under_tactics_of_history(kernel: Kernel) -> None:
    both(Battlefield.of(mixed_war(), history_tables(), 86), kernel, count=10)


def rows(count: int, y: float) -> tuple[FlankOrder, ...]:
    """Return flanks from edge to edge of the map, all maneuvers in turn."""
    maneuvers = ("Normal", "Position", "Feigned Retreat", "Hit and run", "Pillaging")
    return tuple(
        FlankOrder(x=4 + 391 * place / (count - 1), y=y, maneuver=maneuvers[place % 5]) for place in range(count)
    )


def test_compiled_equals_uncompiled_for_99_flanks_a_side(kernel: Kernel) -> None:
    archers = (ARCHER, None, None)
    one = army("A", 60_000, types=archers, flanks=rows(99, 198.0), disease="Smallpox")
    two = army("B", 60_000, types=archers, flanks=rows(99, 200.0))

    stage = both(Battlefield.of(war(one, two), SIX_HOURS, 99), kernel)

    assert ATTACK in kinds(stage)
    assert stage.ends.hours[0] == 6


def test_a_batch_of_battles_against_nobody_stays_inside_its_events(kernel: Kernel) -> None:
    """Each is decided before its first hour, and notes so: 300 of them have more events than one may have."""
    battlefield = Battlefield.of(war(army("A", 3_000), army("B", 0)), tables(), 1)

    for either in (PLAIN, kernel):
        assert not battlefield.fight(0, 300, either).ends.winner.any()


def test_compiled_equals_uncompiled_for_a_battle_at_sea(kernel: Kernel) -> None:
    ocean = replace(tables().defaults.location, climate=tables().climate.ocean)
    inputs = war(fleet("A", 90), fleet("B", 3), ground=terrain("Water"), location=ocean)

    assert SUNK in kinds(both(Battlefield.of(inputs, tables(), 3), kernel, count=20))


def test_compiled_equals_uncompiled_for_a_siege(kernel: Kernel) -> None:
    inputs = war(
        army("A", 12_000, flanks=line("Normal", "Normal", y=190)),
        army("B", 6_000, flanks=line("Position", "Position", y=200)),
        ground=terrain("High ground"),
        location=WALLED,
    )

    assert SIEGE in kinds(both(Battlefield.of(inputs, tables(), 4), kernel, count=10))


@pytest.mark.parametrize(
    ("besiegers", "garrison", "guns", "order", "ends_by"),
    [
        (40_000, 3_000, 0.3, "Normal", TERMS_MADE),
        (12_000, 3_000, 0.0, "Position", STARVED_OUT),
        (120_000, 300, 0.2, "Normal", TAKEN),
        (4_000, 6_000, 0.05, "Normal", SALLY),
        (6_000, 3_000, 0.0, "Position", LIFTED),
        (6_000, 3_000, 0.0, "Normal", RELIEVED),
        (30_000, 3_000, 0.0, "Storm", TAKEN),
    ],
)
def test_r_100_compiled_equals_uncompiled_in_sieges_of_history(
    kernel: Kernel, besiegers: int, garrison: int, guns: float, order: str, ends_by: int
) -> None:
    types, shares = (SOLDIER, None, GUN if guns else None), (1 - guns, 0.0, guns)
    own = army("A", besiegers, types=types, shares=shares, flanks=line(*[order] * 3, y=182))
    inputs = war(own, army("B", garrison), location=WALLED)

    assert ends_by in kinds(both(Battlefield.of(inputs, history_tables(), 4), kernel, count=30))


def test_war_19_compiled_equals_uncompiled_when_a_relief_comes(kernel: Kernel) -> None:
    inputs = war(army("A", 12_000, flanks=line("Normal", y=182)), army("B", 3_000), location=WALLED)
    field = Battlefield.of(replace(inputs, relief=Relief(men=9_001, day=2)), history_tables(), 4)

    assert {RELIEF, RELIEF_FELL, RELIEVED, REPULSED} <= kinds(both(field, kernel, count=30))


def test_compiled_equals_uncompiled_when_pillagers_cut_off_a_side(kernel: Kernel) -> None:
    victims = (unit(logistics="Basic"), None, None)
    inputs = war(
        army("A", 30_000, flanks=line(*["Pillaging"] * 5, y=199, apart=1)),
        army("B", 30_000, types=victims, flanks=line("Position", y=200)),
    )

    assert {SUPPLY_CUT, SIDE_CUT} <= kinds(both(Battlefield.of(inputs, tables(), 5), kernel, count=20))


def test_compiled_equals_uncompiled_for_diseases(kernel: Kernel) -> None:
    inputs = war(
        army("A", 40_000, disease="Smallpox", flanks=line("Position", y=100)),
        army("B", 40_000, disease="Malaria", flanks=line("Position", y=300)),
    )

    assert DISEASE in kinds(both(Battlefield.of(inputs, tables(), 6), kernel))


def test_compiled_equals_uncompiled_for_ships_near_a_shore(kernel: Kernel) -> None:
    codes = np.full((400, 400), FEATURES["Water"], np.uint8)
    codes[:, 200:] = FEATURES["Plain"]
    inputs = war(fleet("A", 12), fleet("B", 12), ground=ground_of_codes(codes))

    both(Battlefield.of(inputs, tables(), 8), kernel, count=10)


@pytest.mark.slow
@settings(max_examples=max(1, round(30 * BUDGET)), deadline=None)
@given(inputs=wars(), seed=seeds(), first=st.integers(0, 1_000_000))
def test_compiled_equals_uncompiled_for_random_wars(kernel: Kernel, inputs: WarInputs, seed: int, first: int) -> None:
    """Play random wars, and each again with the sides exchanged, which is cheaper than a new random war."""
    for each in (inputs, replace(inputs, attacker=inputs.defender, defender=inputs.attacker)):
        both(Battlefield.of(each, tables(), seed), kernel, first=first)


def hastings() -> Battlefield:
    inputs, numbers, seed, _, _ = rulings()["W-0002"]
    return Battlefield.of(inputs, numbers, seed)


def joined(parts: Sequence[BattleResults]) -> list[bytes]:
    """Join the rows of several series, column by column."""
    rows_of_parts = [(*part.ends, *part.consequences) for part in parts]
    return [np.concatenate(columns).tobytes() for columns in zip(*rows_of_parts, strict=True)]


def test_chunk_size_and_threads_do_not_change_a_battle(kernel: Kernel) -> None:
    battlefield = hastings()
    whole = battlefield.fight(0, 600, kernel)

    chunks = [battlefield.fight(first, 150, kernel) for first in range(0, 600, 150)]
    with ThreadPoolExecutor(4) as pool:
        threads = list(pool.map(lambda first: battlefield.fight(first, 50, kernel), range(0, 600, 50)))

    assert joined(chunks) == joined([whole])
    assert joined(threads) == joined([whole])


def test_a_compiled_ruleset_gives_the_same_results(kernel: Kernel) -> None:
    inputs, _, seed, _, _ = rulings()["W-0002"]
    ruleset, code = Autoalgo(history_tables()), MachineCode()
    fight = ruleset.series(inputs, seed, code)
    one = fight(5, 10)

    assert ruleset.compile(inputs, numba_compiler(str(machine_code.KERNEL)), code) == ""
    assert code.is_compiled

    other = fight(5, 10)
    assert one.winner.tolist() == other.winner.tolist()
    assert {name: measure.values.tobytes() for name, measure in one.numbers.items()} == {
        name: measure.values.tobytes() for name, measure in other.numbers.items()
    }
    assert {name: kind.codes.tolist() for name, kind in one.words.items()} == {
        name: kind.codes.tolist() for name, kind in other.words.items()
    }


def test_few_battles_are_not_compiled(tmp_path: Path) -> None:
    few = compiled_kernel(numba_compiler(str(tmp_path), MANY - 1))

    assert few.why_not == (
        "compiling takes longer than so short a forecast; a longer one does it, once for this machine"
    )
    assert compiled_kernel(numba_compiler(str(tmp_path))).is_compiled


def test_battles_and_seeds_differ() -> None:
    battlefield = hastings()
    one, other = battlefield.fight(0, 30).ends, replace(battlefield, seed=battlefield.seed ^ 1).fight(0, 30).ends

    assert len({tuple(left) for left in one.left.tolist()}) > 25
    assert one.left.tolist() != other.left.tolist()


def test_machine_code_is_compiled_once_for_all_wars(kernel: Kernel) -> None:
    """Another map, another ruleset of numbers, more flanks: the same types, so nothing is compiled anew."""
    for inputs in (
        war(),
        war(ground=ground_of_codes(np.zeros((400, 400), np.uint8))),
        war(army(flanks=rows(7, 150.0))),
        war(fleet("A"), fleet("B"), ground=terrain("Water")),
    ):
        Battlefield.of(inputs, tables_with({"constants/ATK-04/mercy": 1}), 1).fight(0, 1, kernel)

    assert isinstance(kernel.fight, Machine)
    assert len(kernel.fight.entries) == 1


LOADED = """
import sys
from engine.autoalgo.series.compile import bits, compiled_kernel
from engine.autoalgo.fight.battlefield import Battlefield
from sheets_algo.forecasts.machine_code import numba_compiler
from tests.helpers.machine_code import KERNEL
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import war
field = Battlefield.of(war(), tables(), 7)
kernel = compiled_kernel(numba_compiler(str(KERNEL)))
print(kernel.is_compiled, bits(field.fight(0, 40, kernel)) == bits(field.fight(0, 40)), "numba" in sys.modules)
"""


def test_code_of_another_process_loads_without_numba_and_gives_the_same_bits(kernel: Kernel) -> None:
    home = Path(__file__).parents[4]
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=False, cwd=home)

    assert done.stdout == "True True False\n", done.stderr


@given(seed=seeds(), replicate=st.integers(0, 2**40), hour=st.integers(0, 1_200))
def test_draws_hashed_singly_equal_those_hashed_in_blocks(seed: int, replicate: int, hour: int) -> None:
    one, other = np.zeros((5, 7)), np.zeros((5, 7))
    fill(seed, replicate, hour, 2, 5, one)
    with np.errstate(over="ignore"):
        fill_singly(seed, replicate, hour, 2, 5, other)

    assert one.tobytes() == other.tobytes()


@given(
    draws=st.lists(st.sampled_from([0.0, 0.125, 0.5, 0.75]) | st.floats(0.0, 1.0, exclude_max=True), max_size=80),
    step=st.integers(1, 3),
)
def test_compiled_code_sorts_flanks_like_python(draws: list[float], step: int) -> None:
    """Of equal draws, which luck never has, the earlier flank comes first."""
    indices = [*range(0, len(draws), step)]
    one, other = np.zeros(len(draws), np.int64), np.zeros(len(draws), np.int64)
    one[: len(indices)] = other[: len(indices)] = indices
    ranked(np.array(draws), one, len(indices))
    ranked_singly(np.array(draws), other, len(indices))

    in_order = sorted(indices, key=lambda index: (draws[index], index))
    assert one.tolist() == other.tolist() == in_order + [0] * (len(draws) - len(indices))


def said_by(lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_without_numba_python_fights_and_reports_the_reason() -> None:
    """A name in `sys.modules` that is None cannot be imported: what Python itself offers for a missing package."""
    said = said_by(
        "import sys; sys.modules['numba'] = None\n"
        "from engine.autoalgo.series.compile import compiled_kernel, fight_all\n"
        "from sheets_algo.forecasts.machine_code import numba_compiler\n"
        "kernel = compiled_kernel(numba_compiler()); print(kernel.fight is fight_all, kernel.why_not)"
    )

    assert said == f"True {MISSING}"


def test_python_fights_and_reports_it_if_numba_cannot_compile() -> None:
    """Here because the logarithm is a function that it does not know."""
    said = said_by(
        "import math\n"
        "from engine.autoalgo.series.compile import fastest, fight_all\n"
        "from sheets_algo.forecasts.machine_code import numba_compiler\n"
        "from tests.engine.autoalgo.series.test_compiled import hastings\n"
        "root = math.sqrt; math.sqrt = lambda value: root(value)\n"
        "kernel = fastest(hastings(), numba_compiler()); print(kernel.fight is fight_all, kernel.why_not)"
    )

    assert said == "True numba cannot compile the battle here (AttributeError)"


def test_a_battle_with_a_wrong_last_bit_is_detected(kernel: Kernel) -> None:
    def wrong(*stage: object) -> None:
        kernel.fight(*stage)
        morale = KernelArgs(*stage).ends.morale  # type: ignore[arg-type]
        morale[0, 0] = np.nextafter(morale[0, 0], np.inf)

    assert fastest(hastings(), lambda function, instead: kernel.fight).is_compiled
    assert fastest(hastings(), lambda function, instead: wrong).why_not == (
        "a battle in machine code did not end as in Python"
    )


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a workbook with examples, which the commands only read."""
    book = tmp_path_factory.mktemp("season") / "season.xlsx"
    subprocess.run([sys.executable, "-m", "sheets_algo", "init", str(book)], check=True, capture_output=True)
    return book


@pytest.mark.parametrize("command", ["--help", "check --help", "run --help", "season", "run --dry-run"])
def test_numba_is_imported_for_forecasts_only(command: str, season: Path) -> None:
    words = [sys.executable, "-X", "importtime", "-m", "sheets_algo"]
    if "--help" not in command:
        command += f" {season}"

    # Of five rulings, as many as the example has, machine code would say how lucky they were (FC-06).
    surroundings = os.environ | {"SHEETS_ALGO_HOW_LUCKY": "false"}
    said = subprocess.run([*words, *command.split()], capture_output=True, text=True, check=False, env=surroundings)

    assert "sheets_algo.cli" in said.stderr
    assert not any(name in said.stderr for name in ("numba", "llvmlite"))
