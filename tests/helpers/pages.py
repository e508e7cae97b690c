"""Code on a page of docs/: as a module, as a package that is installed, and in a copy of the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).parents[2]


def text_of(page: str) -> str:
    return (HOME / "docs" / page).read_text(encoding="utf-8")


def code(page: str) -> tuple[str, str]:
    """The path of the page's file, from its heading, and its content."""
    ((path, content),) = re.findall(r"^## (\S+\.py)$.*?^```python\n(.*?)^```$", text_of(page), re.M | re.S)
    return path, content


@cache
def module(page: str) -> ModuleType:
    """The page's file as a module."""
    path, content = code(page)
    made = ModuleType(Path(path).stem)
    exec(compile(content, page, "exec"), made.__dict__)
    return made


def installed(page: str, folder: Path) -> Path:
    """The page's files, built and installed by pip; a folder for PYTHONPATH."""
    project, site = folder / "project", folder / "site"
    project.mkdir()
    for name, content in re.findall(r"^## ([\w.]+)$.*?^```(?:python|toml)\n(.*?)^```$", text_of(page), re.M | re.S):
        (project / name).write_text(content, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", site, project], check=True)
    return site


def line(page: str) -> tuple[str, str]:
    """The path of the registry that the page names first under "The line", and the line."""
    ((path, content),) = re.findall(r"^## The line\n.*?`(\S+\.py)`.*?^```\n(.*?)^```$", text_of(page), re.M | re.S)
    assert content.count("\n") == 1
    return path, content


def program_with(page: str, folder: Path) -> Path:
    """A copy of the program, with the page's file and its line in the registry's tuple; a folder for PYTHONPATH."""
    for package in ("sheets_algo", "engine"):
        shutil.copytree(HOME / package, folder / package)
    for data in ("config", "maps"):
        (folder / data).symlink_to(HOME / data)
    path, content = code(page)
    (folder / path).write_text(content, encoding="utf-8")
    registry, added = line(page)
    before = (folder / registry).read_text(encoding="utf-8")
    opening = re.search(r"^[A-Z]+(?:: tuple\[str, \.\.\.\])? = \(\n", before, re.M)
    assert opening is not None
    (folder / registry).write_text(before[: opening.end()] + added + before[opening.end() :], encoding="utf-8")
    return folder
