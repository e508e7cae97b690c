"""Compiler of plain functions over records of arrays.

A step of a battle is Python over named tuples of arrays. Here it is cloned, with compiled clones in place of the
functions it calls, so one source runs both ways. Inside, records are passed by reference: by value, every call would
copy sixty pointers to arrays. numba translates each function, and LLVM optimises all of them once, together.

Importing this module imports numba; `machine` does so only to compile. Of numba and llvmlite it uses
what their manuals describe, and the few names of `tests/forecasts/compiler/test_numba_backend.py`, for whose sake
pyproject.toml bounds the version.
"""

from __future__ import annotations

import builtins
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir
import numba
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_jitable, register_model

from sheets_algo.forecasts.compiler.compilation import ENTRY, globals_of, reached

STEPS = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""numba's steps from a function to LLVM's language; the others serve closures, exceptions and arrays as a whole."""


class _Pipeline(CompilerBase):  # type: ignore[misc]  # numba is partly typed
    """The compiler of one function, whose product nobody calls yet."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline."""
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        steps = PassManager("battle")
        for step in STEPS:
            steps.add_pass(step, step.__name__)
        steps.finalize()
        return [steps]


class _Library(CodeLibrary):  # type: ignore[misc]
    """A function in LLVM's language, and the libraries of those that it calls.

    numba's own library would optimise each function with all that it calls, and make machine code of it.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._texts: list[str] = []
        self._called: list[Any] = []

    def add_ir_module(self, ir_module: Any) -> None:
        """Add a part of the function."""
        self._texts.append(str(ir_module))

    def add_linking_library(self, library: Any) -> None:
        """Add the library of a function that it calls, which may be one of numba's."""
        self._called.append(library)

    def finalize(self) -> None:
        """End the additions."""
        self._finalized = True

    def get_llvm_str(self) -> str:
        """Return the function with all that it calls, which is internal to it."""
        libraries: dict[Any, None] = {}
        ahead: list[Any] = [self]
        while ahead:
            library = ahead.pop()
            if library not in libraries:
                libraries[library] = None
                ahead += getattr(library, "_called", ())
        module, *parts = map(llvm.parse_assembly, self._texts)
        own = {function.name for part in (module, *parts) for function in part.functions if not function.is_declaration}
        for library in [*libraries][1:]:
            parts += map(llvm.parse_assembly, getattr(library, "_texts", None) or [library.get_llvm_str()])
        for part in parts:
            module.link_in(part)
        for function in module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        return str(module)

    get_asm_str = get_llvm_str
    get_function = None

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, for there is no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """Return the holder of the globals of a function, which it does not need."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Keep no globals."""


OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "_nrt": False, "pipeline_class": _Pipeline}
"""Threads run in parallel, and the bits equal Python's; a division by zero, impossible in checked wars, is silent."""

INNER = {"no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls: entry points for C cost compile time and memory."""

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
    is_collecting = gc.isenabled()
    gc.disable()  # little of what numba makes is garbage
    try:
        return _compiled(function, instead, arguments, processor)
    finally:
        if is_collecting:
            gc.enable()


def _compiled(
    function: FunctionType,
    instead: Mapping[Callable[..., Any], Callable[..., Any]],
    arguments: Sequence[Any],
    processor: tuple[str, str],
) -> bytes:
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
    module = llvm.parse_assembly(text)
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
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.slp_vectorization = options.loop_vectorization = options.loop_unrolling = False  # battles gain nothing
    builder = llvm.create_pass_builder(target, options)
    passes.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
    declared = [function.name for function in module.functions if function.is_declaration]
    if names := [name for name in declared if name.startswith(FOREIGN)]:
        raise RuntimeError(f"the code needs {', '.join(names)}")
    return bytes(target.emit_object(module))


class Reference(numba.types.Type):  # type: ignore[misc]
    """The type of a record in the frame of the entry function.

    References to it and its arrays are not counted: the caller of the entry function holds them until the end.
    """

    def __init__(self, record: str, fields: Sequence[tuple[str, Any]]) -> None:
        self.fields = dict(zip((name for name, _ in fields), _placed([kind for _, kind in fields]), strict=True))
        super().__init__(f"{record}{sha256(repr(fields).encode()).hexdigest()[:6]}")  # part of every symbol


register_model(Reference)(models.OpaqueModel)


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    """Typing of the fields of a record."""

    key = Reference

    def generic_resolve(self, record: Reference, name: str) -> Any:
        """Return the type of a field; None for an unknown one."""
        return record.fields.get(name, (None,))[0]


def _field(context: Any, builder: Any, record: Reference, value: Any, name: str) -> Any:
    """Read one field."""
    return _loaded(context, builder, *record.fields[name], value)


lower_getattr_generic(Reference)(_field)


def _records_at(target: Any) -> Any:
    """Return the typing of the function that reads the arguments, with types by reference, from their words."""

    def typing(context: Any, words: Any) -> Any:
        return target(words), code

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        together = llvmlite.ir.Constant(context.get_value_type(target), llvmlite.ir.Undefined)
        for place, (kind, word) in enumerate(_placed(target)):
            together = builder.insert_value(together, _loaded(context, builder, kind, word, arguments[0]), place)
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


def _placed(kinds: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield each type with the number of its first word in memory, as `machine` lays them down."""
    word = 0
    for kind in kinds:
        yield kind, word
        word += _words(kind)


def _words(kind: Any) -> int:
    """Return the number of words of a type in memory."""
    if isinstance(kind, numba.types.Array):
        return 5 + 2 * int(kind.ndim)
    return sum(_words(part) for part in kind) if isinstance(kind, numba.types.BaseTuple) else 1


def _loaded(context: Any, builder: Any, kind: Any, word: int, record: Any) -> Any:
    """Read a value from a word of a record on; a truth value has a whole word."""
    value_type, whole = context.get_value_type(kind), llvmlite.ir.IntType(64)
    stored = whole if isinstance(kind, numba.types.Boolean) else value_type
    pointer = builder.gep(builder.bitcast(record, whole.as_pointer()), [whole(word)], inbounds=True)
    value = _constant(builder, stored, builder.bitcast(pointer, stored.as_pointer()))
    return value if stored is value_type else builder.trunc(value, value_type)


def _constant(builder: Any, kind: Any, pointer: Any) -> Any:
    """Read a value part by part, so that LLVM reads no part twice: no function changes the words of a record."""
    if not isinstance(kind, llvmlite.ir.Aggregate):
        value = builder.load(pointer)
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value
    value, index = llvmlite.ir.Constant(kind, llvmlite.ir.Undefined), llvmlite.ir.IntType(32)
    for place, part in enumerate(kind.elements):
        inner = builder.gep(pointer, [index(0), index(place)], inbounds=True)
        value = builder.insert_value(value, _constant(builder, part, inner), place)
    return value


def _enter(words):  # type: ignore[no-untyped-def]  # its module is made for it
    inner(*records(words))  # type: ignore[name-defined]  # noqa: F821
