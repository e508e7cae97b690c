"""The functions that are compiled together: one, and all of ours that it calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

ENTRY = "enter"
"""Symbol of the function in an object file."""


def reached(
    function: Callable[..., None], instead: Mapping[Callable[..., Any], Callable[..., Any]] = {}
) -> tuple[FunctionType, ...]:
    """Return the function and every one of ours that it calls, directly or not, each once, in an order of its own."""
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
    """Return the values that the function takes from its module, by name."""
    room = function.__globals__
    return {name: room[name] for name in function.__code__.co_names if name in room}
