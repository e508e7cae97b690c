"""Plug-ins that cannot be used: each is refused in one sentence that says what to do."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.plugins import RULESETS, STORES, BadPlugin, folder_of, load, plugins
from sheets_algo.workbook.stores import stores

HOME = Path(__file__).parents[1]
DUEL = {"forms": [{"form": "duel_rules.form:DuelForm", "tabs": ["Duel Requests", "Duellists"]}]}
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a package with a declaration, as pip leaves it: files and metadata."""

    def clear() -> None:
        importlib.invalidate_caches()
        sys.modules.pop("duel_rules", None)
        for cached in (plugins, form_entries, stores):
            cached.cache_clear()

    def made(package: str, declaration: str, ruleset: Any = DUEL) -> None:
        metadata = tmp_path / f"{package}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        (metadata / "entry_points.txt").write_text(declaration, encoding="utf-8")
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").touch()
        text = ruleset if isinstance(ruleset, str) else json.dumps(ruleset)
        (folder / "ruleset.json").write_text(text, encoding="utf-8")
        clear()

    monkeypatch.syspath_prepend(tmp_path)
    yield made
    monkeypatch.undo()
    clear()


def declared(name: str, value: str, group: str = RULESETS) -> str:
    return f"[{group}]\n{name} = {value}\n"


def test_a_ruleset_without_a_rank_comes_after_those_of_the_program(install: Install) -> None:
    before = form_entries()
    install("duel_rules", declared("a duel", "duel_rules"))

    *ours, duel = form_entries()

    assert tuple(ours) == before
    assert (duel.ruleset_key, duel.request_tab, duel.needed_tabs) == ("a duel", "Duel Requests", ("Duellists",))
    assert "duel_rules" not in sys.modules


def test_a_store_is_asked_before_the_one_that_takes_the_rest(install: Install) -> None:
    install("zip_store", declared("zip", "sheets_algo.workbook.google.store:GoogleStore", STORES))

    assert [type(store).__name__ for store in stores()] == ["GoogleStore", "GoogleStore", "XlsxStore"]


def test_two_packages_that_declare_a_name_are_refused(install: Install) -> None:
    install("duel_rules", declared("realm", "duel_rules"))

    with pytest.raises(BadPlugin, match=r'Two packages declare "realm" .*: duel_rules and sheets_algo\.forms\.realm'):
        plugins(RULESETS)


@pytest.mark.parametrize("value", ["nowhere", "nowhere.inside", "csv", "duel_rules:form", ""])
def test_a_ruleset_that_is_not_a_package_is_refused(install: Install, value: str) -> None:
    install("duel_rules", declared("duel", value))

    with pytest.raises(BadPlugin, match=r'"duel" in sheets_algo\.rulesets names .*, which is not a package here'):
        folder_of(plugins(RULESETS)["duel"])


def test_a_store_that_cannot_be_imported_is_refused(install: Install) -> None:
    install("duel_rules", declared("zip", "duel_rules.zip:ZipStore", STORES))

    with pytest.raises(BadPlugin, match=r"names duel_rules\.zip:ZipStore, which cannot be loaded \(No module named"):
        load(plugins(STORES)["zip"])


@pytest.mark.parametrize(
    ("ruleset", "found"),
    [
        ("{", "Expecting property name"),
        ([], "ruleset.json: [] is not allowed. Use names with values in braces."),
        ({"forms": []}, "ruleset.json#/forms: 0 entries are not allowed"),
        ({"forms": [{"form": "a:B"}]}, "ruleset.json#/forms/0"),
        ({"forms": [{"form": "a:B", "tabs": []}]}, "ruleset.json#/forms/0/tabs: 0 entries are not allowed"),
        ({**DUEL, "rank": 0}, "ruleset.json#/rank: 0 is not allowed"),
        ({**DUEL, "order": 1}, 'ruleset.json#/order'),
        ({"forms": [{"form": "a:B", "tabs": ["Duels", "nations"]}]}, "autoalgo and duel both have a tab nations"),
    ],
)  # fmt: skip
def test_a_description_with_a_slip_is_refused(install: Install, ruleset: Any, found: str) -> None:
    install("duel_rules", declared("duel", "duel_rules"), ruleset)

    with pytest.raises(BadPlugin) as refused:
        form_entries()

    assert found in str(refused.value)


def test_a_form_that_cannot_be_loaded_is_refused(install: Install) -> None:
    install("duel_rules", declared("duel", "duel_rules"))

    with pytest.raises(BadPlugin, match=r"names duel_rules\.form:DuelForm, which cannot be loaded"):
        form_entries()[-1].load()


def test_a_ruleset_without_tables_is_refused(install: Install, tmp_path: Path) -> None:
    install("duel_rules", declared("duel", "duel_rules"))

    with pytest.raises(ConfigError) as refused:
        ConfigLoader().raw("duel")

    folder = tmp_path / "duel_rules" / "config" / "tables" / "duel"
    assert str(refused.value) == f"{folder}: this folder of tables is missing."


def test_an_installation_older_than_its_code_says_what_to_type(tmp_path: Path) -> None:
    """Its metadata were made before the entry points were declared."""
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith("sheets_algo"):
            (libraries / path.name).symlink_to(path)

    done = subprocess.run(
        [sys.executable, "-S", "-m", "sheets_algo", "check", "season.xlsx"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{HOME}{os.pathsep}{libraries}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "sheets-algo: This installation of sheets-algo is older than its code: it declares nothing in"
        f" sheets_algo.stores. Install it again: pip install --editable {HOME}\n"
    )
