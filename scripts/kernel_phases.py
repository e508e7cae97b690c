"""Where machine code spends its time: each phase of the battle clocked inside it, by the processor's own counter.

The kernel is compiled once more, with a clocked function in the place of each phase, so what is measured are the steps
of the real kernel; a clocked phase is not inlined into its caller, which with the clock itself costs a little.
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

from engine import compiled
from engine.autoalgo import battle, kernel
from engine.autoalgo.kernel import Kernel, fight_all
from engine.luck import draw, draw_singly, fill, fill_singly

PHASES: Mapping[str, Callable[..., Any]] = {
    "fill": fill_singly,
    "besiege": battle.besiege,
    "decide": battle.decide,
    "move": battle.move,
    "attack": battle.attack,
    "cut_sides": battle.cut_sides,
    "natural_attrition": battle.natural_attrition,
    "disease": battle.disease,
    "judge": battle.judge,
    "note_end": kernel.note_end,
    "note_consequences": kernel.note_consequences,
}
"""Names as where Python fights; none of them returns anything or calls another of them."""


class Clocked:
    """The kernel as machine code that counts the ticks of each phase; for one thread."""

    def __init__(self) -> None:
        self.ticks = np.zeros(len(PHASES), np.int64)
        instead: dict[Any, Any] = {draw: draw_singly}
        for place, (name, function) in enumerate(PHASES.items()):
            instead[fill if name == "fill" else function] = clocked(function, self.ticks[place:])
        self.kernel = Kernel(compiled.compiled(fight_all, instead))

    def shares(self, field: Any, seconds: float) -> dict[str, float]:
        """Share of each phase in the time that the machine code needs; `all else` is what no phase has.

        Args:
            field: What is fought.
            seconds: How long, about.
        """
        now = numba.njit(_now())
        field.fight(0, 10, self.kernel)
        first, count, whole = 10, 1, 0
        self.ticks[:] = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            stage = field.stage(first, count, self.kernel)
            start = now()
            self.kernel.fight(*stage)
            whole += now() - start
            first, count = first + count, min(2 * count, 2_000)
        told = {name: int(ticks) / whole for name, ticks in zip(PHASES, self.ticks, strict=True)}
        return told | {"all else": 1.0 - sum(told.values())}


def clocked(function: Callable[..., Any], ticks: Any) -> FunctionType:
    """A function that calls another and adds the ticks it took to a number.

    Args:
        function: Returns nothing.
        ticks: Its first number is added to; it must outlive the machine code.
    """
    names = ", ".join(inspect.signature(function).parameters)
    inner = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    room: dict[str, Any] = {"inner": inner, "tick": _tick(ticks.ctypes.data), "__name__": __name__}
    exec(f"def clocked({names}):\n    tick(-1)\n    inner({names})\n    tick(1)\n", room)
    made: FunctionType = room["clocked"]
    made.__qualname__ = made.__name__ = f"clocked_{function.__name__}"
    return made


def _tick(address: int) -> Any:
    """For compiled code: add the processor's counter, or take it away, from the number at an address."""

    def generated(typing: Any, sign: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = llvmlite.ir.IntType(64)
            number = builder.inttoptr(whole(address), whole.as_pointer())
            step = builder.mul(arguments[0], _counter(builder))
            builder.store(builder.add(builder.load(number), step), number)
            return context.get_dummy_value()

        return numba.types.none(numba.types.int64), code

    return intrinsic(generated)


def _now() -> Any:
    """For compiled code: the processor's counter."""

    def generated(typing: Any) -> Any:
        return numba.types.int64(), lambda context, builder, signature, arguments: _counter(builder)

    read = intrinsic(generated)
    return lambda: read()


def _counter(builder: Any) -> Any:
    kind = llvmlite.ir.FunctionType(llvmlite.ir.IntType(64), [])
    return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind), [])
