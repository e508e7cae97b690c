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
from typing import get_type_hints

import pytest

from engine import elementary, rng
from engine.autoalgo import constants
from engine.autoalgo.aftermath import battle_end, casualties, consequences, inputs, occupation
from engine.autoalgo.battle import blow, events, frames, hour, state
from engine.autoalgo.fight import kernel

ENTRIES = (hour.begin, hour.fight_hour, kernel.fight_all)
"""An hour of battle, what comes before the first, and the loop of battles with what follows each."""
DRAWS = frozenset({rng.fill, rng.draw, rng.ranked})
"""Compiled code has others in their place (`engine/rng.py`), so these are not read."""
BUILTINS = frozenset({"range", "len", "min", "max", "int", "float", "bool"})
MATHS = frozenset({"sqrt", "floor", "ceil", "frexp", "ldexp", "inf"})
"""Of `math`; not log, exp, pow and hypot, whose last bit differs from machine to machine (R-96)."""
NUMPY: frozenset[str] = frozenset()
"""Of `numpy` nothing: it would make arrays, and it adds in an order of its own."""
LIBRARIES = {"math": MATHS, "np": NUMPY}
PLAIN_NUMBERS = frozenset({0, 1, 2})
"""Numbers that a step may spell out: what belongs to the shape of a formula, never what a moderator may tune."""
SPELLED_OUT = {
    ("movement", "share_afloat"): {4},
    ("movement", "METRES_A_KM"): {1000},
    ("events", "most_an_hour"): {15, 16},
}
"""Exceptions: quarters of a pixel, metres of a kilometre, room for events."""
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
        state.EndRules,
        state.Tunables,
        state.SiegeDay,
    ),
    *(
        kernel.BatchSpec,
        kernel.Buffers,
        kernel.SetDraws,
        frames.Frames,
        battle_end.Ends,
        casualties.HitMen,
        consequences.Consequences,
        consequences.SideResult,
        occupation.OccupationState,
        occupation.Occupier,
    ),
    *(inputs.AftermathInputs, inputs.SideInputs, inputs.Command, inputs.Conquest, inputs.Home),
    *(
        blow.UnitBlow,
        blow.Outflanking,
        blow.Attack,
        blow.Panic,
        blow.Blows,
        blow.Hearts,
        events.Toll,
        events.SiegeStart,
    ),
    *(constants.Constants, *get_type_hints(constants.Constants).values()),
)
MADE = frozenset(
    {
        casualties.HitMen,
        consequences.SideResult,
        occupation.OccupationState,
        occupation.Occupier,
        state.SiegeDay,
        blow.UnitBlow,
        blow.Outflanking,
        blow.Attack,
        blow.Panic,
        blow.Blows,
        blow.Hearts,
        events.Toll,
        events.SiegeStart,
    }
)
"""Records that a step may make: small ones, handed on by value."""
NUMBERS = {"Real", "Whole", "int", "float", "bool", "None", "Sequence[float] | Whole"}
TYPES = {record.__name__ for record in (*RECORDS, events.Events)} | NUMBERS
FIELDS = {field for record in (*RECORDS, events.Events) for field in record._fields} | {"shape"}
"""What may follow a dot; properties are Python and cannot be compiled."""
BRANCHES = (ast.IfExp, ast.BoolOp)
"""Syntax that Numba refuses among the keywords of a call; without it a record may be made by names."""
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


def test_every_step_has_the_form_that_compiles() -> None:
    assert [error for step in steps() for error in errors_of(step)] == []


def errors_of(step: Step) -> Iterator[str]:
    """Yield what cannot be compiled as it stands, or would not have the same bits everywhere."""
    for check in (python_objects, calls, attributes, arguments, numbers):
        yield from (f"{'.'.join(step.place)}: {found}" for found in check(step))


def python_objects(step: Step) -> Iterator[str]:
    """Yield dicts, comprehensions, texts, exceptions, and the operators that round as they like."""
    for word in step.words():
        if isinstance(word, PYTHON_ONLY):
            yield type(word).__name__
        elif isinstance(word, ast.Constant) and isinstance(word.value, (str, bytes)):
            yield repr(word.value)
        elif isinstance(word, (ast.BinOp, ast.AugAssign)) and not isinstance(
            word.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)
        ):
            yield type(word.op).__name__


