"""Plain functions over records of arrays, compiled as they stand (`[fast]` extra).

A step of a battle is Python over named tuples of arrays. Here it is cloned, with compiled clones in place of the
functions it calls, so one source runs both ways. Inside, records are handed on by reference: by value, every call would
copy the places of sixty arrays.

Importing this module imports numba; whoever wants a choice imports it where the choice is made. Of numba and llvmlite
it uses what their manuals describe, and the three names of `tests/engine/test_numba_backend.py`, for whose sake
pyproject.toml bounds the version.
"""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import llvmlite.ir
import numba
import numpy as np
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_jitable, register_model
from numpy.typing import NDArray

from engine.elementary import exp, log

OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False}
"""Threads run side by side, and the bits are Python's; a division by zero, which no checked war makes, goes unseen."""

INNER = {"no_cfunc_wrapper": True}
"""Of what only compiled code calls: calls from C cost a part of the compiler's time and memory."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A function that runs as machine code.

    Args:
        enter: numba's function.
        folder: The folder in which its machine code is kept; None keeps nothing.
    """

    enter: Any
    folder: Path | None

    def __call__(self, *arguments: Any) -> None:
        """Run it; the first time, compile it or find what another process compiled."""
        self.enter(arguments)

    @property
    def is_kept(self) -> bool:
        """True if the folder has machine code of the source as it is, so that no call need wait for it to be made."""
        return self.folder is not None and any(self.folder.rglob("*.nbi"))  # the index that numba writes

    @property
    def variants(self) -> int:
        """For how many types of arguments there is machine code so far."""
        return len(self.enter.signatures)


def compiled(
    function: Callable[..., None],
    instead: Mapping[Callable[..., Any], Callable[..., Any]] = {},
    cache: str | None = None,
) -> Machine:
    """The function and all it calls of ours, to be compiled when it is first called.

    Args:
        function: Takes named tuples, arrays and numbers, each of the same types at every call; returns nothing.
        instead: Functions that are compiled in the place of others with the same results.
        cache: Folder in which the machine code is kept for the next process; None keeps nothing. Code of other sources
            or versions has a folder of its own in it.
    """
    sources = reached(function, instead)
    made: dict[Any, FunctionType] = {}
    for source in sources:
        room = {"__builtins__": builtins, "__name__": source.__module__}
        made[source] = FunctionType(source.__code__, room, source.__name__, source.__defaults__)
        made[source].__module__, made[source].__qualname__ = source.__module__, source.__qualname__
    jitted = {source: register_jitable(**INNER, **OPTIONS)(clone) for source, clone in made.items()}
    for source, clone in made.items():
        for name, value in globals_of(source).items():
            clone.__globals__[name] = jitted[instead.get(value, value)] if isinstance(value, FunctionType) else value
    entry = FunctionType(_enter.__code__, {"referred": referred, "inner": jitted[sources[0]]}, function.__name__)
    entry.__module__, entry.__qualname__ = function.__module__, function.__qualname__
    folder = Path(cache, digest(sources)) if cache else None
    return Machine(_cached(entry, folder) if folder else numba.njit(**OPTIONS)(entry), folder)


def reached(
    function: Callable[..., None], instead: Mapping[Callable[..., Any], Callable[..., Any]] = {}
) -> tuple[FunctionType, ...]:
    """The function and every one of ours that it calls, directly or not, each once, in an order of its own."""
    found: dict[FunctionType, None] = {}
    ahead: list[Any] = [function]
    while ahead:
        callee = ahead.pop()
        callee = instead.get(callee, callee)
        if callee not in found:
            found[callee] = None
            ahead += [value for value in globals_of(callee).values() if isinstance(value, FunctionType)]
    return tuple(found)


def globals_of(function: FunctionType) -> dict[str, Any]:
    """Return the values that the function takes from its module, by name."""
    room = function.__globals__
    return {name: room[name] for name in function.__code__.co_names if name in room}


def digest(sources: Sequence[FunctionType]) -> str:
    """Differs whenever the compiled code might: other steps, other codes of them, other versions (hexadecimal)."""
    this = Path(__file__)  # numba keeps nothing of an older state of the file that the entry stands in
    told = [sys.version, numba.__version__, llvmlite.__version__, np.__version__, str(this), this.read_text("utf-8")]
    for source in sources:
        code = source.__code__
        told += [source.__qualname__, code.co_code.hex(), repr((code.co_consts, code.co_names, code.co_varnames))]
        told += [
            f"{name}={value.__name__ if isinstance(value, (FunctionType, ModuleType)) else value!r}"
            for name, value in globals_of(source).items()
        ]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def differs(cache: str | None = None) -> str:
    """Return the reason why compiled arithmetic differs on this machine, a clause; empty when its bits are Python's.

    `cache` as in `compiled`.
    """
    values = np.array([math.ldexp(1.0 + step / 97.0, step % 61 - 30) for step in range(500)])
    here, there = np.zeros((3, values.size)), np.zeros((3, values.size))
    elementary(values, here)
    try:
        compiled(elementary, cache=cache)(values, there)
    except Exception as error:  # whatever a version of numba that we do not know may raise
        return f"numba cannot compile on this machine ({type(error).__name__})"
    return difference(here, there)


