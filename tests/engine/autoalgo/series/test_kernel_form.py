"""The battle kernel keeps the form in which it can be compiled as it stands, with the same bits (R-25).

Everything that an hour of battle reaches is read as source: which functions, words and numbers it uses.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType

import pytest

from engine import elementary, rng
from engine.autoalgo.aftermath import battle_end, consequences, inputs, occupation, stability, survival
from engine.autoalgo.battle import blow, events, hour, state
from engine.autoalgo.series import kernel

ENTRIES = (hour.begin, hour.fight_hour, kernel.fight_all)
"""What `fight` calls, hour by hour, and the loop of many battles with what follows each."""
DRAWS = frozenset({rng.fill, rng.draw, rng.ranked})
"""Compiled code has others in their place (`engine/rng.py`), so these are not read."""
BUILTINS = frozenset({"range", "min", "max", "int", "float", "bool"})
MATHS = frozenset({"sqrt", "floor", "ceil", "frexp", "ldexp", "inf"})
"""Of `math`; not log, exp, pow and hypot, whose last bit differs from machine to machine (R-96)."""
NUMPY: frozenset[str] = frozenset()
"""Of `numpy` nothing: it would make arrays, and it adds in an order of its own."""
PLAIN_NUMBERS = frozenset({0, 1, 2})
"""Numbers that a step may spell out: what belongs to the shape of a formula, never what a moderator may tune."""
SPELLED_OUT = {
    ("movement", "share_afloat"): {4},
    ("movement", "METRES_A_KM"): {1000},
    ("events", "most_an_hour"): {12, 16},
    ("consequences", "note_round"): {3, 4},
}
"""Exceptions: quarters of a pixel, metres of a kilometre, room for events, columns."""
MATHEMATICS = "elementary"
"""The module of logarithm and exponential, whose coefficients are no rules."""
RECORDS = (
    *(
        state.Battle,
        state.Orders,
        state.Traits,
        state.Units,
        state.Ground,
        state.Country,
        state.Numbers,
        state.Tunables,
    ),
    *(
        kernel.BatchSpec,
        kernel.Buffers,
        battle_end.Ends,
        consequences.Consequences,
        occupation.Occupied,
        occupation.Occupier,
    ),
    *(inputs.AftermathInputs, inputs.SideInputs, inputs.Command, inputs.Conquest, inputs.Home),
    *(blow.UnitBlow, blow.Attack, blow.Blows, blow.Hearts),
    *(survival.SurvivalRates, occupation.OccupationRates, stability.StabilityRates),
)
MADE = frozenset({occupation.Occupied, occupation.Occupier, blow.UnitBlow, blow.Attack, blow.Blows, blow.Hearts})
"""Records that a step may make: small ones, handed on by value."""
TYPES = {record.__name__ for record in (*RECORDS, events.Events)} | {"Real", "Whole", "int", "float", "bool", "None"}
FIELDS = {field for record in (*RECORDS, events.Events) for field in record._fields} | {"shape"}
"""What may follow a dot; properties are Python and cannot be compiled."""
PYTHON_ONLY = (
    *(ast.Dict, ast.Set, ast.DictComp, ast.SetComp, ast.ListComp, ast.GeneratorExp, ast.JoinedStr, ast.Lambda),
    *(ast.Try, ast.Raise, ast.With, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr),
    *(ast.Starred, ast.Delete, ast.Import, ast.ImportFrom, ast.ClassDef, ast.AsyncFunctionDef, ast.Assert, ast.Match),
)


@dataclass(frozen=True)
class Step:
    """One function that an hour of battle runs."""

    module: ModuleType
    tree: ast.FunctionDef

    @property
    def place(self) -> tuple[str, str]:
        return self.module.__name__.rpartition(".")[2], self.tree.name

    def words(self) -> Iterator[ast.AST]:
        """Every node of its body, without docstring and annotations."""
        for statement in self.tree.body[1 if ast.get_docstring(self.tree) else 0 :]:
            yield from ast.walk(statement)

    def locals(self) -> set[str]:
        stored = {word.id for word in self.words() if isinstance(word, ast.Name) and isinstance(word.ctx, ast.Store)}
        return stored | {argument.arg for argument in self.tree.args.args}

    def globals(self) -> set[str]:
        loaded = {word.id for word in self.words() if isinstance(word, ast.Name)}
        return loaded - self.locals() - {"math", "np"}


@cache
def steps() -> tuple[Step, ...]:
    """All functions that the entries reach, each once, in the same order in every process."""
    found: dict[FunctionType, Step] = {}
    ahead: list[FunctionType] = [entry for entry in ENTRIES if inspect.isfunction(entry)]
    while ahead:
        function = ahead.pop()
        if function in found or function in DRAWS:
            continue
        module = importlib.import_module(function.__module__)
        tree = ast.parse(inspect.getsource(module))
        functions = {definition.name: definition for definition in tree.body if isinstance(definition, ast.FunctionDef)}
        step = Step(module, functions[function.__name__])
        found[function] = step
        used = (getattr(module, name) for name in sorted(step.globals() - BUILTINS))
        ahead += [value for value in used if inspect.isfunction(value)]
    return tuple(found.values())


each_step = pytest.mark.parametrize("step", steps(), ids=lambda step: ".".join(step.place))


def test_the_rules_of_a_battle_are_all_in_the_kernel() -> None:
    """What is reached is what the chapters say, so the other tests of this module read it all."""
    names = {step.place for step in steps()}

    assert {
        ("decision", "decide"),
        ("movement", "place"),
        ("attack", "apply_losses"),
        ("supply", "cut_sides"),
        ("attrition", "natural_attrition"),
        ("disease", "strike_side"),
        ("siege", "besiege"),
        ("flank", "check_morale"),
        ("hour", "steadier_side"),
        ("events", "note"),
    } <= names
    assert not {module for module, _ in names} & {"deploy", "strategy", "variables", "log"}


@each_step
def test_a_step_has_no_python_objects(step: Step) -> None:
    """No dicts, comprehensions, strings, exceptions, and none of the operators that round as they like."""
    kinds = [type(word).__name__ for word in step.words() if isinstance(word, PYTHON_ONLY)]
    texts = [
        word.value for word in step.words() if isinstance(word, ast.Constant) and isinstance(word.value, (str, bytes))
    ]
    operators = [type(word.op) for word in step.words() if isinstance(word, (ast.BinOp, ast.AugAssign))]

    assert (kinds, texts) == ([], [])
    assert set(operators) <= {ast.Add, ast.Sub, ast.Mult, ast.Div}


@each_step
def test_a_step_calls_only_steps_and_what_rounds_alike_everywhere(step: Step) -> None:
    used = {name: getattr(step.module, name) for name in step.globals() - BUILTINS}
    known = {name for name, value in used.items() if inspect.isfunction(value) or value in MADE}
    for call in (word for word in step.words() if isinstance(word, ast.Call)):
        if isinstance(call.func, ast.Name):
            assert call.func.id in BUILTINS | known
        else:
            assert isinstance(call.func, ast.Attribute)
            assert isinstance(call.func.value, ast.Name)
            assert call.func.attr in {"math": MATHS, "np": NUMPY}[call.func.value.id]
        assert not call.keywords


@each_step
def test_a_step_reads_only_fields_of_the_records(step: Step) -> None:
    read = [
        word.attr
        for word in step.words()
        if isinstance(word, ast.Attribute)
        and not (isinstance(word.value, ast.Name) and word.value.id in ("math", "np"))
    ]

    assert set(read) - FIELDS == set()


@each_step
def test_a_step_takes_arrays_records_and_numbers_by_position(step: Step) -> None:
    arguments = step.tree.args

    assert [*arguments.kwonlyargs, arguments.vararg, arguments.kwarg, *arguments.defaults] == [None, None]
    assert {ast.unparse(argument.annotation) for argument in arguments.args if argument.annotation} <= TYPES
    assert all(argument.annotation for argument in arguments.args)


@pytest.mark.parametrize(
    "step", [step for step in steps() if step.place[0] != MATHEMATICS], ids=lambda step: ".".join(step.place)
)
def test_every_tunable_is_an_argument(step: Step) -> None:
    """A number in the source would be frozen into the compiled code: what a step needs it is handed."""
    allowed = PLAIN_NUMBERS | SPELLED_OUT.get(step.place, set())
    spelled = {word.value for word in step.words() if isinstance(word, ast.Constant) and word.value is not None}

    assert spelled <= allowed | {True, False}
    for name in step.globals() - BUILTINS:
        value = getattr(step.module, name)
        if not inspect.isfunction(value) and value not in MADE:
            is_code = isinstance(value, int) and not isinstance(value, bool)
            is_code = is_code or value in vars(elementary).values()
            assert is_code or value in SPELLED_OUT.get((step.place[0], name), set()), name


def test_nothing_in_the_kernel_modules_changes_between_battles() -> None:
    """Module level holds codes, texts about them and functions: no arrays, no state."""
    for module in {step.module for step in steps()}:
        for name, value in vars(module).items():
            if not name.startswith("_") and name.isupper():
                assert isinstance(value, (int, float, str, tuple, kernel.Kernel)), f"{module.__name__}.{name}"
