"""Time spent in each phase of the battle as machine code, measured with the processor's counter.

The kernel is compiled again with a timed function in the place of each phase, so that the steps of the real kernel are
measured; a timed phase is not inlined into its caller, which costs a little, as does the timer.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import llvmlite.ir
import numba
import numpy as np
from numba.extending import intrinsic

from engine.autoalgo.battle import hour
from engine.autoalgo.fight import kernel
from engine.autoalgo.fight.kernel import Kernel, fight_all
from engine.autoalgo.series.compile import COMPILED_INSTEAD
from engine.rng import fill, fill_singly
from sheets_algo.forecasts.compiler.machine import compiled

PHASES: Mapping[str, Callable[..., Any]] = {
    "fill": fill_singly,
    "besiege": hour.besiege,
    "decide": hour.decide,
    "move": hour.move,
    "attack": hour.attack,
    "cut_sides": hour.cut_sides,
    "natural_attrition": hour.natural_attrition,
    "disease": hour.disease,
    "judge": hour.judge,
    "note_end": kernel.note_end,
    "note_consequences": kernel.note_consequences,
}
"""Functions by the names used for Python; none calls another one."""


class Clocked:
    """Kernel as machine code that counts the ticks of each phase; for one thread."""

    def __init__(self) -> None:
        self.ticks = np.zeros(len(PHASES), np.int64)
        replacements: dict[Any, Any] = dict(COMPILED_INSTEAD)
        for place, (name, function) in enumerate(PHASES.items()):
            replacements[fill if name == "fill" else function] = clocked(function, self.ticks[place:])
        self.kernel = Kernel(compiled(fight_all, replacements))

    def shares(self, field: Any, seconds: float) -> dict[str, float]:
        """Return the share of each phase in the time of the machine code; `all else` is the rest.

        Args:
            field: The battle to fight.
            seconds: The approximate duration.
        """
        now = numba.njit(_now())
        field.fight(0, 10, self.kernel)
        first, count, total = 10, 1, 0
        self.ticks[:] = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            stage = field.stage(first, count, self.kernel)
            start = now()
            self.kernel.fight(*stage)
            total += now() - start
            first, count = first + count, min(2 * count, 2_000)
        result = {name: int(ticks) / total for name, ticks in zip(PHASES, self.ticks, strict=True)}
        return result | {"all else": 1.0 - sum(result.values())}


def clocked(function: Callable[..., Any], ticks: Any) -> FunctionType:
    """Return a function that calls another one and adds the ticks it took to a number.

    Args:
        function: The function to call.
        ticks: The array whose first number is increased; it must outlive the machine code.
    """
    names = ", ".join(inspect.signature(function).parameters)
    inner = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    namespace: dict[str, Any] = {"inner": inner, "tick": _tick(ticks.ctypes.data), "__name__": __name__}
    exec(
        f"def clocked({names}):\n    tick(-1)\n    result = inner({names})\n    tick(1)\n    return result\n", namespace
    )
    timed: FunctionType = namespace["clocked"]
    timed.__qualname__ = timed.__name__ = f"clocked_{function.__name__}"
    return timed


def _tick(address: int) -> Any:
    """Return a function for compiled code that adds the counter, times a sign, to the number at an address."""

    def generated(typing: Any, sign: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = llvmlite.ir.IntType(64)
            number = builder.inttoptr(whole(address), whole.as_pointer())
            step = builder.mul(arguments[0], _counter(builder))
            builder.store(builder.add(builder.load(number), step), number)
            return step

        return numba.types.int64(numba.types.int64), code

    return intrinsic(generated)


def _now() -> Any:
    """Return a function for compiled code that reads the processor's counter."""

    def generated(typing: Any) -> Any:
        return numba.types.int64(), lambda context, builder, signature, arguments: _counter(builder)

    read = intrinsic(generated)
    return lambda: read()


def _counter(builder: Any) -> Any:
    kind = llvmlite.ir.FunctionType(llvmlite.ir.IntType(64), [])
    return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind), [])
