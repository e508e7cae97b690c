"""The installed command, or a script, in a process of its own that need not import everything again.

Python imports for about a second before a command does its work. A process that has imported the program already is
forked for each command; the fork runs the command from its first line, with its own folder, environment and output.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from tempfile import TemporaryDirectory

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["scripts.support.warm_start_imports"])
PATH = "PYTHONPATH"
HOME = Path(__file__).parents[2]
SCRIPTS = HOME / "scripts"


class WarmProcess:
    """A running command, with the methods of `subprocess.Popen` that tests use.

    Args:
        words: The words after `sheets-algo`, or after the script.
        folder: The working directory.
        environment: All environment variables.
        out: The file that gets the output.
        err: The file that gets the errors; may be the same.
        script: The script that is run instead of the command.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        out: Path,
        err: Path,
        script: Path | None = None,
    ) -> None:
        for file in (out, err):
            file.write_bytes(b"")
        self.words = words
        arguments = (words, str(folder), dict(environment), [str(out), str(err)], str(script or ""))
        self._process = CONTEXT.Process(target=_become_command, args=arguments)
        self._process.start()

    @property
    def pid(self) -> int:
        """Return the process id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, minus the number of the signal that ended it, or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return the exit code.

        Raises:
            TimeoutExpired: It still runs after this many seconds.
        """
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired(list(self.words), timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def can_be_warm(environment: Mapping[str, str]) -> bool:
    """Return True unless these variables change Python, or lead to modules that hide others or run by themselves."""
    python = {name: value for name, value in environment.items() if name.startswith("PYTHON")}
    added = {path.name.partition(".")[0] for folder in _path_of(python) for path in Path(folder).iterdir()}
    return {*python} <= {PATH} and "sitecustomize" not in added and not any(map(find_spec, added - {"__pycache__"}))


def _path_of(environment: Mapping[str, str]) -> list[str]:
    return environment[PATH].split(os.pathsep) if environment.get(PATH) else []


def run_script(script: Path, *words: object, folder: Path = HOME, **more: str) -> CompletedProcess[str]:
    """Run a script of the project to its end; `more` are environment variables beside those of this process."""
    texts = [*map(str, words)]
    with TemporaryDirectory() as streams:
        out, err = Path(streams, "out"), Path(streams, "err")
        process = WarmProcess(texts, folder, os.environ | more, out, err, script)
        try:
            code = process.wait(300)
        finally:
            process.kill()
        return CompletedProcess([str(script), *texts], code, out.read_text(), err.read_text())


def _become_command(
    words: Sequence[str], folder: str, environment: Mapping[str, str], files: Sequence[str], script: str
) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, file in enumerate(files, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [script or "sheets-algo", *words]
    sys.path[:0] = _path_of(environment)
    if script:
        own = str(Path(script).parent)  # a script finds what Python lets it find, not what tests find
        sys.path[:] = [own, *(place for place in sys.path if place and not Path(place).is_relative_to(SCRIPTS))]
        runpy.run_path(script, run_name="__main__")
        return
    from sheets_algo.__main__ import start

    start()
