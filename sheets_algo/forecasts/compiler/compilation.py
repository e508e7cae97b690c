"""The unit of compilation: a function, and all functions of the program that it calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

ENTRY = "enter"
"""Symbol of the function in an object file."""


def reached(
    function: Callable[..., None], instead: Mapping[Callable[..., Any], Callable[..., Any]] = {}
) -> tuple[FunctionType, ...]:
    """Return the function and every function of the program that it calls, directly or not, in a stable order."""
    functions: dict[FunctionType, None] = {}
    ahead: list[Any] = [function]
    while ahead:
        callee = ahead.pop()
        callee = instead.get(callee, callee)
        if callee not in functions:
            functions[callee] = None
            ahead += [value for value in globals_of(callee).values() if isinstance(value, FunctionType)]
    return tuple(functions)


def globals_of(function: FunctionType) -> dict[str, Any]:
    """Return the global values that the function uses, by name."""
    room = function.__globals__
    return {name: room[name] for name in function.__code__.co_names if name in room}
