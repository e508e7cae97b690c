"""Plug-ins that cannot be used: each is refused in one sentence that says what to do."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.support.moderator import without_progress
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.forms import rulesets
from sheets_algo.forms.rulesets import form_entries, load_all, ruleset_faults
from sheets_algo.plugins import CHANNELS, RULESETS, STORES, BadPlugin, folder_of, load, plugins
from sheets_algo.workbook import stores as workbook_stores
from sheets_algo.workbook.stores import stores
from tests.helpers.tabs import key

HOME = Path(__file__).parents[1]
DUEL = {"forms": [{"form": "duel_rules.form:DuelForm", "prefix": "D-", "tabs": ["Duel Requests", "Duellists"]}]}
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a package with a declaration, as pip leaves it: files and metadata."""

    def clear() -> None:
        importlib.invalidate_caches()
        sys.modules.pop("duel_rules", None)
        for cached in (plugins, rulesets._described, workbook_stores._loaded):
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


def test_an_unranked_ruleset_follows_those_of_the_program(install: Install) -> None:
    before = form_entries()
    install("duel_rules", declared("a duel", "duel_rules"))

    *ours, duel = form_entries()

    assert tuple(ours) == before
    assert (duel.ruleset_key, duel.request_tab) == ("a duel", key("Duel Requests"))
    assert duel.needed_tabs == (key("Duellists"),)
    assert "duel_rules" not in sys.modules


def test_a_store_is_queried_before_the_default_one(install: Install) -> None:
    install("zip_store", declared("zip", "sheets_algo.workbook.google.store:GoogleStore", STORES))

    assert [type(store).__name__ for store in stores()] == ["GoogleStore", "GoogleStore", "XlsxStore"]


def test_two_packages_with_one_name_are_refused(install: Install) -> None:
    install("duel_rules", declared("autoalgo", "duel_rules"))

    with pytest.raises(
        BadPlugin, match=r'Two packages declare "autoalgo" .*: duel_rules and sheets_algo\.forms\.autoalgo'
    ):
        plugins(RULESETS)


@pytest.mark.parametrize("value", ["nowhere", "nowhere.inside", "csv", "duel_rules:form", ""])
def test_a_ruleset_that_is_not_a_package_is_refused(install: Install, value: str) -> None:
    install("duel_rules", declared("duel", value))

    with pytest.raises(BadPlugin, match=r'"duel" in sheets_algo\.rulesets names .*, which is not a package here'):
        folder_of(plugins(RULESETS)["duel"])


def test_a_store_with_a_failing_import_is_refused(install: Install) -> None:
    install("duel_rules", declared("zip", "duel_rules.zip:ZipStore", STORES))

    with pytest.raises(
        BadPlugin, match=r"names duel_rules\.zip:ZipStore, which cannot be loaded \(ModuleNotFoundError: No"
    ):
        load(plugins(STORES)["zip"])


@pytest.mark.parametrize(
    ("ruleset", "found"),
    [
        ("{", "Expecting property name"),
        ([], "ruleset.json: [] is not allowed. Use names with values in braces."),
        ({"forms": []}, "ruleset.json#/forms: 0 entries are not allowed"),
        ({"forms": [{"form": "a:B", "tabs": ["A"]}]}, "ruleset.json#/forms/0"),
        ({"forms": [{"form": "a:B", "prefix": "D-", "tabs": []}]}, "ruleset.json#/forms/0/tabs: 0 entries"),
        ({**DUEL, "rank": 0}, "ruleset.json#/rank: 0 is not allowed"),
        ({**DUEL, "order": 1}, 'ruleset.json#/order'),
        ({"forms": [{"form": "a:B", "prefix": "D-", "tabs": ["Duels", "nations"]}]},
         'ruleset.json of duel: the tab "nations" is one of autoalgo. Give it a name of its own.'),
        ({"forms": [{"form": "a:B", "prefix": "w-", "tabs": ["Duels"]}]},
         'ruleset.json of duel: the prefix "w-" is taken by autoalgo. Taken are '
         f'{", ".join(form.prefix for form in form_entries())}.'),
    ],
)  # fmt: skip
def test_a_description_with_an_error_is_refused_alone(install: Install, ruleset: Any, found: str) -> None:
    before = load_all()
    install("duel_rules", declared("duel", "duel_rules"), ruleset)

    (fault,) = map(str, ruleset_faults())

    assert found in fault
    assert "\n" not in fault
    assert load_all() == before


def test_the_later_of_two_rulesets_with_one_prefix_is_refused(install: Install) -> None:
    other = {"forms": [{"form": "joust_rules.form:JoustForm", "prefix": "D-", "tabs": ["Joust Requests"]}]}
    install("duel_rules", declared("duel", "duel_rules"))
    install("joust_rules", declared("joust", "joust_rules"), {**other, "rank": 1})

    with pytest.raises(
        BadPlugin, match=r'^ruleset.json of duel: the prefix "D-" is taken by joust\. Taken are W-, .*D-'
    ):
        form_entries()[-1].load()


