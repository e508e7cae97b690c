"""The core alone: a copy of the checkout without the games, and the tests that it has left.

`scripts/test --core` runs them. A game is a ruleset of `pyproject.toml` other than `autoalgo`; what belongs to it is
each file that is called like it, also with more behind a hyphen, or lies in such a folder, and its line there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
RULESETS = "sheets_algo.rulesets"
CORE = "autoalgo"
OWN = ("sheets_algo", "_sheets_algo", "engine", "__editable__")
"""How files in an environment begin that an installation of the program has made."""
BESIDE = ("*.tgz", "*.whl", "audit")
"""What `scripts/test` keeps in `.venv` beside packages."""


def games(checkout: Path = CHECKOUT) -> tuple[str, ...]:
    """Return the names of the games, from the entry points of the checkout."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return tuple(name for name in project["entry-points"][RULESETS] if name != CORE)


def make(folder: Path) -> Path:
    """Copy the checkout without its games into a new folder, and return the Python of its own `.venv`."""
    without = games()
    for name in _git(CHECKOUT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0"):
        file = CHECKOUT / name
        if file.is_file() and not any(re.split("[.-]", part)[0] in without for part in Path(name).parts):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, folder / name, follow_symlinks=False)
    project = folder / "pyproject.toml"
    project.write_text(without_games(project.read_text(encoding="utf-8")), encoding="utf-8")
    assert games(folder) == ()
    _git(folder, "init", "--quiet")
    _git(folder, "add", "--all")
    return _install_in_place(folder)


def without_games(declarations: str) -> str:
    """Return declarations of rulesets without those of the games."""
    return re.sub(rf'^({"|".join(games())}) = "?sheets_algo\.forms\..*\n', "", declarations, flags=re.M)


def _environment(folder: Path, packages: Path) -> Path:
    """Make an environment that shares its packages with another one, all but the program; return its own packages."""
    _run(sys.executable, "-m", "venv", "--without-pip", folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for path in packages.iterdir():
        if not path.name.startswith(OWN) and path.suffix != ".pth":
            (site / path.name).symlink_to(path)
    return site


def _install_in_place(checkout: Path) -> Path:
    """Make the `.venv` of a checkout as `pip install --editable .` does, and return its Python."""
    packages = Path(sysconfig.get_path("purelib"))
    site = _environment(checkout / ".venv", packages)
    (site / "sheets_algo.pth").write_text(f"{checkout}\n", encoding="utf-8")
    (metadata,) = packages.glob("sheets_algo-*.dist-info")
    shutil.copytree(metadata, site / metadata.name)
    declared = site / metadata.name / "entry_points.txt"
    declared.write_text(without_games(declared.read_text(encoding="utf-8")), encoding="utf-8")
    python = checkout / ".venv" / "bin" / "python"
    for path in Path(sys.executable).parent.iterdir():
        if path.name == "sheets-algo":
            lines = path.read_text(encoding="utf-8").partition("\n")[2]
            (python.parent / path.name).write_text(f"#!{python}\n{lines}", encoding="utf-8")
            (python.parent / path.name).chmod(0o755)
        elif not (python.parent / path.name).exists():
            (python.parent / path.name).symlink_to(path)
    for pattern in BESIDE:
        for path in Path(sys.prefix).glob(pattern):
            (checkout / ".venv" / path.name).symlink_to(path)
    return python


def install_default(checkout: Path) -> None:
    """Make the environment in which nothing but the program is installed, if there is one to share packages with."""
    for packages in Path(sys.prefix).glob("default/lib/python*/site-packages"):
        default, wheels = checkout / ".venv" / "default", checkout / ".venv" / "wheels"
        _environment(default, packages)
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        _run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, checkout)
        options = ("--no-deps", "--no-compile", *wheels.glob("*.whl"))
        _run(*pip, "--python", default / "bin" / "python", "install", *options)


def main() -> int:
    """Make the core's tree, write its generated pages, run its tests, and return the exit code of pytest."""
    with tempfile.TemporaryDirectory(prefix="sheets-algo-core-") as folder:
        tree = Path(folder) / "sheets-algo"
        python = make(tree)
        install_default(tree)
        _run(python, tree / "scripts" / "docs")
        _run(python, tree / "scripts" / "docs", "--schemas")
        options = ("--quiet", "-p", "no:randomly", "--numprocesses=3", "--dist=worksteal")
        return subprocess.run([python, "-m", "pytest", *options, *sys.argv[1:]], cwd=tree, env=clean()).returncode


def clean() -> dict[str, str]:
    """Return the environment variables of this process without those that lead to another program."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def _run(*words: object) -> None:
    done = subprocess.run([*map(str, words)], env=clean(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
