"""The names of numba and llvmlite in use, records handed on by reference, and the cache of machine code."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from packaging.requirements import Requirement

pytest.importorskip("numba", reason="the fast extra is not installed")

HOME = Path(__file__).parents[2]
USERS = {"engine/numba_backend.py", "scripts/studies/kernel_phases.py"}
TEMPLATE = "numba.core.typing.templates.AttributeTemplate"
OPTION = "no_cfunc_wrapper"
MEMBER = "meminfo"
"""In no manual: the class that `infer_getattr` takes, an option of `register_jitable`, a member of an array."""
MANUAL = {
    *("numba.__version__", "numba.njit", "numba.config.CACHE_DIR", "numba.config.CACHE_LOCATOR_CLASSES"),
    *("numba.core.cgutils.alloca_once", "numba.core.cgutils.create_struct_proxy", "numba.core.cgutils.gep_inbounds"),
    *("numba.core.cgutils.get_null_value", "numba.core.cgutils.voidptr_t"),
    *(
        "numba.core.errors.TypingError",
        "numba.extending.infer_getattr",
        "numba.extending.intrinsic",
        "numba.extending.lower_getattr_generic",
    ),
    *("numba.extending.models.OpaqueModel", "numba.extending.register_jitable", "numba.extending.register_model"),
    *("numba.types.Array", "numba.types.BaseNamedTuple", "numba.types.BaseTuple", "numba.types.Boolean"),
    *("numba.types.Number", "numba.types.Tuple", "numba.types.Type", "numba.types.int64"),
    *("llvmlite.__version__", "llvmlite.ir.Constant", "llvmlite.ir.FunctionType", "llvmlite.ir.IntType"),
    *("llvmlite.ir.LiteralStructType", "llvmlite.ir.Undefined"),
}
"""Names in the manuals, or in a module that they describe."""


def names_used(path: Path) -> Iterator[str]:
    """Full names of what a module uses of numba and llvmlite."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text if "numba" in text or "llvmlite" in text else "")
    known = {"numba": "numba", "llvmlite": "llvmlite"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in ("numba", "llvmlite"):
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    inner = {node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)) and node not in inner:
            first, *rest = ast.unparse(node).split(".")
            if first in known:
                yield ".".join((known[first], *rest))


@pytest.mark.parametrize("user", sorted(USERS))
def test_only_names_of_the_manuals_and_the_one_listed_are_used(user: str) -> None:
    assert set(names_used(HOME / user)) <= MANUAL | {TEMPLATE}


def test_nothing_else_uses_the_compiler() -> None:
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
    from engine.numba_backend import compiled

    machine = compiled(add_up, cache=str(cache) if cache else None)
    outer = Outer(Pair(np.arange(4.0), factor), np.zeros(1))
    machine(outer)
    return machine, outer.sums.tolist()


def needs() -> str:
    """Return a sentence about the name that the installed numba lacks; empty when it has all."""
    try:
        sums()
    except Exception as error:
        for name in (TEMPLATE, OPTION, MEMBER):
            if name.rpartition(".")[2] in str(error):
                return f"numba {version('numba')} has no {name} any more, which engine/numba_backend.py needs"
        raise
    return ""


def test_numba_has_every_name_in_use() -> None:
    assert needs() == ""


WITHOUT = {
    TEMPLATE: "from numba.core.typing import templates; del templates.AttributeTemplate",
    OPTION: "from numba.core.cpu import CPUTargetOptions; del CPUTargetOptions.__base__.no_cfunc_wrapper",
    MEMBER: """
from numba.core.datamodel.models import StructModel
begin = StructModel.__init__
StructModel.__init__ = lambda self, manager, kind, members: begin(
    self, manager, kind, [(name.replace("meminfo", "owner"), member) for name, member in members])
""",
}
"""Python that takes a name out of numba."""


@pytest.mark.parametrize("name", WITHOUT)
def test_a_name_that_is_gone_is_named_in_a_sentence(name: str) -> None:
    """And Python fights, which has a reason to tell."""
    said = run_python(
        f"{WITHOUT[name]}\nfrom tests.engine.test_numba_backend import needs; print(needs())\n"
        "from engine.autoalgo.series.compile import compiled_kernel\n"
        "kernel = compiled_kernel(); print(kernel.is_compiled, kernel.why_not)"
    ).splitlines()

    assert said[0] == f"numba {version('numba')} has no {name} any more, which engine/numba_backend.py needs"
    assert said[1].startswith("False ")


def run_python(lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False, cwd=HOME)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_extra_takes_no_version_that_nobody_has_tried() -> None:
    """The pinned version is the newest that the bound lets in."""
    extras = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    allowed = Requirement(extras["fast"][0]).specifier
    major, minor = (int(part) for part in version("numba").split(".")[:2])

    assert version("numba") in allowed
    assert f"{major}.{minor + 1}.0" not in allowed


def test_records_in_records_are_handed_on() -> None:
    assert sums()[1] == [60.0]


def test_what_a_record_cannot_hold_is_named() -> None:
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match="a record holds arrays, numbers and records, not none"):
        sums(factor=None)


def test_machine_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    from engine.numba_backend import compiled

    assert not compiled(add_up, cache=str(tmp_path)).is_kept
    first, found = sums(tmp_path)
    files = sorted(tmp_path.rglob("*.nb?"))

    again = run_python(
        f"from pathlib import Path; from tests.engine.test_numba_backend import sums\n"
        f"print(sums(Path({str(tmp_path)!r}))[1])"
    )

    assert first.is_kept
    assert compiled(add_up, cache=str(tmp_path)).is_kept
    assert (again, len(files)) == (f"{found}\n", 2)
    assert sorted(tmp_path.rglob("*.nb?")) == files


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    machine, found = sums(tmp_path / "file" / "cache")

    assert (machine.is_kept, found) == (False, [60.0])
