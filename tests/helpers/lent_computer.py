"""A computer that a notebook service lends: a folder with uploaded files, a fresh Python, a kernel, nobody's terminal.

As Colab it has the package `google.colab`, whose stand-in does what the notebook needs of it: the login, the Drive of a
person, and files that this person chooses when a cell asks for them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from jupyter_core.utils import run_sync

from scripts.support.patience import PATIENCE_S
from tests.helpers.installs import without_program

if TYPE_CHECKING:
    from nbclient import NotebookClient

COLAB = {
    "__init__.py": "",
    "auth.py": """
import os

def authenticate_user():
    os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = os.environ["COLAB_KEY"]
""",
    "drive.py": """
import os
from pathlib import Path

def mount(mountpoint):
    if " " in mountpoint:
        raise ValueError("Mountpoint must not contain a space.")
    if not os.path.islink(mountpoint):
        Path(mountpoint).symlink_to(os.environ["COLAB_DRIVE"])
""",
    "files.py": """
import os
import shutil

def upload():
    names = [name for name in os.environ["COLAB_CHOSEN"].split(os.pathsep) if name]
    return {name: shutil.copy(name, ".") for name in names}
""",
}
"""The modules of `google.colab`, by the behaviour that its documentation states."""


@dataclass(frozen=True)
class LentComputer:
    """A running kernel with a notebook."""

    client: NotebookClient
    folder: Path  # Where the kernel began and uploaded files lie

    def run(self, number: int, *typed: str) -> tuple[str, str]:
        """Run a code cell, counted from 0, and type into the fields that it shows.

        Returns:
            What it printed, and the page that it shows.
        """
        place = [index for index, cell in enumerate(self.client.nb.cells) if cell.cell_type == "code"][number]
        cell = run_sync(self._execute)(place, typed)
        said = [output.get("text", "") for output in cell.outputs]
        shown = [output.data["text/html"] for output in cell.outputs if output.output_type == "execute_result"]
        return "".join(said), "".join(shown)

    async def _execute(self, place: int, typed: Sequence[str]) -> nbformat.NotebookNode:
        assert self.client.kc is not None
        self.client.kc.allow_stdin = True
        answers = asyncio.ensure_future(self._answer(typed))
        try:
            return await self.client.async_execute_cell(self.client.nb.cells[place], place)
        finally:
            if answers.cancel():
                raise AssertionError(f"the cell did not ask for all of {typed}")

    async def _answer(self, typed: Sequence[str]) -> None:
        assert self.client.kc is not None
        for text in typed:
            await self.client.kc.stdin_channel.get_msg()
            self.client.kc.input(text)


@contextmanager
def lent_computer(
    notebook: Path, computer: Path, environment: Mapping[str, str], *, is_colab: bool = False
) -> Iterator[LentComputer]:
    """Start a kernel that runs a notebook as it is.

    Args:
        computer: Where the computer is made; its folder `content` may hold files already.
        environment: The variables of the kernel. For Colab, COLAB_KEY names a key file, COLAB_DRIVE the folder of a
            Drive, and COLAB_CHOSEN the file that is chosen where a cell asks for one.
    """
    from nbclient import NotebookClient

    python = without_program(computer / "python")
    if is_colab:
        (site,) = python.parent.parent.glob("lib/python*/site-packages")
        (site / "google" / "colab").mkdir(parents=True)
        for name, content in COLAB.items():
            (site / "google" / "colab" / name).write_text(content, encoding="utf-8")
    kernel = computer / "jupyter" / "kernels" / "lent"
    kernel.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    described = {"argv": command, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(described), encoding="utf-8")
    content = computer / "content"
    content.mkdir(exist_ok=True)
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    client = NotebookClient(nbformat.read(notebook, as_version=4), kernel_name="lent", timeout=round(PATIENCE_S))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(kernel.parents[1]))
        with client.setup_kernel(env={**pip, **environment}, cwd=str(content)):
            yield LentComputer(client, content)
    shutil.rmtree(computer / "python")
