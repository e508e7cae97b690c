"""The job of docs/deploy/github-actions.yml as it is, in a repository of a game, against the local Sheets server."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.e2e.online import URL, Online
from tests.helpers.actions_runner import Job, repository_of
from tests.helpers.installs import made_source_zip, made_wheel, without_program

WORKFLOW = Path(__file__).parents[2] / "docs" / "deploy" / "github-actions.yml"
PLACE = ".github/workflows/sheets-algo.yml"


def job(online: Online, tmp_path: Path, id: str, program: Mapping[str, Path], variables: Mapping[str, str] = {}) -> Job:
    """Return the job in a repository with these files of the program and the secrets that docs/github.md lists."""
    (season,) = online.moderator.folder.rglob("*.secret")
    key = online.server.key_file(online.moderator.folder)
    environment = online.moderator.environment({"SHEETS_ALGO_API_URL": online.server.url})
    environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    environment["PATH"] = f"{without_program(tmp_path / 'python').parent}{os.pathsep}{environment['PATH']}"
    secrets = {"GOOGLE_KEY": key.read_text("utf-8"), "SHEETS_ALGO_SECRET": season.read_text("utf-8")}
    repository = repository_of(tmp_path / "game", {PLACE: WORKFLOW, **program})
    return Job(repository, tmp_path / "runner", environment, {"SPREADSHEET": URL.format(id), **variables}, secrets)


def begun(online: Online) -> str:
    """Return a spreadsheet in which `init` was run on another computer; two of its wars are ready."""
    id = online.server.make("My game")
    assert online.types("init", id).code == 0
    for war in online.column(id, "Request")[2:5]:
        online.tick(id, war, ready=False)
    return id


@pytest.mark.parametrize(
    ("make", "place", "keeps_logs"), [(made_wheel, "", "yes"), (made_source_zip, ".github/workflows/", "")]
)
def test_the_workflow_rules_ready_requests_with_the_repository_s_program(
    online: Online, tmp_path: Path, make: Callable[[Path], Path], place: str, keeps_logs: str
) -> None:
    online = online.newcomer
    id = begun(online)
    (tmp_path / "made").mkdir()
    file = make(tmp_path / "made")
    run = job(online, tmp_path, id, {f"{place}{file.name}": file}, {"KEEP_LOGS": keeps_logs})

    assert run.run(), run.log

    assert online.column(id, "Status")[:3] == ["Done", "Done", ""]
    assert "2 requests ruled; My game is written." in run.log
    assert len([name for name in run.artifacts if name.endswith(".txt")]) == (2 if keeps_logs else 0)
    assert not any("secret" in name for name in run.artifacts)


@pytest.mark.parametrize("names", [(), ("sheets_algo-0.2.0-py3-none-any.whl", "sheets-algo-main.zip")])
def test_without_one_file_of_the_program_the_job_fails_with_a_message(
    online: Online, tmp_path: Path, names: tuple[str, ...]
) -> None:
    online = online.newcomer
    id = begun(online)
    run = job(online, tmp_path, id, dict.fromkeys(names, WORKFLOW))

    assert not run.run()

    assert f"::error::There are {len(names)} files of the program in the repository (" in run.log
    assert all(name in run.log for name in names)
    assert online.column(id, "Status")[:2] == ["", ""]
