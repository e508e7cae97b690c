"""The cells of docs/notebook.ipynb as they are, run by a real kernel, against the local Sheets server."""

from __future__ import annotations

import html
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.moderator import DRAWING
from scripts.support.patience import wait_until
from tests.e2e.online import URL, Online
from tests.helpers.installs import made_source_zip, made_wheel
from tests.helpers.lent_computer import lent_computer

if TYPE_CHECKING:
    from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
SPREADSHEET, LOGIN, PROGRAM, TABS, DISCORD, CHECK, BOARD, RUN, REPLAY, WATCH = range(10)
"""The numbers of the code cells."""


def variables(online: Online) -> dict[str, str]:
    """Return the variables of a lent computer that talks to the local server, with the key under its usual name."""
    made = online.moderator.environment(online.environment | DRAWING | {"SHEETS_ALGO_INTERVAL": "2"})
    del made["SHEETS_ALGO_FOLDER"]
    made["GOOGLE_APPLICATION_CREDENTIALS"] = made.pop("SHEETS_ALGO_CREDENTIALS")
    return made


def press_stop(client: NotebookClient, happened: Callable[[], bool]) -> None:
    """Interrupt the kernel as the square beside a running cell does, once something has happened."""
    wait_until(happened)
    os.kill(client.km.provisioner.pid, signal.SIGINT)


@pytest.mark.first(1)
def test_the_cells_of_the_notebook_rule_post_and_show_the_wars(online, tmp_path):
    online = online.newcomer
    id = online.server.make("My game")
    (tmp_path / "computer" / "content").mkdir(parents=True)
    made_wheel(tmp_path / "computer" / "content")

    with (
        LocalDiscord() as discord,
        lent_computer(NOTEBOOK, tmp_path / "computer", variables(online)) as computer,
    ):
        run, folder = computer.run, computer.folder / "sheets-algo"
        said = [run(SPREADSHEET, URL.format(id))[0], *(run(number)[0] for number in (LOGIN, PROGRAM, TABS))]
        settings, webhook = folder / "sheets-algo.toml", folder / "webhook.txt"
        settings.write_text("requests = 40\n", "utf-8")
        assert "FAIL" not in run(DISCORD, "")[0]
        assert (settings.read_text("utf-8"), webhook.exists()) == ("requests = 40\n", False)
        said.append(run(DISCORD, discord.webhook)[0])
        made = settings.read_text("utf-8")
        assert made.startswith("requests = 40\n\n[[post]]\n")
        for typed in ("", discord.webhook):  # all cells again, since the lent computer was taken back
            run(DISCORD, typed)
            assert (settings.read_text("utf-8"), webhook.read_text("utf-8")) == (made, discord.webhook)
        wars = online.column(id, "Request")[:5]
        for war in wars[2:]:
            online.tick(id, war, ready=False)
        said.append(run(CHECK)[0])
        board = run(BOARD)
        said.append(run(RUN)[0])
        replay = run(REPLAY)

        assert said[SPREADSHEET] == said[LOGIN] == ""
        assert re.search(r"^sheets-algo, version \d", said[PROGRAM], re.M)
        assert "My game is completed: Guide, War Requests, Flanks" in said[TABS]
        assert "FAIL" not in said[TABS] + said[4]
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
        stopper = Thread(target=press_stop, args=(computer.client, lambda: len(discord.messages) == 3))
        stopper.start()
        said.append(run(WATCH)[0])
        stopper.join()
    assert "Watched every 2 seconds." in said[7]
    assert online.column(id, "Status")[:5] == ["Done", "Done", "Done", "", ""]
    assert secret.read_text().strip() not in "".join(said)


@pytest.mark.first(1)
def test_colab_fetches_the_program_once_and_keeps_it_in_the_drive(online, tmp_path):
    """The zip that GitHub makes is chosen; the second computer that is lent has the Drive of the first."""
    from nbclient.exceptions import CellExecutionError

    online = online.newcomer
    id = online.server.make("My game")
    drive, chosen = tmp_path / "drive", tmp_path / "sheets-algo-main (1).zip"
    (drive / "MyDrive").mkdir(parents=True)
    made_source_zip(tmp_path).rename(chosen)
    environment = variables(online) | {"COLAB_DRIVE": str(drive), "COLAB_CHOSEN": str(chosen)}
    environment["COLAB_KEY"] = environment.pop("GOOGLE_APPLICATION_CREDENTIALS")
    with lent_computer(NOTEBOOK, tmp_path / "first", environment, is_colab=True) as computer:
        computer.run(SPREADSHEET, URL.format(id))
        said = [computer.run(cell)[0] for cell in (LOGIN, PROGRAM, TABS, LOGIN, PROGRAM)]  # two of them once more
    (kept,) = (drive / "MyDrive" / "sheets-algo").glob("*.zip")
    kept.rename(tmp_path / kept.name)
    nothing_chosen = environment | {"COLAB_CHOSEN": ""}
    with lent_computer(NOTEBOOK, tmp_path / "second", nothing_chosen, is_colab=True) as computer:
        computer.run(SPREADSHEET, URL.format(id))
        computer.run(LOGIN)
        with pytest.raises(CellExecutionError, match=r"neither sheets_algo-\.\.\.\.whl nor sheets-algo"):
            computer.run(PROGRAM)
        (tmp_path / kept.name).rename(kept)
        said += [computer.run(cell)[0] for cell in (PROGRAM, TABS)]

    for version in (said[1], said[4], said[5]):
        assert re.search(r"^sheets-algo, version \d", version, re.M)
    assert "My game is completed" in said[2]
    assert "Nothing to do: My game has every tab." in said[6]
    assert "FAIL" not in said[2] + said[6]
