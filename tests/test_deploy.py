"""Ready-made files of docs/deploy: what they call exists, and they do what running.md and github.md say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.helpers.typed_commands import commands, read

HOME = Path(__file__).parents[1]
DEPLOY = HOME / "docs" / "deploy"
RUNNING = "".join((HOME / "docs" / page).read_text(encoding="utf-8") for page in ("running.md", "github.md"))
UNITS = sorted((*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")))
WORKFLOW = (DEPLOY / "github-actions.yml").read_text(encoding="utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def test_every_file_is_documented():
    assert [
        (file, f"deploy/{file.name}") for file in sorted(DEPLOY.iterdir()) if f"deploy/{file.name}" not in RUNNING
    ] == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_accepts_the_units(tmp_path):
    program_that_exits(tmp_path / ".local" / "bin", 0)

    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", *UNITS],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_the_commands_of_units_exist(unit, tmp_path):
    (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.M)

    (words,) = commands(line)
    read(words, tmp_path)


def test_the_image_is_built_from_files_that_the_builder_gets():
    kept = [line[1:] for line in (HOME / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"]
    copied = [name for names in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.M) for name in names.split()]

    assert copied
    assert [name for name in copied if not (HOME / name).exists()] == []
    assert [name for name in copied if not any(fnmatch(name, pattern) for pattern in kept)] == []
    assert set(re.findall(r"^(?:license-files = \[|readme = )\"(.*?)\"", pyproject(), re.M)) <= set(copied)


def pyproject() -> str:
    return (HOME / "pyproject.toml").read_text(encoding="utf-8")


def test_the_command_of_the_image_exists(tmp_path):
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.M)
    (words,) = re.findall(r"^CMD (.*)$", DOCKERFILE, re.M)

    assert json.loads(entry) == ["sheets-algo"]
    read(tuple(json.loads(words)), tmp_path)


def test_the_image_keeps_machine_code_in_the_folder_of_the_game():
    """An account of the person who starts the container has no home in it."""
    (folder,) = re.findall(r"^VOLUME (.*)$", DOCKERFILE, re.M)

    assert re.findall(r" XDG_CACHE_HOME=(\S+)", DOCKERFILE) == [f"{folder}/.cache"]


@pytest.mark.parametrize(("seconds_ago", "is_healthy"), [(1, True), (290, True), (310, False), (None, False)])
def test_the_image_is_healthy_while_its_heartbeat_is_fresh(tmp_path, seconds_ago, is_healthy):
    (command,) = re.findall(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.M)
    if seconds_ago is not None:
        subprocess.run(["touch", "--date", f"{seconds_ago} seconds ago", "heartbeat.json"], cwd=tmp_path, check=True)

    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=False)

    assert (done.returncode == 0) is is_healthy


def test_compose_runs_the_image_with_the_folder_of_the_game():
    (service,) = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"].values()

    build = service["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    (inside,) = re.findall(r"^VOLUME (.*)$", DOCKERFILE, re.M)
    (volume,) = service["volumes"]
    assert volume.endswith(f"}}:{inside}")


def workflow() -> dict[Any, Any]:
    return dict(yaml.safe_load(WORKFLOW))


def test_the_workflow_may_only_read_and_identify_itself():
    read_workflow = workflow()

    assert read_workflow["permissions"] == {"contents": "read", "id-token": "write"}
    assert [job for job in read_workflow["jobs"].values() if "permissions" in job] == []


def test_the_workflow_pins_every_action_with_its_version():
    used = re.findall(r"uses: (\S+)(.*)$", WORKFLOW, re.M)

    assert len(used) == 4
    for action, rest in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.match(r" # v\d+\.\d+\.\d+", rest), action


def test_nothing_public_is_stored_unless_requested():
    """Artifacts of a public repository are public."""
    (step,) = (step for step in workflow()["jobs"]["run"]["steps"] if "upload-artifact" in step.get("uses", ""))

    assert step["if"] == "${{ always() && vars.KEEP_LOGS == 'yes' }}"
    assert "`KEEP_LOGS`" in RUNNING


def test_the_workflow_s_variables_and_secrets_are_documented():
    kinds = {"vars": "variable", "secrets": "secret"}
    used = set(re.findall(r"(vars|secrets)\.(\w+)", WORKFLOW))
    rows = set(re.findall(r"^\| (variable|secret) \| `(\w+)`", RUNNING, re.M))

    assert {(kinds[kind], name) for kind, name in used} - rows == {
        ("variable", "WORKLOAD_IDENTITY_PROVIDER"),
        ("variable", "SERVICE_ACCOUNT"),
    }
    assert "`WORKLOAD_IDENTITY_PROVIDER`" in RUNNING
    assert "`SERVICE_ACCOUNT`" in RUNNING


@pytest.mark.parametrize(("code", "of_job"), [(0, 0), (1, 0), (2, 2), (3, 3)])
def test_errors_in_rows_do_not_fail_the_job(tmp_path, code, of_job):
    (script,) = (step["run"] for step in workflow()["jobs"]["run"]["steps"] if step.get("name") == "One pass")
    program = program_that_exits(tmp_path, code)

    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        env={"PATH": f"{program.parent}:{os.environ['PATH']}", "SPREADSHEET": "an address with a blank"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == of_job
    assert done.stdout.startswith("run, an address with a blank\n")
    assert ("::warning::" in done.stdout) is (code == 1)
    (words,) = (words for line in script.splitlines() for words in commands(line))
    read(words, tmp_path)


def program_that_exits(folder: Path, code: int) -> Path:
    """Stands for the program where only its exit code and its words matter."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "sheets-algo"
    program.write_text(f'#!/bin/sh\necho "$1, $2"\nexit {code}\n')
    program.chmod(0o755)
    return program
