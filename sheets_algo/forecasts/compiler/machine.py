"""Machine code of plain functions over records of arrays: kept in files, loaded and called without its compiler.

A function takes named tuples of arrays, numbers and further named tuples. It is compiled once for each set of types by
`numba_backend`, which takes seconds to import and more to compile, into an object file. Loading one needs llvmlite
alone. The caller lays the records down in memory as the compiled code reads them.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from struct import Struct
from tempfile import mkstemp
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from sheets_algo.forecasts.compiler.compilation import ENTRY, globals_of, reached

ENDING = ".object"
CODE_MOST = 16_000_000
"""Maximum size of a file of code, in bytes."""
ENTERED = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
"""Takes pointers to the result and to an error, and the words of the arguments; returns 0 on success."""

LAYOUT = 0x501
"""Bits of an array's flags: C order, aligned, writable."""
_BITS, _DOUBLE = Struct("q"), Struct("d")

Types = tuple[Any, ...]
"""Types of the arguments of a call, nested like these."""

_linking = Lock()
"""Lock of the one thread that compiles or loads."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A function that runs as machine code."""

    function: FunctionType  # The function in Python
    instead: Mapping[Callable[..., Any], Callable[..., Any]]  # As in `compiled`
    folder: Path | None  # The folder of cached machine code; None for no cache
    entries: dict[Types, _Entry] = field(default_factory=dict)  # The code for each set of types of arguments so far
    laid: dict[int, _Record] = field(default_factory=dict)  # As in `_Record`

    def __call__(self, *arguments: Any) -> None:
        """Run the function; the first call loads cached code or compiles it.

        Raises:
            TypeError: An argument has contents other than arrays, numbers and records.
            RuntimeError: The code cannot be loaded, or fails.
        """
        record = _Record(arguments, self.laid)
        entry = self.entries.get(record.types)
        if entry is None:
            with _linking:
                entry = self.entries.get(record.types) or self._load(arguments, record.types)
                self.entries[record.types] = entry
        spare = (ctypes.c_void_p * 2)()
        if status := entry.run(ctypes.addressof(spare), ctypes.addressof(spare) + 8, record.address):
            raise RuntimeError(f"machine code of {self.function.__qualname__} failed with {status}")
        self.laid.update((at, inner) for at, inner in record.inner.items() if not inner.is_writable)

    def _load(self, arguments: tuple[Any, ...], types: Types) -> _Entry:
        """Load the code for these types; compile it if the cache has no trustworthy code."""
        file = self.folder / f"{sha256(repr(types).encode()).hexdigest()[:16]}{ENDING}" if self.folder else None
        if entry := _loaded(file):
            return entry
        with _alone(self.folder):
            if entry := _loaded(file):
                return entry
            from sheets_algo.forecasts.compiler.numba_backend import object_file

            code = object_file(self.function, self.instead, arguments, processor())
            if file:
                with suppress(OSError):  # the folder is not writable
                    _write(file, code)
        return _Entry(code)

    @property
    def is_kept(self) -> bool:
        """Return True if the folder has machine code of the current source."""
        return self.folder is not None and any(map(_read, self.folder.glob(f"*{ENDING}")))


class _Entry:
    """Loaded code of one object file, valid during the life of this object.

    Raises:
        RuntimeError: The file is not an object file of this machine, or needs a missing function.
    """

    def __init__(self, code: bytes) -> None:
        self._linker = llvm.create_lljit_compiler()
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process().export_symbol(ENTRY)
        self._tracker = library.link(self._linker, ENTRY)
        self.run = ENTERED(self._tracker[ENTRY])


llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