def calls(step: Step) -> Iterator[str]:
    """Yield calls of anything but steps and what rounds alike everywhere."""
    used = {name: getattr(step.module, name) for name in step.globals() - BUILTINS}
    known = {name for name, value in used.items() if inspect.isfunction(value) or value in MADE} | BUILTINS
    for call in (word for word in step.words() if isinstance(word, ast.Call)):
        match call.func:
            case ast.Name(id=name) if name in known:
                pass
            case ast.Attribute(value=ast.Name(id=library), attr=name) if name in LIBRARIES.get(library, ()):
                pass
            case other:
                yield f"{ast.unparse(other)}()"
        is_record = isinstance(call.func, ast.Name) and used.get(call.func.id) in MADE
        if call.keywords and (not is_record or any(isinstance(word, BRANCHES) for word in ast.walk(call))):
            yield f"{ast.unparse(call)} has keywords"


def attributes(step: Step) -> Iterator[str]:
    """Yield what follows a dot and is no field of a record."""
    for word in step.words():
        match word:
            case ast.Attribute(value=ast.Name(id=library)) if library in LIBRARIES:
                pass
            case ast.Attribute(attr=name) if name not in FIELDS:
                yield ast.unparse(word)


def arguments(step: Step) -> Iterator[str]:
    """Yield arguments that are no arrays, records or numbers by position."""
    arguments = step.tree.args
    if [*arguments.kwonlyargs, arguments.vararg, arguments.kwarg, *arguments.defaults] != [None, None]:
        yield "arguments that are not by position"
    for argument in arguments.args:
        if argument.annotation is None or ast.unparse(argument.annotation) not in TYPES:
            yield f"argument {ast.unparse(argument)}"


def numbers(step: Step) -> Iterator[str]:
    """Yield tunable numbers: one in the source would be frozen into the compiled code; a step is handed it."""
    if step.place[0] == MATHEMATICS:
        return
    allowed = PLAIN_NUMBERS | SPELLED_OUT.get(step.place, set()) | {True, False, None}
    for word in step.words():
        if isinstance(word, ast.Constant) and word.value not in allowed:
            yield repr(word.value)
    for name in step.globals() - BUILTINS:
        value = getattr(step.module, name)
        if not inspect.isfunction(value) and value not in MADE:
            is_code = isinstance(value, int) and not isinstance(value, bool)
            is_code = is_code or value in vars(elementary).values()
            if not (is_code or value in SPELLED_OUT.get((step.place[0], name), set())):
                yield name


SPOILT = {
    "return {count: 1}": "Dict",
    "return f'{count}'": "JoinedStr",
    "return 'men'": "'men'",
    "return count ** count": "Pow",
    "return count // count": "FloorDiv",
    "return sorted(count)": "sorted()",
    "return math.exp(count)": "math.exp()",
    "return np.sum(count)": "np.sum()",
    "return max(count, default=1)": "max(count, default=1) has keywords",
    "return Hearts(count, of_ship=count if count else 0)": "Hearts(count, of_ship=count if count else 0) has keywords",
    "return count.strength": "count.strength",
    "return 7 * count": "7",
    "return count * 0.5": "0.5",
    "return count if OPEN else 0": "OPEN",
    "def step(count: Whole, *more: Whole): return count": "arguments that are not by position",
    "def step(count: Whole, *, more: Whole): return count": "arguments that are not by position",
    "def step(count: Whole, more: Whole = 1): return count": "arguments that are not by position",
    "def step(count): return count": "argument count",
    "def step(count: dict): return count": "argument count: dict",
}


@pytest.mark.parametrize("body", ["return count * 2 / 1", "return Hearts(count, of_ship=count)", *SPOILT])
def test_code_that_cannot_compile_is_detected(body: str) -> None:
    """Each check is tried on a function with one thing wrong."""
    source = body if body.startswith("def") else f"def step(count: Whole): {body}"
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.FunctionDef)
    module = ModuleType("engine.spoilt")
    vars(module).update(OPEN=0.5, sorted=sorted, Hearts=blow.Hearts)

    found = list(errors_of(Step(module, definition)))

    assert f"spoilt.step: {SPOILT[body]}" in found if body in SPOILT else found == []


def test_kernel_modules_have_no_mutable_state() -> None:
    """Module level holds codes, texts about them and functions: no arrays, no state."""
    for module in {step.module for step in steps()}:
        for name, value in vars(module).items():
            if not name.startswith("_") and name.isupper():
                allowed = (int, float, str, tuple, type, kernel.Kernel)
                assert isinstance(value, allowed), f"{module.__name__}.{name}"