def difference(here: NDArray[np.float64], there: NDArray[np.float64]) -> str:
    """Return a clause that names the function of `elementary` whose results differ; empty if none does."""
    for row, name in enumerate(("square root", "logarithm", "exponential")):
        if here[row].tobytes() != there[row].tobytes():
            return f"machine code's {name} is not Python's to the last bit"
    return ""


def elementary(values: NDArray[np.float64], results: NDArray[np.float64]) -> None:
    """Root, logarithm and exponential of each value; shape of results (3, values)."""
    for place in range(values.shape[0]):
        results[0, place] = math.sqrt(values[place])
        results[1, place] = log(values[place])
        results[2, place] = exp(-values[place] / 2.0**21)


class Reference(numba.types.Type):  # type: ignore[misc]  # numba is partly typed
    """The type of a record that lies in the frame of the function that was entered.

    Nothing counts references to it or to its arrays: whoever enters holds them until the end.
    """

    def __init__(self, record: str, fields: Sequence[tuple[str, Any]]) -> None:
        self.names = [name for name, _ in fields]
        self.kinds = [kind for _, kind in fields]
        super().__init__(f"{record}{sha256(repr(fields).encode()).hexdigest()[:6]}")  # part of every symbol


register_model(Reference)(models.OpaqueModel)


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    """Typing of the fields of a record."""

    key = Reference

    def generic_resolve(self, record: Reference, name: str) -> Any:
        """The type of one; None where there is none."""
        return record.kinds[record.names.index(name)] if name in record.names else None


def _field(context: Any, builder: Any, record: Reference, value: Any, name: str) -> Any:
    """Read one field."""
    place = record.names.index(name)
    pointer = builder.bitcast(value, _layout(context, record).as_pointer())
    field = builder.load(cgutils.gep_inbounds(builder, pointer, 0, place))
    return _unowned(context, builder, record.kinds[place], field)


lower_getattr_generic(Reference)(_field)


def _unowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An array without its owner, so that the compiler drops all counting of references; anything else as it is."""
    if not isinstance(kind, numba.types.Array):
        return value
    array = cgutils.create_struct_proxy(kind)(context, builder, value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    return array._getvalue()


def _referred(typing: Any, value: Any) -> Any:
    """Every record in a tuple, and the records in those, by reference; anything else as it is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _laid_down(context, builder, value, arguments[0])

    return _reference(value)(value), code


referred = intrinsic(_referred)
"""For compiled code, inside the function that is entered."""


def _reference(kind: Any) -> Any:
    """The type by reference of a type; nothing would count the references to what is no array and no number."""
    if isinstance(kind, numba.types.BaseNamedTuple):
        fields = [(name, _reference(part)) for name, part in zip(kind.fields, kind.types, strict=True)]
        return Reference(kind.instance_class.__name__, fields)
    if isinstance(kind, numba.types.BaseTuple):
        return numba.types.Tuple([_reference(part) for part in kind.types])
    if not isinstance(kind, (numba.types.Array, numba.types.Number, numba.types.Boolean)):
        raise numba.core.errors.TypingError(f"a record holds arrays, numbers and records, not {kind}")
    return kind


def _layout(context: Any, record: Reference) -> Any:
    """Layout of a record in memory."""
    return llvmlite.ir.LiteralStructType([context.get_value_type(kind) for kind in record.kinds])


def _laid_down(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The value of this type by reference, put into the frame of the function that is being compiled."""
    if not isinstance(kind, numba.types.BaseTuple):
        return _unowned(context, builder, kind, value)
    parts = [
        _laid_down(context, builder, part_kind, builder.extract_value(value, place))
        for place, part_kind in enumerate(kind.types)
    ]
    target = _reference(kind)
    if not isinstance(target, Reference):
        together = llvmlite.ir.Constant(context.get_value_type(target), llvmlite.ir.Undefined)
        for place, part in enumerate(parts):
            together = builder.insert_value(together, part, place)
        return together
    record = cgutils.alloca_once(builder, _layout(context, target))
    for place, part in enumerate(parts):
        builder.store(part, cgutils.gep_inbounds(builder, record, 0, place))
    return builder.bitcast(record, cgutils.voidptr_t)


def _enter(arguments):  # type: ignore[no-untyped-def]  # likewise
    inner(*referred(arguments))  # type: ignore[name-defined]  # noqa: F821 - its module is made for it


def _cached(entry: FunctionType, folder: Path) -> Any:
    """The entry, whose machine code with all that it calls is kept in a folder, if the folder can be written."""
    before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = str(folder), "UserProvidedCacheLocator"
    try:
        return numba.njit(cache=True, **OPTIONS)(entry)
    except RuntimeError:
        return numba.njit(**OPTIONS)(entry)
    finally:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = before
