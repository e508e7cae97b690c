"""The rulesets that are asked for are imported, and no others."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.support.toys import INSTALLED
from sheets_algo.forms.rulesets import FormEntry, form_entries, ruleset_names
from sheets_algo.plugins import RULESETS, BadPlugin, plugins

NAMES = list(ruleset_names())
COMMANDS = """
import json, sys
from sheets_algo.cli import main

for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        assert end.code in (0, None), end.code
print(json.dumps(sorted(sys.modules)))
"""


def imported(*commands: list[str]) -> set[str]:
    """Return the rulesets of which a process that runs these commands has imported the rules or the form."""
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": INSTALLED},
    )
    modules = json.loads(done.stdout.splitlines()[-1])
    packages = {name: (f"engine.{name}.", f"{plugin.value}.") for name, plugin in plugins(RULESETS).items()}
    return {name for name, own in packages.items() if any(module.startswith(own) for module in modules)}


@pytest.mark.parametrize("name", NAMES)
def test_a_workbook_imports_only_its_own_ruleset(name: str, tmp_path: Path) -> None:
    file = str(tmp_path / "season.xlsx")

    assert imported(["init", "--ruleset", name, file], ["check", file], ["schema", "--ruleset", name]) == {name}


def test_a_workbook_of_two_rulesets_imports_both(tmp_path: Path) -> None:
    file = str(tmp_path / "season.xlsx")
    assert imported(["init", "--ruleset", "jousts", "--ruleset", "rounds", file]) == {"jousts", "rounds"}

    assert imported(["check", file]) == {"jousts", "rounds"}


JOUSTS = next(entry for entry in form_entries() if entry.ruleset_key == "jousts")


@pytest.mark.parametrize(
    "wrong",
    [
        dataclasses.replace(JOUSTS, tabs=JOUSTS.tabs[:-1]),
        dataclasses.replace(JOUSTS, optional=()),
    ],
    ids=["tab", "optional"],
)
def test_an_entry_with_tabs_unlike_its_form_is_refused(wrong: FormEntry) -> None:
    with pytest.raises(BadPlugin, match=r"does not list the tabs of .*JoustForm"):
        wrong.load()