class _Record:
    """The arguments of a call in memory, 8 bytes each word, and their types.

    A record within another one is a pointer to its words. An array is numba's: no owner, no parent, number of items,
    bytes of an item, pointer, shape, strides.

    Args:
        laid: Read-only records of an earlier call by the positions of their words; the same ones are laid down once.
    """

    def __init__(self, values: tuple[Any, ...], laid: Mapping[int, _Record] = {}) -> None:
        self.values = values
        self.inner: dict[int, _Record] = {}
        self.is_writable = False
        types: list[Any] = []
        words: list[int] = []
        self._add(values, types, words, laid)
        self.types: Types = tuple(types)
        self._memory = (ctypes.c_int64 * len(words))(*words)
        self.address = ctypes.addressof(self._memory)

    def _add(self, values: tuple[Any, ...], types: list[Any], words: list[int], laid: Mapping[int, _Record]) -> None:
        for value in values:
            kind = type(value)
            if kind is np.ndarray:
                self.is_writable = self.is_writable or value.flags.writeable
                types.append((value.dtype, value.ndim, value.flags.num & LAYOUT))
                words += (0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
            elif hasattr(kind, "_fields"):
                earlier = laid.get(len(words))
                inner = earlier if earlier and earlier.values is value else _Record(value)
                self.is_writable = self.is_writable or inner.is_writable
                self.inner[len(words)] = inner
                types.append((kind.__name__, kind._fields, inner.types))  # fields of one type may change places
                words.append(inner.address)
            elif kind is tuple:
                parts: list[Any] = []
                self._add(value, parts, words, laid)
                types.append(tuple(parts))
            elif issubclass(kind, (bool, np.bool_)):
                types.append("boolean")
                words.append(int(value))
            elif issubclass(kind, float):
                types.append("float64")
                words.append(_BITS.unpack(_DOUBLE.pack(value))[0])
            elif issubclass(kind, (int, np.int64, np.uint64)):
                types.append("uint64" if kind is np.uint64 else "int64")
                words.append(int(value))
            else:
                raise TypeError(f"a record holds arrays, numbers and records, not {kind.__name__}")


def compiled(
    function: Callable[..., None],
    instead: Mapping[Callable[..., Any], Callable[..., Any]] = {},
    cache: str | None = None,
) -> Machine:
    """Return the function with all functions of the program that it calls; its first call loads or compiles it.

    Args:
        function: Takes named tuples, arrays and numbers; returns nothing.
        instead: Replacements for functions, with the same results.
        cache: Folder that keeps the machine code for the next process; None for no cache. Code of other sources,
            versions or processors has a folder of its own in it.
    """
    assert isinstance(function, FunctionType)
    folder = Path(cache, digest(reached(function, instead))) if cache else None
    return Machine(function, instead, folder)


def digest(sources: Sequence[FunctionType]) -> str:
    """Return a digest of everything on which the compiled code depends (hexadecimal).

    It covers the steps and constants of the functions, the modules that compile and call them, the versions of Python,
    numba, llvmlite and numpy, and the processor.
    """
    this = Path(__file__)
    parts = [sys.version, llvmlite.__version__, np.__version__, *_numbas(), *processor()]
    parts += [
        source.read_text("utf-8") for source in (this, *map(this.with_name, ("compilation.py", "numba_backend.py")))
    ]
    for source in sources:
        code = source.__code__
        parts += [source.__qualname__, code.co_code.hex(), repr((code.co_consts, code.co_names, code.co_varnames))]
        parts += [
            f"{name}={value.__name__ if isinstance(value, (FunctionType, ModuleType)) else value!r}"
            for name, value in globals_of(source).items()
        ]
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _numbas() -> Iterator[str]:
    """Yield the name of numba's metadata, with its version; importing numba takes a second."""
    spec = find_spec("numba")
    if spec and spec.origin:
        yield from sorted(path.name for path in Path(spec.origin).parents[1].glob("numba-*.*-info"))


def has_compiler() -> bool:
    """Return True if numba is installed."""
    return find_spec("numba") is not None


def processor() -> tuple[str, str]:
    """Return LLVM's name and features of this machine's processor."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _read(file: Path) -> bytes:
    """Return the code in a file; nothing if it is damaged, or others might have written it."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as handle:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or not (_is_own(state) and _is_own(file.parent.lstat())):
            return b""
        content = handle.read(CODE_MOST + 1)
    check, code = content[:32], content[32:]
    return code if len(content) <= CODE_MOST and sha256(code).digest() == check else b""


def _loaded(file: Path | None) -> _Entry | None:
    """Return the code in a file; None without code that can be trusted and loaded."""
    if code := _read(file) if file else b"":
        with suppress(RuntimeError):  # code of a linker that we do not know
            return _Entry(code)
    return None


@contextmanager
def _alone(folder: Path | None) -> Iterator[None]:
    """Wait until no other process compiles for this cache, so that its code is loaded instead.

    Without `flock`, or a writable folder, do not wait. The lock of a killed process is free.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            if folder:
                folder.parent.mkdir(parents=True, exist_ok=True)
                lock = stack.enter_context((folder.parent / "lock").open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _is_own(state: os.stat_result) -> bool:
    """Return True if only this account, or the administrator, could write the file."""
    return not hasattr(os, "geteuid") or (state.st_uid in (os.geteuid(), 0) and not state.st_mode & 0o022)


def _write(file: Path, code: bytes) -> None:
    """Write code with its hash, all or nothing, for this account alone."""
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    if not _is_own(file.parent.lstat()):
        file.parent.chmod(0o700)
    descriptor, name = mkstemp(dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(sha256(code).digest() + code)
        os.replace(name, file)
    except OSError:
        os.unlink(name)
        raise
