"""The names of numba and llvmlite in use, records handed on by reference, and the cache of machine code."""

from __future__ import annotations

import ast
import math
import os
import stat
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from packaging.requirements import Requirement

from scripts.support.patience import PATIENCE_S, wait_until

pytest.importorskip("numba", reason="numba is not installed")

HOME = Path(__file__).parents[3]
BACKEND = "sheets_algo/forecasts/compiler/numba_backend.py"
USERS = {"sheets_algo/forecasts/compiler/machine.py", BACKEND, "scripts/studies/kernel_phases.py"}
TEMPLATE = "numba.core.typing.templates.AttributeTemplate"
OPTION = "no_cfunc_wrapper"
LIBRARY = "numba.core.codegen.CodeLibrary"
"""In no manual: the class that `infer_getattr` takes, an option of `register_jitable`, the base of libraries."""
MANUAL = {
    *("numba.cfunc", "numba.njit", "numba.typeof"),
    *("numba.core.compiler.CompilerBase", "numba.core.compiler_machinery.PassManager"),
    *(f"numba.core.typed_passes.{step}" for step in ("IRLegalization", "NativeLowering", "NoPythonBackend")),
    *("numba.core.typed_passes.NopythonTypeInference", "numba.core.typed_passes.PreLowerStripPhis"),
    *(f"numba.core.untyped_passes.{step}" for step in ("FixupArgs", "IRProcessing", "ReconstructSSA")),
    "numba.core.untyped_passes.TranslateByteCode",
    *(
        "numba.core.errors.TypingError",
        "numba.extending.infer_getattr",
        "numba.extending.intrinsic",
        "numba.extending.lower_getattr_generic",
    ),
    *("numba.extending.models.OpaqueModel", "numba.extending.register_jitable", "numba.extending.register_model"),
    *("numba.types.Array", "numba.types.BaseNamedTuple", "numba.types.BaseTuple", "numba.types.Boolean"),
    *("numba.types.CPointer", "numba.types.Number", "numba.types.Tuple", "numba.types.Type"),
    *("numba.types.int64", "numba.types.void"),
    *("llvmlite.__version__", "llvmlite.ir.Constant", "llvmlite.ir.FunctionType", "llvmlite.ir.IntType"),
    *("llvmlite.ir.Aggregate", "llvmlite.ir.LiteralStructType", "llvmlite.ir.Undefined"),
    *("llvmlite.binding.JITLibraryBuilder", "llvmlite.binding.create_lljit_compiler"),
    *("llvmlite.binding.Linkage.external", "llvmlite.binding.Target.from_default_triple"),
    *("llvmlite.binding.create_new_module_pass_manager", "llvmlite.binding.create_pass_builder"),
    *("llvmlite.binding.create_pipeline_tuning_options", "llvmlite.binding.parse_assembly"),
    *("llvmlite.binding.get_host_cpu_features", "llvmlite.binding.get_host_cpu_name"),
    *("llvmlite.binding.initialize_native_asmprinter", "llvmlite.binding.initialize_native_target"),
}
"""Names in the manuals, or in a module that they describe."""


