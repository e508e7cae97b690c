"""Watchers of a Google spreadsheet that post to Discord: each post once, and no ruling waits for Discord."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from localdiscord.server import LocalDiscord

from scripts.support.moderator import COMMAND, only, season
from scripts.support.workbooks import SECRET
from tests.e2e.online import URL, Online, watching

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=20) as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture
def posting(online: Online, discord: LocalDiscord) -> Online:
    file = online.moderator.folder / "webhook.txt"
    file.write_text(discord.webhook, "utf-8")
    file.chmod(0o600)
    channel = '[[post]]\nname = "war room"\nto = "discord"\nsecret_file = "webhook.txt"\n'
    (online.moderator.folder / "sheets-algo.toml").write_text(channel, "utf-8")
    return online


def test_two_watchers_post_each_receipt_once_and_a_tick_becomes_a_post(posting, discord):
    id = posting.make(only(season()))
    with (
        posting.watches(URL.format(id)) as first,
        watching(posting.moderator, [URL.format(id)], posting.environment) as second,
    ):
        first.hears("Watched every 2 seconds.")
        for request in ("W-0004", "W-0001", "W-0002"):
            posting.tick(id, request)
        second.until(lambda: len(discord.messages) == 3)
        first.until(lambda: posting.column(id, "State", "Posts") == ["Posted"] * 3)

    footers = [message.data["embeds"][0]["footer"]["text"] for message in discord.messages]
    assert [text.partition(" ·")[0] for text in footers] == ["Receipt 2", "Receipt 3", "Receipt 4"]
    assert posting.column(id, "Reference", "Posts") == [message.id for message in discord.messages]


def test_a_silent_discord_delays_no_ruling_and_its_secret_is_never_shown(posting, discord):
    id = posting.make(only(season()))
    discord.fail("silence", times=9)
    with posting.watches(URL.format(id), "--verbose") as watcher:
        watcher.hears("Watched every 2 seconds.")
        posting.tick(id, "W-0004")
        watcher.until(lambda: len(discord.asked) == 1)
        posting.tick(id, "W-0001")
        watcher.hears("W-0001")
        assert posting.rulings(id) == ["W-0004", "W-0001"]
        assert posting.column(id, "State", "Posts") == ["Sending", "Waiting"]

    folder = posting.moderator.folder
    kept = [file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.name != "webhook.txt"]
    assert [content for content in kept if discord.token.encode() in content] == []


CRON = re.search(r"^\*/5 \* \* \* \* (.*)$", (DOCS / "running.md").read_text("utf-8"), re.M)
UNIT = (DOCS / "deploy" / "sheets-algo-run.service").read_text("utf-8")
WORKFLOW = yaml.safe_load((DOCS / "deploy" / "github-actions.yml").read_text("utf-8"))
NOTEBOOK = json.loads((DOCS / "notebook.ipynb").read_text("utf-8"))


def of_cron() -> str:
    assert CRON
    return CRON[1].replace(" URL ", ' "$SPREADSHEET" ')


def of_systemd() -> str:
    folder, start = (re.search(rf"^{name}=(.*)$", UNIT, re.M) for name in ("WorkingDirectory", "ExecStart"))
    assert folder
    assert start
    return f"cd {folder[1]} && {start[1]}".replace("%h", "$HOME")


def of_github() -> str:
    """In a repository whose settings are those of the moderator's computer, where the key file is."""
    steps = WORKFLOW["jobs"]["run"]["steps"]
    (login,) = (step for step in steps if "/auth@" in step.get("uses", ""))
    (step,) = (step for step in steps if step.get("name") == "One pass")
    key = f"${{{{ steps.{login.get('id')}.outputs.credentials_file_path }}}}"
    own = "".join(
        f'export {name}="$GOOGLE_APPLICATION_CREDENTIALS"\n' for name, value in step["env"].items() if value == key
    )
    settings = """sed -i '1i credentials = "key.json"' sheets-algo.toml"""
    return f"cd ~/my-game\n{settings}\nunset SHEETS_ALGO_CREDENTIALS\n{own}{step['run']}"


def of_notebook() -> str:
    sources = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    (command,) = (source for source in sources if source.startswith("!sheets-algo run"))
    return f"cd ~/my-game\n{command.removeprefix('!')}"


