"""Cases of the rulebook: the shipped ones hold, wrong ones are told in a sentence, hostile files are refused in one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scripts.support.toys import NAMES as TOYS
from sheets_algo.cli import main
from sheets_algo.forms.rulesets import ruleset_names

HOME = Path(__file__).resolve().parents[2]
CASE_FILES = [*(HOME / "config" / "rulebook" / "cases").iterdir()]
CASE = """\
ruleset: autoalgo
cases:
  - name: Anna
    rule: STAB-04
    function: hardship
    inputs: {casualties: 0.1, economy: 0.75, occupation: 1}
    expected: 0.2
"""


def checked(folder: Path, content: str | bytes = "", name: str = "mine.yaml") -> Result:
    """Return what `check --rules` says with a file of cases in a folder of one's own."""
    file = folder / "rulebook" / "cases" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if content:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return CliRunner().invoke(main, ["check", "--rules", "--config", str(folder)])


def line(said: Result, folder: Path) -> str:
    """Return the only line about the file, without the folder."""
    told = [text for text in said.stderr.splitlines() + said.stdout.splitlines() if "mine.yaml" in text]
    assert len(told) == 1, said.output
    return told[0].partition("mine.yaml")[2]


def test_each_shipped_case_holds():
    said = CliRunner().invoke(main, ["check", "--rules"])

    assert said.exit_code == 0
    assert re.fullmatch(rf"\d+ cases in {len(CASE_FILES)} files, none wrong\.\n", said.output)
    assert {file.stem.partition("-")[0] for file in CASE_FILES} == {*ruleset_names()} - {*TOYS}


def test_a_failed_case_is_reported_with_both_results(tmp_path):
    said = checked(tmp_path, CASE.replace("0.2", "0.13"))

    assert said.exit_code == 1
    assert line(said, tmp_path) == ":7 (Anna): STAB-04 hardship is 0.2, and 0.13 was expected."
    assert re.search(rf"\n\d+ cases in {len(CASE_FILES) + 1} files, 1 wrong\.\n$", said.output)


def test_verbose_derives_the_number(tmp_path):
    checked(tmp_path, CASE.replace("0.2", "0.13"))
    said = CliRunner().invoke(main, ["check", "--rules", "-v", "--config", str(tmp_path)])

    assert "\n  hardship 0.2 = casualties 0.1 ÷ (2 × (Economy 0.75, at least 0.1)) × 3 [STAB-04]\n" in said.output
    assert said.output.endswith(" 1 wrong.\n")


def test_own_cases_use_own_numbers_and_shipped_cases_shipped_ones(tmp_path):
    tables = tmp_path / "tables" / "autoalgo"
    tables.mkdir(parents=True)
    constants = (HOME / "config" / "tables" / "autoalgo" / "constants.json").read_text()
    (tables / "constants.json").write_text(constants.replace('"occupation_factor": 3', '"occupation_factor": 6'))

    assert line(checked(tmp_path, CASE), tmp_path).endswith("hardship is 0.4, and 0.2 was expected.")
    assert checked(tmp_path, CASE.replace("0.2", "0.4")).exit_code == 0


def test_an_own_file_replaces_the_shipped_one_of_its_name(tmp_path):
    said = checked(tmp_path, CASE, "autoalgo-stability.yaml")

    assert re.fullmatch(rf"\d+ cases in {len(CASE_FILES)} files, none wrong\.\n", said.output)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("STAB-04", "STAB-4", ':4 (Anna): no case can be written of "STAB-4". Did you mean "STAB-04"?'),
        ("hardship", "hardshp", ':5 (Anna): "hardshp" is not a function of STAB-04. Did you mean "hardship"?'),
        ("    function: hardship\n", "", ':3 (Anna): "function" is missing. Use "casualty_share",'),
        ("economy", "econmy", ':6 (Anna): "econmy" is not an input of hardship. Did you mean "economy"?'),
        (", occupation: 1", "", ':6 (Anna): "occupation" is missing.'),
        ("0.75", "much", ':6 (Anna): "much" is not allowed. Use a number such as 28680 or 0.75.'),
        ("0.75", "[1, 2]", ":6 (Anna): a list is not allowed. Use one value."),
        ("0.75", "{a: 1}", ':6: {"a": "1"} is not allowed. Use a value or a list in brackets.'),
        ("expected", "expectd", ':7: "expectd" is not allowed here. Did you mean "expected"?'),
        ("autoalgo", "autoalgos", ':1: "autoalgos" is not a ruleset. Did you mean "autoalgo"?'),
        ("name: Anna", "name:", ':3: "" is empty; a value is required here.'),
    ],
)
def test_a_mistake_in_a_case_is_reported_with_its_line(tmp_path, before, after, says):
    said = checked(tmp_path, CASE.replace(before, after, 1))

    assert said.exit_code == 2
    assert says in (told := said.output), told


