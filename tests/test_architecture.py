"""The layers: a folder imports only from folders below it, and each library has its folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.helpers.games import facts_by_game

HOME = Path(__file__).parents[1]
RULESETS = tuple(sorted(path.name for path in (HOME / "engine").iterdir() if (path / "__init__.py").exists()))
LAYERS = {
    "sheets_algo": (
        "cli", "commands", "board_server", "site", "season", "posting", "runtime",
        "forecasts", "template", "pages", "boards", "replays", "steps", "ruling",
        "forms", "pictures", "database", "config", "workbook", "plugins",
    ),
    "engine": (
        *RULESETS, "case", "dated", "settings", "ruleset", "declare", "row_shapes", "shapes", "config_value",
        "battle_map", "errors",
    ),
    "sheets_algo/ruling": (
        "corrections", "passes", "step", "request_tab", "contents", "plan",
        "repair", "forecast", "promises", "requests", "receipts", "luck",
    ),
    "sheets_algo/runtime": ("watch", "locate", "run", "after_commit", "subscribers", "session"),
    "sheets_algo/workbook/xlsx": ("store", "commit", "verify", "edit", "formulas", "read", "file"),
    "sheets_algo/workbook/google": (
        "store", "accounts", "spreadsheet", "changes", "welcome", "init", "diagnosis", "commit", "read", "http",
    ),
    "engine/autoalgo": (
        "cases",
        "years", "new_leader",
        "resolve", "series", "report", "fight", "aftermath", "setup", "battle", "names", "inputs", "records",
    ),
    **{f"engine/{game}": layers for game, layers in facts_by_game("LAYERS").items() if layers},
}  # fmt: skip
"""The folders and modules of a package from the highest to the lowest; those not listed import none of these."""
ENGINE_MAY = {
    "__future__", "abc", "bisect", "collections", "contextvars", "dataclasses", "decimal", "difflib", "enum",
    "fractions", "functools", "hashlib", "itertools", "math", "operator", "re", "string", "types", "typing",
    "unicodedata", "numpy", "engine",
}  # fmt: skip
"""No files, clock, network, printing or global randomness."""
STAND_IN = "engine/plain_numpy.py"
STAND_IN_MAY = {"struct", "sys"}
"""Libraries of the module that takes numpy's place."""
LIBRARIES = {
    "apprise": ("sheets_algo/posting/apprise_channel.py",),
    "click": ("sheets_algo/cli.py", "sheets_algo/commands/", "sheets_algo/forecasts/"),
    "dask": ("sheets_algo/forecasts/cluster.py",),
    "distributed": ("sheets_algo/forecasts/cluster.py", "sheets_algo/runtime/watch/cluster_pass.py"),
    "google": ("sheets_algo/workbook/google/",),
    "gspread": ("sheets_algo/workbook/google/",),
    "jinja2": ("sheets_algo/pages/", "sheets_algo/posting/"),
    "llvmlite": ("sheets_algo/forecasts/compiler/",),
    "matplotlib": ("sheets_algo/forecasts/plots.py",),
    "mwclient": ("sheets_algo/posting/wiki_",),
    "mwparserfromhell": ("sheets_algo/posting/wiki_session.py",),
    "numba": ("sheets_algo/forecasts/compiler/numba_backend.py",),
    "openpyxl": ("sheets_algo/workbook/xlsx/edit/new.py",),
    "PIL": ("sheets_algo/pictures/", "sheets_algo/config/maps.py"),
    "requests": ("sheets_algo/workbook/google/", "sheets_algo/runtime/session/beacon_hosts.py", "sheets_algo/posting/"),
    "starlette": ("sheets_algo/board_server/",),
    "uvicorn": ("sheets_algo/board_server/serve.py",),
    "subprocess": (
        "sheets_algo/workbook/xlsx/formulas/recalc.py",
        "sheets_algo/forecasts/compile_job.py",
        "sheets_algo/posting/command.py",
        "sheets_algo/posting/open_channels.py",
    ),
    "yaml": ("sheets_algo/config/cases.py",),
    "zipfile": ("sheets_algo/workbook/xlsx/", "sheets_algo/site/verify_site.py"),
}
"""Where a library may be imported."""
PURE = ("boards", "steps", "ruling", "forms", "database", "template")
"""Folders without clock, files, network or terminal."""
IMPURE = {"os", "io", "time", "random", "secrets", "pathlib", "socket", "threading"}