@pytest.mark.parametrize("sample", [of_cron, of_systemd, of_github, of_notebook])
def test_each_documented_sample_posts_its_rulings(posting, discord, sample):
    home, id = posting.moderator.folder / "home", posting.make(only(season(), "W-0001"))
    game, program = home / "my-game", home / ".local" / "bin" / "sheets-algo"
    game.mkdir(parents=True)
    program.parent.mkdir(parents=True)
    program.symlink_to(COMMAND)
    for name in ("sheets-algo.toml", "webhook.txt"):
        shutil.copy2(posting.moderator.folder / name, game / name)
    environment = posting.moderator.environment(posting.environment)
    path = f"{program.parent}:{environment['PATH']}"
    environment |= {"HOME": str(home), "PATH": path, "SPREADSHEET": URL.format(id)}
    environment["SHEETS_ALGO_FOLDER"] = str(posting.moderator.folder / "state")
    key = str(posting.moderator.folder / environment["SHEETS_ALGO_CREDENTIALS"])
    environment |= {"SHEETS_ALGO_CREDENTIALS": key, "GOOGLE_APPLICATION_CREDENTIALS": key}

    done = subprocess.run(["bash", "-e", "-c", sample()], env=environment, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert len(discord.messages) == 1
    assert posting.column(id, "State", "Posts") == ["Posted"]


def test_pst_15_an_older_version_without_a_record_repeats_no_post(posting, discord):
    """As on GitHub's computers: each pass has a new folder, and the secret in the environment."""
    id = posting.make(only(season(), "W-0001", "W-0002"))
    secret = {"SHEETS_ALGO_SECRET": SECRET.key.decode()}
    assert posting.types("run", URL.format(id), "--no-post", SHEETS_ALGO_FOLDER="first", **secret).code == 0
    before = posting.server.tab(id, "Posts")
    discord.fail("429")
    assert posting.types("post", URL.format(id), SHEETS_ALGO_FOLDER="second", **secret).code == 0
    assert len(discord.messages) == 2

    width = max(map(len, before))
    posting.server.type(id, "Posts!A1", [[*row, *[""] * (width - len(row))] for row in before])
    said = posting.types("post", URL.format(id), SHEETS_ALGO_FOLDER="third", **secret)

    assert (said.code, len(discord.messages)) == (0, 2)
    assert posting.column(id, "State", "Posts") == ["Posted", "Posted"]

    posting.server.type(id, "Posts!A2", [[""] * width] * 2)  # the rows are gone
    said = posting.types("post", URL.format(id), SHEETS_ALGO_FOLDER="fourth", **secret)
    assert said.out.count("was gone from Posts, and is made again.") == 2
    assert (len(discord.messages), posting.column(id, "State", "Posts")[-2:]) == (2, ["Posted", "Posted"])


def test_pst_07_runs_without_memory_keep_a_long_pause_of_discord(posting, discord):
    """As from cron on GitHub's computers: each run is another process in a new folder."""
    id = posting.make(only(season(), "W-0001"))
    secret = {"SHEETS_ALGO_SECRET": SECRET.key.decode()}
    discord.retry_after = 3 * 3_600.0
    discord.fail("429", times=99)

    said = [posting.types("run", URL.format(id), SHEETS_ALGO_FOLDER=folder, **secret) for folder in ("one", "two", "3")]

    assert len(discord.asked) == 1
    assert "Discord asks to wait 10,800 seconds." in said[0].out + said[0].err
    (until,) = posting.column(id, "Time", "Posts")
    for later in said[1:]:
        assert f"war room is left alone until {until}, as it asked." in later.out + later.err

    discord.faults.clear()
    heads = posting.server.tab(id, "Posts")[0]
    posting.server.type(id, f"Posts!{chr(ord('A') + heads.index('Time'))}2", [[""]])  # a person does not wait
    assert posting.types("run", URL.format(id), SHEETS_ALGO_FOLDER="4", **secret).code == 0
    assert len(discord.messages) == 1


def test_pst_16_the_standing_message_survives_a_deleted_tab_of_posts(posting, discord):
    with (posting.moderator.folder / "sheets-algo.toml").open("a", encoding="utf-8") as file:
        file.write("standing = true\n")
    id = posting.make(only(season()))
    for _ in range(2):
        assert posting.types("post", URL.format(id)).code == 0
    assert [message.data["embeds"][0]["title"] for message in discord.messages] == ["Where things stand"]

    posting.server.user(id, [{"deleteSheet": {"sheetId": posting.server.tabs(id)["Posts"]}}])
    posting.tick(id, "W-0001")
    for command in ("post", "run"):
        assert posting.types(command, URL.format(id)).code == 0

    titles = [message.data["embeds"][0]["title"] for message in discord.messages]
    assert (titles.count("Where things stand"), len(titles)) == (1, 2)
    assert "1 of 1 won" in discord.messages[0].data["embeds"][0]["description"]
    assert posting.column(id, "State", "Posts") == ["Posted", "Posted"]
