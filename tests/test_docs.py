"""What the documentation says is so: examples run, receipts are real, pages are fresh, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.support.bad_input_cases import CASES
from scripts.support.moderator import Moderator
from scripts.support.warm_start import run_script
from sheets_algo.cli import main
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.settings import settings
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.workbook.google.commit import guard
from tests.helpers.machine_code import caches
from tests.helpers.typed_commands import commands_on, read

HOME = Path(__file__).parents[1]
README = (HOME / "README.md").read_text(encoding="utf-8")
DOCS = sorted((HOME / "docs").rglob("*.md"))
PAGES = [HOME / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "scripts/README.md")] + DOCS

PYTHON_SCRIPT = b"#!/usr/bin/env python3"


def blocks(text: str, language: str = "") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_generated_pages_equal_the_output_of_scripts_docs():
    said = run_script(HOME / "scripts" / "docs", "--check", XDG_CACHE_HOME=caches())

    assert said.returncode == 0, said.stdout + said.stderr


def test_the_console_of_the_page_on_files_is_real_output(tmp_path, tmp_path_factory):
    moderator = Moderator(tmp_path, tmp_path_factory.mktemp("home"), config=None)
    (block,) = blocks((HOME / "docs" / "file.md").read_text(encoding="utf-8"), "console")
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert len(steps) == 3

    for line, expected in steps:
        program, *words = shlex.split(line)
        assert program == "sheets-algo"
        said = moderator.types(*words)
        assert said.code == 0, said.err
        assert re.fullmatch(".*".join(map(re.escape, expected.split("..."))), said.out), said.out


def test_the_readme_s_rejected_cell_comes_from_a_test():
    shown = next(block.strip() for block in blocks(README) if "LOC-03" in block)

    assert shown in {case.line for case in CASES}


def test_the_readme_s_receipt_is_quoted_from_the_demo():
    """The block below the mark is compared by `scripts/docs --check`."""
    assert re.search(r"^<!-- quoted: receipt of the demo -->\n```\n== Hastings, 1066 ==$", README, re.M)


def test_the_readme_is_short():
    assert len(README.encode()) <= 8_000


LONG = {"exactly-once.md": 12_000, "fair-play.md": 15_000, "plausibility.md": 60_000}
"""Bytes of the pages that may be longer: what is promised, and the one whose figures a study writes."""


def test_pages_are_short_enough_to_read():
    sizes = {page.name: len(page.read_bytes()) for page in DOCS if page.parent.name != "reference"}

    assert [(name, size) for name, size in sizes.items() if size > LONG.get(name, 10_000)] == []


def test_the_moderators_pages_take_at_most_forty_minutes():
    navigation = (HOME / "mkdocs.yml").read_text(encoding="utf-8").partition("  - For moderators:")[2]
    pages = re.findall(r"^      - .*: (\S+\.md)$", navigation.partition("\n  - ")[0], re.MULTILINE)
    words = [len((HOME / "docs" / page).read_text(encoding="utf-8").split()) for page in pages]

    assert len(pages) > 5
    assert sum(words) <= 40 * 230


def test_the_changelog_is_short():
    lines = (HOME / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    newest = next(place for place, line in enumerate(lines) if line.startswith("## "))
    release = lines[newest:]

    assert len(release) <= 60
    assert [line for line in release if len(line.removeprefix("- ").split()) > 25] == []


def test_the_page_lists_all_settings(tmp_path):
    page = (HOME / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    (block,) = blocks(page, "toml")
    for folder in ("my-rules", "my-maps"):
        (tmp_path / folder).mkdir()
    (tmp_path / "sheets-algo.toml").write_text(block, encoding="utf-8")

    found = settings(tmp_path, {}, {})

    assert (found.maps, found.folder) == (tmp_path / "my-maps", tmp_path / "my-game")
    assert (found.credentials, found.workbooks) == (tmp_path / "key.json", (str(tmp_path / "season.xlsx"),))
    by_default = settings(tmp_path / "my-maps", {}, {})
    for number in ("log_lines", "how_lucky", "interval", "requests"):
        assert getattr(found, number) == getattr(by_default, number)
    assert set(tomllib.loads(block)) == set(found.__dataclass_fields__)
    for name in set(found.__dataclass_fields__) - {"post"}:
        assert f"| `SHEETS_ALGO_{name.upper()}` |" in page


def test_the_quoted_settings_are_valid(tmp_path):
    (block,) = blocks((HOME / "docs" / "settings.md").read_text(encoding="utf-8"), "toml")
    (tmp_path / "my-maps").mkdir()
    (tmp_path / "sheets-algo.toml").write_text(block, encoding="utf-8")

    found = settings(tmp_path, {}, {})

    assert [channel.name for channel in found.post] == ["archive"]


def test_the_forty_common_numbers_can_be_set():
    page = (HOME / "docs" / "own-numbers.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([\w/-]+)` \| [^|]+\.", page, re.MULTILINE)
    tab = next(form.settings for form in open_forms(ConfigLoader()) if form.ruleset_key == "autoalgo" and form.settings)
    listed = list(tab.names())

    assert len(set(named)) == 40
    assert [name for name in named if len([full for full in listed if f"/{full}".endswith(f"/{name}")]) != 1] == []


def test_every_command_is_in_the_readme_and_the_docs():
    choice, reference = (
        (HOME / "docs" / page).read_text(encoding="utf-8") for page in ("which-command.md", "reference/commands.md")
    )
    for text in (README, choice):
        assert [command for command in main.commands if f"| `sheets-algo {command}" not in text] == []
    assert [command for command in main.commands if f"\n## {command}\n" not in reference] == []


def test_links_and_named_files_exist():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        links = [link.split("#")[0] for link in re.findall(r"\]\((?!https://)([^)]+)\)", text)]
        named = re.findall(r"`((?:scripts|config|tests|engine|sheets_algo|docs|maps)/[\w./-]*)[` ]", text)

        assert [link for link in links if not (page.parent / link).exists()] == [], page
        assert [place for place in named if not (HOME / place).exists()] == [], page


def anchors(page: Path) -> set[str]:
    """What a heading is called in a link: small, without signs, a dash for each space."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_into_a_page_match_a_heading():
    for page in PAGES:
        links = re.findall(r"\]\((?!https://)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8"))

        assert [link for link in links if link[1] not in anchors(page.parent / link[0] if link[0] else page)] == [], (
            page
        )