def modules(folder: str) -> list[Path]:
    return sorted((HOME / folder).rglob("*.py"))


def place(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Full names of what a module imports, wherever it does."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.split(".")[0]


def layer(package: str, module: str) -> str | None:
    """The folder or module right below a package that a module belongs to."""
    inside = module.removeprefix(package.replace("/", ".") + ".")
    return top(inside) if inside != module else None


@pytest.mark.parametrize("package", LAYERS)
def test_a_folder_imports_only_from_folders_below_it(package):
    order = {name: height for height, name in enumerate(reversed(LAYERS[package]), start=1)}
    upward = []
    for path in modules(package):
        own = order.get(layer(package, place(path).removesuffix(".py").replace("/", ".")), 0)
        if path == HOME / package / "__init__.py" or path.name == "__main__.py":
            continue
        for name in imports(path):
            other = layer(package, name)
            if other is not None and order.get(other, 0) > own:
                upward.append(f"{place(path)} imports {name}")
    assert not upward


PACKAGES = tuple(
    place(path.parent) for top_folder in ("engine", "sheets_algo") for path in (HOME / top_folder).rglob("__init__.py")
)


def test_folders_have_no_import_cycles_inside():
    """Modules and folders side by side import each other in one direction only; `__init__.py` stands above them."""
    for package in PACKAGES:
        below: dict[str, set[str]] = {}
        for path in modules(package):
            own = layer(package, place(path).removesuffix(".py").replace("/", "."))
            if path != HOME / package / "__init__.py":
                others = {layer(package, name) for name in imports(path)} - {own, None}
                below.setdefault(own, set()).update(other for other in others if _stands_in(package, other))
        TopologicalSorter(below).prepare()  # the modules of a circle are named


def _stands_in(package: str, name: str) -> bool:
    return (HOME / package / name).is_dir() or (HOME / package / f"{name}.py").exists()


def test_every_folder_of_the_program_is_listed():
    home = HOME / "sheets_algo"
    there = {path.stem for path in home.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert there - {"__init__", "__main__"} == set(LAYERS["sheets_algo"])


def test_public_class_names_are_unique():
    places: dict[str, list[str]] = {}
    for path in [*modules("engine"), *modules("sheets_algo")]:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(place(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_the_rules_import_only_numpy_and_themselves():
    for path in modules("engine"):
        more = STAND_IN_MAY if place(path) == STAND_IN else set()
        assert {top(name) for name in imports(path)} <= ENGINE_MAY | more, place(path)


def test_the_rules_neither_print_nor_open_files():
    for path in modules("engine"):
        called = {
            node.func.id
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"print", "open", "input", "exec", "eval", "__import__"}, place(path)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulesets_never_import_each_other(ruleset):
    others = tuple(f"engine.{other}." for other in RULESETS if other != ruleset)
    assert not [
        place(path) for path in modules(f"engine/{ruleset}") if any(name.startswith(others) for name in imports(path))
    ]


def test_each_library_is_used_in_its_folder_only():
    for path in modules("sheets_algo"):
        for name in {top(name) for name in imports(path)} & set(LIBRARIES):
            assert place(path).startswith(LIBRARIES[name]), f"{name} is not for {place(path)}"


def pure_modules() -> list[Path]:
    """All but the one that finds the rulesets that are installed."""
    finds = HOME / "sheets_algo/forms/rulesets.py"
    return [path for folder in PURE for path in modules(f"sheets_algo/{folder}") if path != finds]


def test_a_ruling_uses_no_clock_files_or_network():
    for path in pure_modules():
        found = set(imports(path))
        assert not {top(name) for name in found} & (IMPURE | set(LIBRARIES)), place(path)
        backends = {name for name in found if re.match(r"sheets_algo\.workbook\.(google|xlsx|memory)", name)}
        assert not backends, place(path)


def test_json_shapes_are_registered_at_import():
    """Two threads that teach msgspec one shape at once end the process; forms prepare their inputs themselves."""
    for path in modules("sheets_algo"):
        calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        late = [call for call in calls if ast.unparse(call.func) == "msgspec.convert"]
        late += [call for call in calls if ast.unparse(call.func) == "msgspec.json.decode" and call.keywords]
        assert place(path) == "sheets_algo/forms/base.py" or not late, f"{place(path)}: {[*map(ast.unparse, late)]}"


def test_workbooks_import_no_rules():
    for path in modules("sheets_algo/workbook"):
        assert {name for name in imports(path) if name.startswith("engine.")} <= {"engine.errors.ExpectedError"}, place(
            path
        )


def test_the_xlsx_store_is_a_standalone_library():
    """With the types that all stores share, and the base of expected errors, it can be published alone."""
    pending, reached = set(modules("sheets_algo/workbook/xlsx")), set[Path]()
    while pending:
        reached.add(path := pending.pop())
        places = [name.replace(".", "/") for name in imports(path) if top(name) in ("sheets_algo", "engine")]
        found = {HOME / f"{name}.py" for place in places for name in (place, place.rpartition("/")[0])}
        pending |= {path for path in found if path.is_file()} - reached

    outside = {place(path) for path in reached if not place(path).startswith("sheets_algo/workbook/")}
    assert outside == {"engine/errors.py"}
    assert not any("/google/" in place(path) for path in reached)


INSIDE = {"inside.py", "test_plan.py"}
"""Tests that enter the XLSX store by its internal names: limits, locks and the check; faults planted in the editor."""
DOORS = {"XlsxWorkbook", "Limits"}


def test_tests_of_the_xlsx_store_enter_by_its_door():
    for path in (HOME / "tests" / "workbook" / "xlsx").glob("*.py"):
        store = [name for name in imports(path) if name.startswith("sheets_algo.workbook.xlsx.")]
        assert path.name in INSIDE or {name.rpartition(".xlsx.")[2] for name in store} <= DOORS, place(path)


OWN_FOLDERS = re.compile(r"engine/(?P<a>\w+)/|sheets_algo/forms/(?P<b>\w+)/")


def test_nothing_else_names_a_ruleset():
    word = re.compile(rf"\b(?:{'|'.join(RULESETS)})")
    for path in [*modules("engine"), *modules("sheets_algo")]:
        found = OWN_FOLDERS.match(place(path))
        own = {found["a"] or found["b"]} if found else set()
        assert not {*word.findall(path.read_text(encoding="utf-8").casefold())} - own, place(path)


def test_the_local_servers_do_not_import_the_program():
    for path in modules("scripts/servers"):
        assert not {name for name in imports(path) if top(name) in ("sheets_algo", "engine", "tests")}, place(path)


def test_scripts_import_no_tests():
    """Scripts and tests share the modules of `scripts/support/`."""
    pythons = [path for path in (HOME / "scripts").rglob("*") if path.suffix == ".py" or is_python(path)]
    assert len(pythons) > 100
    names = re.compile(r"^\s*(?:from|import) tests\b|[\"']tests\.[a-z_.]+[\"']", re.M)
    assert not [place(path) for path in pythons if names.search(path.read_text(encoding="utf-8"))]


def is_python(path: Path) -> bool:
    """A script without an ending."""
    return path.is_file() and not path.suffix and b"python" in path.read_bytes().partition(b"\n")[0]


def test_shared_scripts_serve_every_ruleset():
    for path in sorted(path for path in (HOME / "scripts").iterdir() if path.is_file()):
        text = path.read_text(encoding="utf-8").casefold()
        assert not {ruleset for ruleset in RULESETS if re.search(rf"\b{ruleset}\b", text)}, place(path)


KEYS_FROM_NAMES = {
    "database/headers.py",  # from a declaration
    "database/records.py", "database/tables.py", "forms/rulesets.py",  # from the name that a declaration refers to
    "forms/edits.py", "ruling/passes/responses.py", "ruling/step.py",  # from what a person typed
    "ruling/corrections.py", "ruling/repair/intents.py",  # from what was stored
    "runtime/session/foreign_tabs.py",  # from the titles of tabs that no key has
    "template/choices.py", "template/guide.py",  # tabs of a template that no record declares
}  # fmt: skip
"""Modules that parse names of tabs, besides the stores, which find tabs by their titles."""


def test_titles_become_keys_in_stores_and_a_few_other_modules():
    uses = {
        place(path).removeprefix("sheets_algo/")
        for path in modules("sheets_algo")
        if any(
            isinstance(node, ast.Attribute) and node.attr == "named" and ast.unparse(node.value) == "TabKey"
            for node in ast.walk(tree(path))
        )
    }
    assert {module for module in uses if not module.startswith("workbook/")} == KEYS_FROM_NAMES