def test_a_form_with_another_prefix_than_its_description_is_refused() -> None:
    entry = next(entry for entry in form_entries() if entry.ruleset_key == "jousts")

    with pytest.raises(BadPlugin, match=r'gives .*:JoustForm the prefix "D-"; it has "J-"\.$'):
        replace(entry, prefix="D-").load()


def test_a_form_with_a_failing_import_is_refused(install: Install) -> None:
    install("duel_rules", declared("duel", "duel_rules"))

    with pytest.raises(BadPlugin, match=r"names duel_rules\.form:DuelForm, which cannot be loaded"):
        form_entries()[-1].load()


BROKEN = {
    "raises": (RULESETS, "raise RuntimeError('two\\nlines')"),
    "exits": (RULESETS, "import sys; sys.exit(3)"),
    "misspelt": (RULESETS, "def ="),
    "lacking": (RULESETS, "import no_such_library"),
    "empty": (RULESETS, ""),
    "no form": (RULESETS, "Thing = 1066"),
    "undescribed": (RULESETS, None),
    "gone": (RULESETS, None),
    "store": (STORES, "1 / 0"),
    "no store": (STORES, "Thing = int"),
    "channel": (CHANNELS, "raise OSError('no socket')"),
}
"""Plug-ins that fail, and the content of the module that each names."""


@pytest.fixture
def broken(install: Install, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command where all plug-ins of `BROKEN` are installed."""
    for number, (name, (group, content)) in enumerate(BROKEN.items()):
        package = f"broken_{number}"
        form = {"form": f"{package}.thing:Thing", "prefix": f"X{number}-", "tabs": [f"{name} Requests"]}
        value = "nowhere" if name == "gone" else package if group == RULESETS else f"{package}.thing:Thing"
        install(package, declared(name, value, group), "{" if content is None else {"forms": [form]})
        (tmp_path / package / "thing.py").write_text(content or "", encoding="utf-8")
    folder = tmp_path / "game"
    folder.mkdir()

    def types(*words: str) -> tuple[int, str, str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HOME": str(folder), "SHEETS_ALGO_PICTURES": "false"}
        done = subprocess.run(
            [sys.executable, "-m", "sheets_algo", *words],
            cwd=folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, without_progress(done.stderr)

    return types


def test_failing_plug_ins_are_reported_in_a_line_each(
    broken: Callable[..., tuple[int, str, str]],
) -> None:
    for words in (("init", "season.xlsx"), ("check", "season.xlsx"), ("run", "season.xlsx"), ("verify", "season.xlsx")):
        code, _, errors = broken(*words)
        assert (code, "broken_" in errors) == (0, False), errors

    code, out, errors = broken("doctor", "season.xlsx")
    warnings = [line.removeprefix("warn  plug-ins     ") for line in out.splitlines() if line.startswith("warn")]
    assert (code, errors) == (0, "")
    named = [name for name in BROKEN if sum(mentions(line, name) for line in warnings) == 1]
    assert (named, len(warnings)) == ([*BROKEN], len(BROKEN))
    assert "which cannot be loaded (RuntimeError: two lines). Repair or uninstall its package." in out

    for words, expected in ((("schema",), 0), (("check", "--rules"), 1)):
        code, out, errors = broken(*words)
        assert (code, sorted(errors.splitlines())) == (expected, sorted(warnings))
        assert out.count("\n") > 0
    assert out.endswith(" files, none wrong.\n")


def mentions(line: str, name: str) -> bool:
    """Return True if a line names a plug-in of `BROKEN`."""
    return (
        f'"{name}" in ' in line
        or f"ruleset.json of {name} " in line
        or f"broken_{[*BROKEN].index(name)}/ruleset.json" in line
    )


@pytest.mark.parametrize(
    "words", [("init", "--ruleset", "raises", "other.xlsx"), ("schema", "--ruleset", "raises"), ("run", "games.store/")]
)
def test_dependents_of_a_failing_plug_in_report_it(
    broken: Callable[..., tuple[int, str, str]], tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "game" / "games.store").mkdir()

    code, out, errors = broken(*words)

    assert (code, out) == (2, "")
    assert "cannot be loaded" in errors


def test_a_channel_of_a_failing_kind_is_a_wrong_setting(
    broken: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    assert broken("init", "season.xlsx")[0] == 0
    (tmp_path / "game" / "sheets-algo.toml").write_text('[[post]]\nname = "war room"\nto = "channel"\n', "utf-8")
    says = 'channel "war room": to: "channel" in sheets_algo.channels names'

    code, out, errors = broken("doctor", "season.xlsx")
    assert (code, errors) == (3, "")
    assert says in out.splitlines()[-1]
    code, out, errors = broken("run", "season.xlsx")
    assert (code, out, errors.count("\n"), says in errors) == (2, "", 1, True)


def test_a_ruleset_without_tables_is_refused(install: Install, tmp_path: Path) -> None:
    install("duel_rules", declared("duel", "duel_rules"))

    with pytest.raises(ConfigError) as refused:
        ConfigLoader().raw("duel")

    folder = tmp_path / "duel_rules" / "config" / "tables" / "duel"
    assert str(refused.value) == f"{folder}: this folder of tables is missing."


def test_an_outdated_installation_names_the_command_to_update(tmp_path: Path) -> None:
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
