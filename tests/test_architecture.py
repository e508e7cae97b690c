"""Who may import whom, and who may name a ruleset: the rooms of the house, read from the code itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
RULESETS = ("autoalgo", "scorecard", "ciais", "realm", "hexcombat")
ENGINE_MAY = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "decimal", "difflib", "enum", "fractions", "functools",
    "hashlib", "itertools", "math", "operator", "re", "string", "types", "typing", "unicodedata", "numpy", "engine",
}  # fmt: skip
"""No files, clock, network, printing or global randomness."""
COMPILER = "engine/compiled.py"
COMPILER_MAY = {"builtins", "llvmlite", "numba", "sys"}
"""What the module uses that makes machine code of the rules; numba alone looks into its cache."""
ONLY_IN = {
    "gspread": ("sheets_algo/workbook/google/",),
    "google": ("sheets_algo/workbook/google/",),
    "requests": ("sheets_algo/workbook/google/",),
    "openpyxl": ("sheets_algo/workbook/xlsx/new.py",),
    "PIL": ("sheets_algo/pictures/", "sheets_algo/maps.py"),
    "click": (
        "sheets_algo/beginnings.py",
        "sheets_algo/cli.py",
        "sheets_algo/commands.py",
        "sheets_algo/forecasts/bar.py",
        "sheets_algo/forecasts/cluster.py",
        "sheets_algo/forecasts/haste.py",
        "sheets_algo/watching.py",
    ),
    "pandas": (),
    "matplotlib": ("sheets_algo/forecasts/plots.py",),
    "dask": ("sheets_algo/forecasts/cluster.py",),
    "distributed": ("sheets_algo/forecasts/cluster.py",),
    "jsonschema": ("sheets_algo/library.py", "sheets_algo/slips.py"),
    "zipfile": ("sheets_algo/workbook/xlsx/",),
    "subprocess": ("sheets_algo/workbook/xlsx/recalc.py",),
}
DESK = (
    "again", "book", "changes", "desk", "discretion", "forecasts.asked", "forecasts.edits", "forecasts.how_lucky",
    "forecasts.luck", "forecasts.tab", "forecasts.words", "forms", "ids", "intents", "ledger", "lookup", "owned",
    "plans", "problems", "projection", "receipts", "reconcile", "schema", "seeds", "tables", "template", "undo",
    "values", "writing",
)  # fmt: skip
DESK_NEVER = {"os", "io", "time", "random", "secrets", "pathlib", "click", "openpyxl", "gspread", "PIL", "subprocess"}
EDGES = (
    "beginnings", "cli", "commands", "doctor", "doubts", "forecasts.bar", "forecasts.battles", "forecasts.cluster",
    "forecasts.command", "forecasts.haste", "forecasts.parcels", "forecasts.plots", "forecasts.refining",
    "followups", "forecasts.slices", "forecasts.telling", "heartbeat", "journals", "keepsakes", "library", "metrics",
    "news", "passes", "pictures", "places", "reports", "rulesets", "runs", "season", "settings", "sites", "stopping",
    "supervisor", "watcher", "watching", "whole",
)  # fmt: skip
"""Rooms that meet clock, files, network or terminal."""
SHARED = {"forecasts"}
"""Folders with modules of the desk and of the edges; their `__init__` holds nothing."""


def modules(folder: str) -> list[Path]:
    return sorted((HOME / folder).rglob("*.py"))


def place(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Full names of what a module imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize("path", modules("engine"), ids=place)
def test_the_rules_know_numpy_and_themselves(path):
    assert {top(name) for name in imports(path)} <= ENGINE_MAY | (COMPILER_MAY if place(path) == COMPILER else set())


@pytest.mark.parametrize("path", modules("engine"), ids=place)
def test_the_rules_print_nothing_and_open_nothing(path):
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"print", "open", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulesets_never_import_each_other(ruleset):
    others = {f"engine.{other}" for other in RULESETS if other != ruleset}
    for path in modules(f"engine/{ruleset}"):
        assert not {name for name in imports(path) if any(name.startswith(other + ".") for other in others)}, place(
            path
        )


def test_shared_rule_modules_know_no_ruleset():
    for path in (HOME / "engine").glob("*.py"):
        assert not {name for name in imports(path) if any(name.startswith(f"engine.{it}") for it in RULESETS)}, (
            path.name
        )


@pytest.mark.parametrize("path", modules("sheets_algo"), ids=place)
def test_each_outside_library_has_its_room(path):
    for name in {top(name) for name in imports(path)} & set(ONLY_IN):
        assert place(path).startswith(ONLY_IN[name]), f"{name} is not for {place(path)}"


def room(path: Path) -> str:
    """A module's own name or its folder's; in a folder that desk and edges share, both."""
    parts = path.relative_to(HOME / "sheets_algo").with_suffix("").parts
    return ".".join(parts[:2] if parts[0] in SHARED and parts[1] != "__init__" else parts[:1])


def desk_modules() -> list[Path]:
    return [path for path in modules("sheets_algo") if room(path) in DESK]


@pytest.mark.parametrize("path", desk_modules(), ids=place)
def test_the_desk_is_pure(path):
    found = set(imports(path))
    assert not {top(name) for name in found} & DESK_NEVER
    assert not {name for name in found if any(name.startswith(f"sheets_algo.{edge}") for edge in EDGES)}
    assert not {name for name in found if name.startswith("sheets_algo.workbook") and ".base." not in name}


def test_workbooks_know_no_rules():
    for path in modules("sheets_algo/workbook"):
        assert not {name for name in imports(path) if name.startswith("engine.")}, place(path)


OWN_ROOMS = re.compile(
    r"engine/(?P<a>\w+)/|sheets_algo/forms/(?P<b>[a-z]+?)(_\w+)?\.py|config/(tables|schema|rulebook|examples)/|sheets_algo/rulesets\.py"
)


@pytest.mark.parametrize("path", [*modules("engine"), *modules("sheets_algo")], ids=place)
def test_nobody_else_names_a_ruleset(path):
    found = OWN_ROOMS.match(place(path))
    own = {found["a"] or found["b"]} if found else set()
    if place(path) == "sheets_algo/rulesets.py":
        own = set(RULESETS)
    text = path.read_text(encoding="utf-8").casefold()
    named = {ruleset for ruleset in RULESETS if re.search(rf"\b{ruleset}", text)} - own
    assert not named


OF_ONE_RULESET = (
    "bench.py",
    "bench-forecast.py",
    "calibrate.py",
    "history.py",
    "kernel_phases.py",
    "plausibility_pages.py",
)
"""Chores about battles hour by hour, beside `scripts/plausibility/`; every other one serves all rulesets."""


@pytest.mark.parametrize("path", sorted(it for it in (HOME / "scripts").iterdir() if it.is_file()), ids=place)
def test_chores_serve_every_ruleset(path):
    text = path.read_text(encoding="utf-8").casefold()
    named = {ruleset for ruleset in RULESETS if re.search(rf"\b{ruleset}\b", text)}
    assert path.name in OF_ONE_RULESET or not named


def test_no_file_is_left_out_of_these_rooms():
    """A new module of the app is either of the desk or an edge."""
    known = {*DESK, *EDGES, *SHARED, "workbook", "maps", "slips", "__init__", "__main__"}
    assert {room(path) for path in modules("sheets_algo")} <= known


def test_folders_of_desk_and_edges_hold_nothing_themselves():
    for folder in SHARED:
        assert not set(imports(HOME / "sheets_algo" / folder / "__init__.py"))
