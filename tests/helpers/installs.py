"""Installations of the program as people have them, beside the default one that `scripts/test` makes.

One by pipx is whole. One by pip has the packages of the default installation, found by a path in a .pth file, so that
it costs seconds; what pip writes about the program, and what is installed later, is real.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
DEFAULT = Path(sys.prefix) / "default"
"""The environment in which nothing but `pip install .` was typed."""


@dataclass(frozen=True, slots=True)
class Installation:
    """An installed program.

    Args:
        command: The command `sheets-algo`.
        python: The Python of its environment.
        variables: What a shell needs to find the installer again.
    """

    command: Path
    python: Path
    variables: dict[str, str] = field(default_factory=dict)

    def types(self, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Type a line in a shell, on a fresh account; `sheets-algo` is this one."""
        folder.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if name == "LANG" or name.startswith("PIP_")}
        own = {"HOME": str(folder), "PATH": f"{self.command.parent}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            line, shell=True, cwd=folder, env=kept | own | self.variables, capture_output=True, text=True, check=False
        )


def default() -> Installation:
    """Return the installation without extras."""
    command = DEFAULT / "bin" / "sheets-algo"
    assert command.exists(), f"{DEFAULT} is missing; scripts/test makes it"
    return Installation(command, DEFAULT / "bin" / "python")


def in_venv(folder: Path, *options: str) -> Installation:
    """Install the checkout by pip into a new environment, with these options before its path."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-compile", *options, CHECKOUT)
    (site,) = folder.glob("lib/python*/site-packages")
    (packages,) = DEFAULT.glob("lib/python*/site-packages")
    (site / "needs.pth").write_text(f"{packages}\n", encoding="utf-8")
    return Installation(folder / "bin" / "sheets-algo", python)


def made_wheel(folder: Path) -> Path:
    """Return a wheel of the checkout, made in a folder."""
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--wheel-dir", folder)
    run(sys.executable, "-m", "pip", "wheel", *options, CHECKOUT)
    (made,) = folder.glob("*.whl")
    return made


def source_files() -> list[str]:
    """Return the paths of the checkout's files in it, without those that git ignores."""
    listed = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = subprocess.run(listed, cwd=CHECKOUT, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\0")
    return [name for name in names if (CHECKOUT / name).is_file()]


def made_source_zip(folder: Path) -> Path:
    """Return the zip that GitHub makes of the checkout's files: all of them below one folder."""
    made = folder / "sheets-algo-main.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source_files():
            archive.write(CHECKOUT / name, f"sheets-algo-main/{name}")
    return made


def without_program(folder: Path) -> Path:
    """Return the Python of a new environment that has the packages of this one, but not the program."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages = folder / "packages"
    packages.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("sheets_algo", "_sheets_algo", "__editable__")) and path.suffix != ".pth":
            (packages / path.name).symlink_to(path)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n", encoding="utf-8")
    return folder / "bin" / "python"


def by_pipx(folder: Path) -> Installation:
    """Install pipx from the package index, and by it the checkout."""
    subprocess.run([sys.executable, "-m", "venv", folder / "tool"], check=True)
    run(folder / "tool" / "bin" / "python", "-m", "pip", "install", "--no-compile", "pipx")
    pipx = folder / "tool" / "bin" / "pipx"
    variables = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin")}
    variables["PATH"] = f"{folder / 'bin'}{os.pathsep}{pipx.parent}{os.pathsep}{os.environ['PATH']}"
    run(pipx, "install", "--pip-args=--no-compile", CHECKOUT, **variables)
    python = folder / "home" / "venvs" / "sheets-algo" / "bin" / "python"
    return Installation(folder / "bin" / "sheets-algo", python, variables)


def run(*words: object, **variables: str) -> None:
    """Run an installer."""
    done = subprocess.run([*map(str, words)], env=os.environ | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{shlex.join(map(str, words))}\n{done.stdout}{done.stderr}"


def packages_in(installed: Installation) -> frozenset[str]:
    """Return the names of the packages that an installation can import."""
    listed = "import importlib.metadata as m; print(*(d.metadata['Name'].lower() for d in m.distributions()))"
    done = subprocess.run([installed.python, "-I", "-c", listed], capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())
