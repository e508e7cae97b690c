"""A runner of GitHub's workflows: what a job's YAML says is done on this computer.

Steps with `run` are run by bash as they are. Of the actions that steps use, those here do what they are used for: a
clone of the repository, a Python, a key file of the secret that it is given, a folder of artifacts.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
NAME = re.compile(r"'[^']*'|[A-Za-z_][\w-]*(?:\.[\w-]+)+")


@dataclass
class Job:
    """A run of the only job of a workflow.

    Args:
        repository: The repository with the workflow, from which it is cloned.
        folder: The folder in which it runs.
        environment: The variables of the runner; its PATH has the Python that the job asks for.
        variables: The variables of the repository's settings.
        secrets: The secrets there.
    """

    repository: Path
    folder: Path
    environment: Mapping[str, str]
    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    steps: dict[str, Any] = field(default_factory=dict)  # The outputs of steps by their ids
    log: str = ""  # What the steps printed

    @property
    def workspace(self) -> Path:
        """The clone of the repository."""
        return self.folder / "workspace"

    @property
    def artifacts(self) -> list[str]:
        """Names of the files that were kept."""
        return sorted(path.name for path in (self.folder / "artifacts").rglob("*") if path.is_file())

    def run(self, workflow: str = ".github/workflows/sheets-algo.yml") -> bool:
        """Run the job; return True if it succeeds."""
        read = yaml.safe_load(_git(self.repository, "show", f"HEAD:{workflow}"))
        (job,) = read["jobs"].values()
        self.workspace.mkdir(parents=True)
        (self.folder / "temp").mkdir()
        succeeded = True
        for step in job["steps"]:
            condition = self._value(step["if"], {"always": lambda: True}) if "if" in step else ""
            is_due = succeeded or "always()" in step.get("if", "")
            if is_due and condition not in (False, "False"):
                succeeded = self._step(step, job.get("env", {})) and succeeded
        return succeeded

    def _step(self, step: Mapping[str, Any], env: Mapping[str, str]) -> bool:
        if "run" not in step:
            action = re.split("[/@]", step["uses"], maxsplit=2)[1]
            options = {name: self._value(value) for name, value in step.get("with", {}).items()}
            outputs = ACTIONS[action](self, options)
            self.steps[step.get("id", "")] = {"outputs": outputs}
            return True
        own = {name: str(self._value(value)) for name, value in {**env, **step.get("env", {})}.items()}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=self.workspace,
            env={**self.environment, **own},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.log += done.stdout
        return done.returncode == 0

    def _value(self, text: Any, functions: Mapping[str, Callable[[], bool]] = {}) -> Any:
        """Return a text with the values of its expressions; of names that nothing has, blank ones."""
        contexts = {
            "vars": self.variables,
            "secrets": self.secrets,
            "steps": self.steps,
            "runner": {"temp": str(self.folder / "temp")},
            "github": {"run_id": "1", "run_attempt": "1"},
        }

        def look_up(name: re.Match[str]) -> str:
            value: Any = contexts
            for part in name[0].split("."):
                value = value.get(part, {})
            return name[0] if name[0].startswith("'") else repr(value or "")

        def computed(expression: re.Match[str]) -> str:
            python = NAME.sub(look_up, expression[1].strip()).replace("&&", " and ")
            return str(eval(python, dict(functions)))

        return EXPRESSION.sub(computed, text) if isinstance(text, str) else text


def _git(folder: Path, *words: str | Path) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def repository_of(folder: Path, files: Mapping[str, Path]) -> Path:
    """Return a new repository with one commit of some files, by their paths in it."""
    folder.mkdir()
    for path, file in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / path)
    _git(folder, "init", "--quiet")
    _git(folder, "add", "--all")
    _git(folder, "-c", "user.name=A moderator", "-c", "user.email=m@example.org", "commit", "--quiet", "-m", "The game")
    return folder


def _checkout(job: Job, options: Mapping[str, Any]) -> dict[str, str]:
    _git(job.folder, "clone", "--quiet", job.repository, job.workspace)
    return {}


def _auth(job: Job, options: Mapping[str, Any]) -> dict[str, str]:
    """Write the key into a file in the workspace, as that action does."""
    assert options["credentials_json"], "neither a key nor an identity"
    key = job.workspace / "gha-creds-1066.json"
    key.write_text(options["credentials_json"], encoding="utf-8")
    return {"credentials_file_path": str(key)}


def _upload(job: Job, options: Mapping[str, Any]) -> dict[str, str]:
    kept = job.folder / "artifacts"
    kept.mkdir()
    for pattern in options["path"].split():
        root, _, rest = pattern.partition("**")
        for found in Path(root).glob(f"**{rest}"):
            shutil.copytree(found, kept, dirs_exist_ok=True)
    return {}


ACTIONS: Mapping[str, Callable[[Job, Mapping[str, Any]], dict[str, str]]] = {
    "checkout": _checkout,
    "setup-python": lambda job, options: {},
    "auth": _auth,
    "upload-artifact": _upload,
}
"""The actions, by the name of their repository."""