def names_used(path: Path) -> Iterator[str]:
    """Full names of what a module uses of numba and llvmlite."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if "numba" in text or "llvmlite" in text else "")
    known = {"numba": "numba", "llvmlite": "llvmlite"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {alias.asname: alias.name for alias in node.names if alias.asname and "llvmlite" in alias.name}
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("numba", "llvmlite"):
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    inner = {node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)) and node not in inner:
            first, *rest = ast.unparse(node).split(".")
            if first in known and not any("(" in name for name in rest):  # those of what a call returns
                yield ".".join((known[first], *rest))


@pytest.mark.parametrize("user", sorted(USERS))
def test_only_documented_names_of_numba_are_used(user: str) -> None:
    assert set(names_used(HOME / user)) <= MANUAL | {TEMPLATE, LIBRARY}


def test_only_the_backend_imports_numba() -> None:
    files = [path for folder in ("engine", "sheets_algo", "scripts") for path in (HOME / folder).rglob("*.py")]

    assert {path.relative_to(HOME).as_posix() for path in files if any(names_used(path))} == USERS


class Pair(NamedTuple):
    """A record."""

    values: NDArray[np.float64]
    factor: float | None


class Outer(NamedTuple):
    """A record that holds another."""

    pair: Pair
    sums: NDArray[np.float64]


def add_up(outer: Outer) -> None:
    for place in range(outer.pair.values.shape[0]):
        outer.sums[0] += outer.pair.factor * outer.pair.values[place]  # type: ignore[operator]


def sums(cache: Path | None = None, factor: float | None = 10.0) -> tuple[Any, list[float]]:
    """Return `add_up` as machine code, and what it found."""
    from sheets_algo.forecasts.compiler.machine import compiled

    machine = compiled(add_up, cache=str(cache) if cache else None)
    outer = Outer(Pair(np.arange(4.0), factor), np.zeros(1))
    machine(outer)
    return machine, outer.sums.tolist()


def needs() -> str:
    """Return a sentence about the name that the installed numba lacks; empty when it has all."""
    try:
        sums()
    except Exception as error:
        for name in (TEMPLATE, OPTION, LIBRARY):
            if name.rpartition(".")[2] in str(error):
                return f"numba {version('numba')} has no {name} any more, which {BACKEND} needs"
        raise
    return ""


def test_numba_has_every_name_in_use() -> None:
    assert needs() == ""


WITHOUT = {
    TEMPLATE: "from numba.core.typing import templates; del templates.AttributeTemplate",
    OPTION: "from numba.core.cpu import CPUTargetOptions; del CPUTargetOptions.__base__.no_cfunc_wrapper",
    LIBRARY: "from numba.core import codegen; del codegen.CodeLibrary",
}
"""Python that takes a name out of numba."""


@pytest.mark.parametrize("name", WITHOUT)
def test_a_removed_name_is_reported_in_a_sentence(name: str) -> None:
    """And Python fights, which has a reason to tell."""
    said = run_python(
        f"{WITHOUT[name]}\nfrom tests.forecasts.compiler.test_numba_backend import needs; print(needs())\n"
        "from engine.autoalgo.series.compile import fastest\n"
        "from sheets_algo.forecasts.machine_code import numba_compiler\n"
        "from tests.engine.autoalgo.series.test_compiled import hastings\n"
        "kernel = fastest(hastings(), numba_compiler()); print(kernel.is_compiled, kernel.why_not)"
    ).splitlines()

    assert said[0] == f"numba {version('numba')} has no {name} any more, which {BACKEND} needs"
    assert said[1].startswith("False ")


def run_python(lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False, cwd=HOME)
    assert done.returncode == 0, done.stderr
    return done.stdout


def needed(python: str, system: str, machine: str, implementation: str = "CPython") -> str:
    """The versions of numba that an installation there asks for; blank where it goes without."""
    there = {
        "python_version": python,
        "sys_platform": system,
        "platform_machine": machine,
        "platform_python_implementation": implementation,
    }
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [Requirement(line) for line in project["dependencies"] if line.startswith("numba")]
    return " ".join(str(each.specifier) for each in asked if each.marker is None or each.marker.evaluate(there))


def test_only_tested_versions_of_numba_are_installed() -> None:
    """The pinned version is the newest that the bound lets in."""
    allowed = Requirement(f"numba{needed('3.11', 'linux', 'x86_64')}").specifier
    major, minor = (int(part) for part in version("numba").split(".")[:2])

    assert version("numba") in allowed
    assert f"{major}.{minor + 1}.0" not in allowed


def test_numba_is_required_only_where_it_has_wheels() -> None:
    """As `pip download --only-binary=:all: --python-version 3.13 --platform macosx_10_15_x86_64 numba` finds them."""
    newest = needed("3.11", "linux", "x86_64")

    assert newest == needed("3.15", "linux", "aarch64") == needed("3.12", "win32", "ARM64") != ""
    assert newest == needed("3.14", "win32", "AMD64") == needed("3.13", "darwin", "arm64")
    assert needed("3.13", "darwin", "x86_64") == "<0.63,>=0.62"
    for without in (
        needed("3.14", "darwin", "x86_64"),
        needed("3.16", "linux", "x86_64"),
        needed("3.11", "linux", "armv7l"),
        needed("3.12", "win32", "x86"),
        needed("3.11", "linux", "x86_64", "PyPy"),
    ):
        assert without == ""


def test_nested_records_are_passed() -> None:
    assert sums()[1] == [60.0]


def test_unsupported_fields_of_records_are_reported() -> None:
    with pytest.raises(TypeError, match="a record holds arrays, numbers and records, not NoneType"):
        sums(factor=None)


def test_machine_code_is_stored_for_the_next_process(tmp_path: Path) -> None:
    from sheets_algo.forecasts.compiler.machine import ENDING, compiled

    assert not compiled(add_up, cache=str(tmp_path)).is_kept
    first, found = sums(tmp_path)
    files = sorted(tmp_path.rglob(f"*{ENDING}"))

    again = run_python(
        f"from pathlib import Path; from tests.forecasts.compiler.test_numba_backend import sums\n"
        f"print(sums(Path({str(tmp_path)!r}))[1])"
    )

    assert first.is_kept
    assert (again, len(files)) == (f"{found}\n", 1)
    assert sorted(tmp_path.rglob("*.*")) == files


COMPILES = """
import sys
from pathlib import Path
from tests.forecasts.compiler.test_numba_backend import sums
print("begins", flush=True)
print(sums(Path(sys.argv[1]))[1], "sheets_algo.forecasts.compiler.numba_backend" in sys.modules)
"""
"""Python that says whether it has compiled."""


def begin_compiling(cache: Path) -> subprocess.Popen[str]:
    """Return another process that is about to compile."""
    words = (sys.executable, "-c", COMPILES, str(cache))
    process = subprocess.Popen(words, cwd=HOME, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    return process


def test_a_process_waits_for_another_one_that_compiles_and_takes_its_code(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    sums(tmp_path)
    (file,) = tmp_path.rglob("*.object")
    file.rename(tmp_path / "aside")
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        other = begin_compiling(tmp_path)
        time.sleep(0.5)  # enough to pass a lock that does not hold
        assert other.poll() is None
        (tmp_path / "aside").rename(file)

    assert other.communicate(timeout=PATIENCE_S)[0] == "[60.0] False\n"


@pytest.mark.skipif(os.name != "posix", reason="a signal that nobody hears")
def test_a_compiler_that_is_killed_leaves_nothing_half_done(tmp_path: Path) -> None:
    killed = begin_compiling(tmp_path)
    wait_until(lambda: (tmp_path / "lock").exists())
    killed.kill()
    killed.communicate(timeout=PATIENCE_S)

    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["lock"]
    assert begin_compiling(tmp_path).communicate(timeout=PATIENCE_S)[0] == "[60.0] True\n"


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def hash_what_is_no_code(file: Path) -> None:
    file.write_bytes(sha256(b"no code").digest() + b"no code")


def let_others_write(file: Path) -> None:
    file.chmod(0o666)


def let_others_write_into_its_folder(file: Path) -> None:
    file.parent.chmod(0o777)


def put_a_link_in_its_place(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def give_it_away(file: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the administrator can give files away")
    os.chown(file, 12345, 12345)


@pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX")
@pytest.mark.parametrize(
    "spoil",
    [
        *(flip_a_bit, cut_short, hash_what_is_no_code, let_others_write, let_others_write_into_its_folder),
        *(put_a_link_in_its_place, give_it_away),
    ],
)
def test_code_writable_by_others_is_recompiled(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    from sheets_algo.forecasts.compiler.machine import ENDING, compiled

    _, found = sums(tmp_path)
    (file,) = tmp_path.rglob(f"*{ENDING}")
    spoil(file)
    before = file.lstat()
    is_trusted = compiled(add_up, cache=str(tmp_path)).is_kept

    assert sums(tmp_path)[1] == found
    after = file.lstat()
    assert is_trusted == (spoil is hash_what_is_no_code)
    assert after.st_ino != before.st_ino
    assert (after.st_uid, after.st_mode) == (os.geteuid(), stat.S_IFREG | 0o600)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert compiled(add_up, cache=str(tmp_path)).is_kept


def test_compiled_code_depends_on_the_processor(capfd: pytest.CaptureFixture[str]) -> None:
    """It compiles for a plain one, and says so on standard error, where it does not know the name."""
    sums()

    assert capfd.readouterr().err == ""


def test_a_read_only_cache_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    machine, found = sums(tmp_path / "file" / "cache")

    assert (machine.is_kept, found) == (False, [60.0])


def test_code_that_needs_functions_of_numba_is_not_compiled() -> None:
    """They would not be there when the code is loaded without it."""
    from numba.core.errors import TypingError

    from sheets_algo.forecasts.compiler.machine import compiled

    def doubled(outer: Outer) -> None:
        outer.sums[0] = (outer.pair.values * 2.0).sum()

    def factorial(outer: Outer) -> None:
        outer.sums[0] = math.gamma(outer.pair.values[0])

    with pytest.raises(TypingError, match="allocate"):
        compiled(doubled)(Outer(Pair(np.arange(4.0), 1.0), np.zeros(1)))
    with pytest.raises(RuntimeError, match="the code needs numba_gamma"):
        compiled(factorial)(Outer(Pair(np.arange(4.0), 1.0), np.zeros(1)))


def test_each_set_of_types_has_its_own_code() -> None:
    """An array that is not laid out row by row, and whole numbers instead of others."""
    machine, _ = sums()
    total = np.zeros(1)

    machine(Outer(Pair(np.arange(8.0)[::2], 1.0), total))
    machine(Outer(Pair(np.arange(4), 1.0), total))  # type: ignore[arg-type]

    assert (total.tolist(), len(machine.entries)) == ([18.0], 3)