def test_the_documentation_builds_as_a_searchable_site(tmp_path):
    said = run_script(HOME / "scripts" / "docs", "--site", str(tmp_path / "site"))

    assert said.returncode == 0, said.stderr
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    pages = {page.relative_to(HOME / "docs").with_suffix(".html").as_posix() for page in DOCS}
    assert {entry["location"] for entry in index["docs"]} >= pages


def test_a_folder_with_foreign_content_does_not_become_the_site(tmp_path):
    (tmp_path / "season.xlsx").touch()

    said = run_script(HOME / "scripts" / "docs", "--site", str(tmp_path))

    assert said.returncode == 2
    assert said.stderr.endswith(f"{tmp_path} is there and is not such a site: its contents would be deleted\n")
    assert (tmp_path / "season.xlsx").exists()


def test_the_site_fails_for_broken_links_and_unlisted_pages(tmp_path):
    shutil.copy(HOME / "mkdocs.yml", tmp_path)
    for page in DOCS:  # the headings alone, which is quick
        copy = tmp_path / page.relative_to(HOME)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(re.findall(r"^#+ .*$", page.read_text(encoding="utf-8"), re.M)), encoding="utf-8")
    (tmp_path / "docs" / "new-store.md").write_text("[a](gone.md) [b](settings.md#gone) [c](settings.md#losses)")
    (tmp_path / "docs" / "lost.md").write_text("# Lost")

    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", tmp_path / "mkdocs.yml"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)

    assert said.returncode == 1
    warnings = re.findall(r"^WARNING +- +(.*(?:\n +- .*)*)", said.stderr, re.M)
    assert [re.findall(r"gone\.md|lost\.md|#gone|#losses", warning) for warning in warnings] == [
        ["lost.md"],
        ["gone.md"],
        ["#gone", "#gone"],
    ], said.stderr


HAND_WRITTEN = [page for page in PAGES if page.name not in ("commands.md", "bad-input.md", "tabs.md", "CHANGELOG.md")]


@pytest.mark.parametrize("page", HAND_WRITTEN, ids=lambda page: page.name)
def test_quoted_commands_are_valid(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    for words in commands_on(page):
        read(words, tmp_path)


@pytest.mark.parametrize("page", ["google.md", "running.md", "github.md", "troubleshooting.md"])
def test_options_and_settings_on_a_page_exist(page, tmp_path):
    text = (HOME / "docs" / page).read_text(encoding="utf-8")
    options = {
        option for command in main.commands.values() for parameter in command.params for option in parameter.opts
    }

    assert set(re.findall(r"`(--[a-z-]+)", text)) - options - {"--version"} == set()
    for block in blocks(text, "toml"):
        (tmp_path / "sheets-algo.toml").write_text(block, encoding="utf-8")
        assert settings(tmp_path, {}, {}).workbooks


def test_explained_sentences_occur_in_the_program():
    tables = (HOME / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    explained = [
        sentence for cell in re.findall(r"^\| (`.*?) \|", tables, re.M) for sentence in re.findall(r"`([^`]+)`", cell)
    ]
    said = "".join(file.read_text(encoding="utf-8") for file in sorted((HOME / "sheets_algo").rglob("*.py")))
    said = re.sub(r'"\s*f?"', "", said)  # a long sentence stands in several lines

    assert len(explained) > 20
    assert [sentence for sentence in explained if sentence not in said] == []


def test_the_guard_s_figures_equal_those_of_the_page():
    text = " ".join((HOME / "docs" / "exactly-once.md").read_text(encoding="utf-8").split())

    assert f"id {guard.FIRST_ID:,} + the number of its first receipt" in text
    assert f"id {guard.FIRST_TURN_ID:,} + the number of its turn" in text
    minutes = guard.KEPT_FOR.total_seconds() / 60
    assert f"after {minutes:.0f} minutes, but never the last {guard.KEPT};" in text
    assert f"after {minutes:.0f} minutes, but never the last {guard.TURNS_KEPT}." in text


def test_pages_name_no_machine():
    """No absolute path of whoever wrote it."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"(?<![\w.~-])/(?:home|root|tmp|Users|work|var|opt)/\S*", text) == [], page


FOLDERS = (HOME / "scripts", HOME / "scripts" / "studies")
CHORES = [
    file
    for folder in FOLDERS
    for file in folder.iterdir()
    if file.is_file() and file.read_bytes().startswith(PYTHON_SCRIPT)
]


def test_every_script_is_listed_with_the_time_to_run_it():
    page = (HOME / "scripts" / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w/.-]+)` \| \S.* \| (\S.*) \|$", page, re.MULTILINE))
    scripts = [file for folder in FOLDERS for file in folder.iterdir() if file.is_file() and file.suffix != ".md"]

    assert set(rows) == {file.relative_to(HOME / "scripts").as_posix() for file in scripts}


@pytest.mark.parametrize("script", sorted(CHORES), ids=lambda script: script.name)
def test_every_script_has_help(script):
    said = run_script(script, "--help")

    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("usage: ")