def test_all_mistakes_in_cases_are_reported_together(tmp_path):
    said = checked(tmp_path, CASE.replace("economy", "econmy") + CASE.partition("cases:\n")[2].replace("0.1", "x"))

    assert [text.partition("mine.yaml")[2].partition(" ")[0] for text in said.stderr.splitlines()] == [
        ":6",
        ":6",
        ":11",
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a: &a [x]\nb: [*a, *a]\n", ": line 1: anchors (&) and aliases (*) are not allowed."),
        ("a: *a\n", ": line 1: anchors (&) and aliases (*) are not allowed."),
        ("a: !!python/object/apply:os.system [ls]\n", ": line 1: tags such as"),
        ("a: 1\na: 2\n", ': line 2: "a" is there twice; keep one of them.'),
        ("? [a]\n: 1\n", ": line 1: a name must be a text."),
        ("a: 1\n---\nb: 2\n", ": line 2: a second document (---) is not allowed."),
        ("a: [1\n", ": line 2: not valid YAML: "),
        ("[" * 100_000, ": line 1: more than 8 levels."),
        ("a: \x00", ": not valid YAML: "),
        ("a:\n\t- b", ": line 2: not valid YAML: "),
        ("ü".encode("latin-1"), ": byte 1 is not UTF-8; save the file in that encoding."),
        ("#" * 10_000_000, ": the file has more than 250,000 bytes. Split it."),
        (" ", ':1: "" is not allowed. Use names with values in braces.'),
    ],
    ids=lambda value: None if len(value) > 99 else repr(value),
)
def test_a_malicious_file_is_refused_in_a_sentence(tmp_path, content, says):
    said = checked(tmp_path, content)

    assert said.exit_code == 2
    assert says in line(said, tmp_path)


def test_special_yaml_types_are_read_as_text(tmp_path):
    """`no`, `1:30` and `010` are texts: they are what the function's argument makes of them, or refused."""
    case = CASE.replace("STAB-04", "STAB-03").replace("hardship", "leader_factor").replace("0.2", "0.7")
    case = case.replace("{casualties: 0.1, economy: 0.75, occupation: 1}", "{is_totalitarian: no}")
    assert checked(tmp_path, case).exit_code == 0
    assert '"1:30" is not allowed. Use a number' in checked(tmp_path, CASE.replace("0.75", "1:30")).output
    assert '"0x10" is not allowed. Use a number' in checked(tmp_path, CASE.replace("0.75", "0x10")).output


def test_a_file_of_unknown_name_is_reported_as_misspelled(tmp_path):
    said = checked(tmp_path, CASE, "mine.yml")

    assert (said.exit_code, "the program does not use a file of this name" in said.output) == (2, True)


def test_check_needs_no_workbook_for_rules():
    said = CliRunner().invoke(main, ["check"])

    assert (said.exit_code, "Missing argument 'WORKBOOK'." in said.output) == (2, True)


MISTAKES = (
    ("aftermath/stability.py", "/ divisor * occupation", "* divisor * occupation", "STAB-04 hardship is"),
    ("aftermath/consequences.py", "/ numbers.divisor", "/ 99.0", "LEAD-10 survival_chance is"),
    ("battle/disease.py", "/ maximum /", "* maximum /", "DIS-02 outbreak_chance is"),
    ("setup/army.py", "shares[part] += 1", "shares[part] += 2", "R-38 apportion is"),
    ("battle/blow.py", "blow.of_share * blow.armour /", "blow.of_share / blow.armour /", "UNIT-16 blow_of is"),
)


def test_accidentally_changed_rules_are_detected(tmp_path):
    """In a copy of the engine, which the program takes instead of its own."""
    shutil.copytree(HOME / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for file, before, after, _ in MISTAKES:
        changed = tmp_path / "engine" / "autoalgo" / file
        assert changed.read_text().count(before) == 1, file
        changed.write_text(changed.read_text().replace(before, after))

    words = [sys.executable, "-m", "sheets_algo", "check", "--rules"]
    paths = os.pathsep.join((str(tmp_path), str(HOME)))
    said = subprocess.run(words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert said.returncode == 1, said.stdout + said.stderr
    for _, _, _, told in MISTAKES:
        assert told in said.stdout
