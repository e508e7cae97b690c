"""Compiler of plain functions over records of arrays.

A step of a battle is Python over named tuples of arrays. Here it is cloned, with compiled clones in place of the
functions it calls, so one source runs both ways. Inside, records are passed by reference: by value, every call would
copy sixty pointers to arrays.

Importing this module imports numba; `machine` does so only to compile. Of numba and llvmlite it uses
what their manuals describe, and the three names of `tests/forecasts/compiler/test_numba_backend.py`, for whose sake
pyproject.toml bounds the version.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir
import numba
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_jitable, register_model

from sheets_algo.forecasts.compiler.compilation import ENTRY, globals_of, reached

OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False}
"""Threads run in parallel, and the bits equal Python's; a division by zero, impossible in checked wars, is silent."""

INNER = {"no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls: entry points for C cost compile time and memory."""

OWNER = (
    "declare void @NRT_MemInfo_call_dtor(ptr) local_unnamed_addr",
    "define internal void @NRT_MemInfo_call_dtor(ptr %owner) { ret void }",
)
"""Numba's function that frees an unreferenced array, and its replacement: no array here has an owner."""
FOREIGN = ("NRT_", "Py", "numba_")
"""Prefixes of runtime functions of numba and Python, for lists, new arrays and errors with texts."""


def object_file(
    function: FunctionType,
    instead: Mapping[Callable[..., Any], Callable[..., Any]],
    arguments: Sequence[Any],
    processor: tuple[str, str],
) -> bytes:
    """Compile a function, with all it calls in the program, for the types of these arguments into an object file.

    `processor` has name and features, as LLVM says them. The function `ENTRY` in the file takes the words of the
    arguments as `machine` lays them down.

    Raises:
        RuntimeError: The code needs numba's runtime, which is absent when it is loaded.
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
    records = intrinsic(_records_at(_reference(numba.typeof(tuple(arguments)))))
    entry = FunctionType(_enter.__code__, {"records": records, "inner": jitted[sources[0]]}, function.__name__)
    entry.__module__, entry.__qualname__ = function.__module__, function.__qualname__
    words = numba.types.CPointer(numba.types.int64)
    return _emitted(numba.cfunc(numba.types.void(words), **OPTIONS)(entry), *processor)


def _emitted(made: Any, name: str, features: str) -> bytes:
    """Return the object file of a numba C callback, without its entry point for C.

    The entry point reports errors through Python; the bare function returns a status instead.
    """
    text = made.inspect_llvm()
    for called in ("ldexp", "frexp"):  # numba's are the C library's
        text = text.replace(f"@numba_{called}(", f"@{called}(")
    module = llvm.parse_assembly(text.replace(*OWNER))
    (entry,) = (
        function
        for function in module.functions
        if not function.is_declaration
        and function.linkage == llvm.Linkage.external
        and function.name != made.native_name
    )
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "internal"
    entry.linkage, entry.name = "external", ENTRY
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=name, features=features, opt=3, reloc="pic", codemodel="small"
    )
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    declared = [function.name for function in module.functions if function.is_declaration]
    if names := [name for name in declared if name.startswith(FOREIGN)]:
        raise RuntimeError(f"the code needs {', '.join(names)}")
    return bytes(target.emit_object(module))


class Reference(numba.types.Type):  # type: ignore[misc]  # numba is partly typed
    """The type of a record in the frame of the entry function.

    References to it and its arrays are not counted: the caller of the entry function holds them until the end.
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
        """Return the type of a field; None for an unknown one."""
        return record.kinds[record.names.index(name)] if name in record.names else None


def _field(context: Any, builder: Any, record: Reference, value: Any, name: str) -> Any:
    """Read one field."""
    place = record.names.index(name)
    layout = llvmlite.ir.LiteralStructType([_stored(context, kind) for kind in record.kinds])
    pointer = cgutils.gep_inbounds(builder, builder.bitcast(value, layout.as_pointer()), 0, place)
    return _loaded(context, builder, record.kinds[place], pointer)


lower_getattr_generic(Reference)(_field)


def _records_at(target: Any) -> Any:
    """Return the typing of the function that reads the arguments, with types by reference, from their words."""

    def typing(context: Any, words: Any) -> Any:
        return target(words), code

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        layout = llvmlite.ir.LiteralStructType([_stored(context, kind) for kind in target])
        pointer = builder.bitcast(arguments[0], layout.as_pointer())
        together = llvmlite.ir.Constant(context.get_value_type(target), llvmlite.ir.Undefined)
        for place, kind in enumerate(target):
            value = _loaded(context, builder, kind, cgutils.gep_inbounds(builder, pointer, 0, place))
            together = builder.insert_value(together, value, place)
        return together

    return typing


def _reference(kind: Any) -> Any:
    """Return the type by reference of a type; other types than arrays and numbers would need reference counts."""
    if isinstance(kind, numba.types.BaseNamedTuple):
        fields = [(name, _reference(part)) for name, part in zip(kind.fields, kind.types, strict=True)]
        return Reference(kind.instance_class.__name__, fields)
    if isinstance(kind, numba.types.BaseTuple):
        return numba.types.Tuple([_reference(part) for part in kind.types])
    if not isinstance(kind, (numba.types.Array, numba.types.Number, numba.types.Boolean)):
        raise numba.core.errors.TypingError(f"a record holds arrays, numbers and records, not {kind}")
    return kind


def _stored(context: Any, kind: Any) -> Any:
    """Return the type of a value in memory; a truth value has a whole word."""
    return llvmlite.ir.IntType(64) if isinstance(kind, numba.types.Boolean) else context.get_value_type(kind)


def _loaded(context: Any, builder: Any, kind: Any, pointer: Any) -> Any:
    """Read a value from memory; an array without its owner, so that the compiler drops all counting of references."""
    value = builder.load(pointer)
    if isinstance(kind, numba.types.Boolean):
        return builder.trunc(value, context.get_value_type(kind))
    if not isinstance(kind, numba.types.Array):
        return value
    array = cgutils.create_struct_proxy(kind)(context, builder, value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    return array._getvalue()


def _enter(words):  # type: ignore[no-untyped-def]  # its module is made for it
    inner(*records(words))  # type: ignore[name-defined]  # noqa: F821
