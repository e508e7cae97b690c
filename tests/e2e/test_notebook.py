"""The cells of docs/notebook.ipynb, run from top to bottom by a real kernel, against the local Sheets server."""

from __future__ import annotations

import html
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.moderator import COMMAND, DRAWING
from scripts.support.patience import PATIENCE_S, wait_until
from tests.e2e.online import URL, Online

if TYPE_CHECKING:
    from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


@pytest.fixture
def lent_computer(online: Online) -> Iterator[tuple[NotebookClient, str]]:
    """The notebook with its first cell filled in, a kernel for it, and the id of the spreadsheet."""
    import nbformat
    from nbclient import NotebookClient

    online = online.newcomer
    book = nbformat.read(NOTEBOOK, as_version=4)
    id = online.server.make("My game")
    first = next(cell for cell in book.cells if cell.cell_type == "code")
    first.source, filled = re.subn(
        r'^(SPREADSHEET|PROGRAM) = ".*"$',
        lambda line: f'{line[1]} = "{URL.format(id) if line[1] == "SPREADSHEET" else "sheets-algo"}"',
        first.source,
        flags=re.M,
    )
    assert filled == 2
    environment = online.moderator.environment(online.environment | DRAWING)
    environment["GOOGLE_APPLICATION_CREDENTIALS"] = environment.pop("SHEETS_ALGO_CREDENTIALS")
    environment["PATH"] = f"{COMMAND.parent}:{environment['PATH']}"
    environment["SHEETS_ALGO_INTERVAL"] = "2"
    del environment["SHEETS_ALGO_FOLDER"]

    client = NotebookClient(book, kernel_name="python3", timeout=round(PATIENCE_S))
    with client.setup_kernel(env=environment, cwd=str(online.moderator.folder)):
        yield client, id


def run(client: NotebookClient, number: int, typed: str | None = None) -> tuple[str, str]:
    """Run a code cell, counted from 0; return what it printed, errors too, and the page that it shows."""
    place = [index for index, cell in enumerate(client.nb.cells) if cell.cell_type == "code"][number]
    cell = client.nb.cells[place]
    source = cell.source
    if typed is not None:  # into the field that the cell shows
        cell.source = f"import getpass\ngetpass.getpass = lambda prompt: {typed!r}\n" + source
    outputs = client.execute_cell(cell, place).outputs
    cell.source = source
    said = [output.get("text", "") or "\n".join(output.get("traceback", ())) for output in outputs]
    shown = [output.data["text/html"] for output in outputs if output.output_type == "execute_result"]
    return "".join(said), "".join(shown)


def press_stop(client: NotebookClient, happened: Callable[[], bool]) -> None:
    """Interrupt the kernel as the square beside a running cell does, once something has happened."""
    wait_until(happened)
    os.kill(client.km.provisioner.pid, signal.SIGINT)


def test_a_volunteer_runs_the_cells_and_the_wars_are_ruled_posted_and_shown(lent_computer, online):
    online = online.newcomer
    client, id = lent_computer
    folder = online.moderator.folder / "sheets-algo"

    with LocalDiscord() as discord:
        said = [run(client, number)[0] for number in range(4)]
        settings, webhook = folder / "sheets-algo.toml", folder / "webhook.txt"
        settings.write_text("requests = 40\n", "utf-8")
        assert "FAIL" not in run(client, 4, typed="")[0]
        assert (settings.read_text("utf-8"), webhook.exists()) == ("requests = 40\n", False)
        said.append(run(client, 4, typed=discord.webhook)[0])
        made = settings.read_text("utf-8")
        assert made.startswith("requests = 40\n\n[[post]]\n")
        for typed in ("", discord.webhook):  # all cells again, since the lent computer was taken back
            run(client, 4, typed=typed)
            assert (settings.read_text("utf-8"), webhook.read_text("utf-8")) == (made, discord.webhook)
        wars = online.column(id, "Request")[:5]
        for war in wars[2:]:
            online.tick(id, war, ready=False)
        said.append(run(client, 5)[0])
        board = run(client, 6)
        said.append(run(client, 7)[0])
        replay = run(client, 8)

        assert said[0] == said[2] == ""
        assert re.search(r"^sheets-algo, version \d", said[1], re.M)
        assert "My game is completed: Guide, War Requests, Flanks" in said[3]
        assert "FAIL" not in said[3] + said[4]
        assert "war room" in said[4]
        assert "No problems." in said[5]
        assert "Fulford" in said[6]
        assert online.column(id, "Status")[:5] == ["Done", "Done", "", "", ""]
        assert len(discord.messages) == 2
        for shown, file in ((board[1], "board.html"), (replay[1], "replay.html")):
            assert html.escape((folder / file).read_text("utf-8")) in shown
        (secret,) = folder.rglob("*.secret")
        assert len(list(folder.rglob("logs/*.txt"))) == 2

        online.tick(id, wars[2])
        stopper = Thread(target=press_stop, args=(client, lambda: len(discord.messages) == 3))
        stopper.start()
        said.append(run(client, 9)[0])
        stopper.join()
    assert "Watched every 2 seconds." in said[7]
    assert online.column(id, "Status")[:5] == ["Done", "Done", "Done", "", ""]
    assert secret.read_text().strip() not in "".join(said)
