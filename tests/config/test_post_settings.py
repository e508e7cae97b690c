"""Channels of the settings: what is read, and what is said of a slip without repeating a secret."""

from __future__ import annotations

import tomllib

import pytest

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.config.settings import FILE, add_maps, settings
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.stores import find

COMMAND = '[[post]]\nname = "archive"\nto = "command"\ncommand = ["keep", "--all"]\n'


def test_a_channel_is_read_with_its_options(tmp_path):
    (tmp_path / FILE).write_text(COMMAND + 'rulesets = ["x"]\nmotives = ["Raid"]\nundos = false\n', "utf-8")

    (channel,) = settings(tmp_path, {}, {}).post

    assert channel == ChannelSettings(
        name="archive",
        to="command",
        rulesets=("x",),
        motives=("Raid",),
        undos=False,
        command=("keep", "--all"),
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('post = "archive"', "post: this is not a list of channels. Begin each one with a line [[post]]"),
        ('[[post]]\nto = "command"', "post: channel 1: name: give it a name of up to 40 letters"),
        ('[[post]]\nname = "a"\nto = "pigeon"', 'channel "a": to: use '),
        ('[[post]]\nname = "a"\nto = "command"', 'channel "a": command: a channel to command needs it.'),
        ('[[post]]\nname = "a"\nto = "command"\ncommand = "ls"', 'channel "a": command: enter a list of texts'),
        (
            '[[post]]\nname = "a"\nto = "discord"\nsecret_env = "A"\nthread = "1"\nchannel = "2"',
            'channel "a": thread: it cannot be used with channel. A bot takes the id of a thread as channel.',
        ),
        (COMMAND + "undo = true", 'has no "undo". Did you mean "undos"?'),
        (COMMAND + 'undos = "yes"', 'channel "archive": undos: enter true or false.'),
        (COMMAND + COMMAND.replace("archive", "ARCHIVE"), 'channel 2: name: a channel before it is called "ARCHIVE"'),
    ],
)
def test_a_mistake_is_reported_with_file_channel_and_option(tmp_path, content, says):
    (tmp_path / FILE).write_text(content, "utf-8")

    with pytest.raises(BadSetting) as raised:
        settings(tmp_path, {}, {})

    assert says in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / FILE))
    assert "\n" not in str(raised.value)


def test_maps_come_before_the_first_channel(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / FILE).write_text(f"interval = 30\n{COMMAND}", "utf-8")

    assert add_maps(tmp_path, tmp_path / "maps", dry=False) is None

    found = settings(tmp_path, {}, {})
    assert (found.maps, found.interval, [channel.name for channel in found.post]) == (
        tmp_path / "maps",
        30,
        ["archive"],
    )
    assert list(tomllib.loads((tmp_path / FILE).read_text("utf-8"))) == ["interval", "maps", "post"]


DISCORD = '[[post]]\nname = "war room"\nto = "discord"\n'
ADDRESS = "https://discord.com/api/webhooks/1/hush-hush"


def test_a_secret_s_path_is_relative_to_the_settings_file(tmp_path):
    (tmp_path / FILE).write_text(DISCORD + 'secret_file = "webhook.txt"\nthread = "42"\n', "utf-8")

    (channel,) = settings(tmp_path, {}, {}).post

    assert (channel.secret_file, channel.secret_env, channel.thread) == (tmp_path / "webhook.txt", "", "42")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f'secret_file = "{ADDRESS}"', "secret_file: enter the path of a file that holds the secret"),
        (f'secret_env = "{ADDRESS}"', "secret_env: enter the name of an environment variable"),
        (f'webhook = "{ADDRESS}"', "webhook: a secret does not stand here: put it into a file"),
        (f'adress = "{ADDRESS}"', 'a channel to discord has no "adress".'),
        (f'secret_env = "A"\nthread = "{ADDRESS}"', 'thread: enter the id as text: "1234567890".'),
        ('secret_env = "A"\nsecret_file = "b"', "say once where its secret is kept"),
        ("", "say once where its secret is kept"),
        ('secret_env = "A"\nrulesets = ["chess"]', 'post: war room: rulesets: there is no ruleset "chess".'),
    ],
)
def test_messages_never_repeat_possible_secrets(tmp_path, line, says):
    (tmp_path / FILE).write_text(f"{DISCORD}{line}\n", "utf-8")

    with pytest.raises(BadSetting) as raised:
        open_workbooks([find(str(tmp_path / "season.xlsx"))], settings(tmp_path, {}, {}))

    assert says in str(raised.value)
    assert "hush" not in str(raised.value)


WIKI = '[[post]]\nname = "wiki"\nto = "mediawiki"\nuser = "A@b"\nsecret_env = "WIKI"\n'
API = 'address = "https://wiki.example.org/w/api.php"\n'


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (API, "page: a channel to mediawiki needs it."),
        (f'{API}page = "{{war}}"', "page: enter a title with words of its own before"),
        (f'{API}page = "Wars/{{nation}}"', "only {request} and {war} can be used"),
        (f'{API}page = "Wars#x"', "page: enter the title of a page"),
        ('address = "http://wiki.example.org/w/api.php"', "address: enter the address of the wiki's api.php"),
        ('address = "https://a:hush@wiki.example.org/w/api.php"', "address: enter the address of the wiki's api.php"),
        (f'{API}page = "Wars"\nbot = 1', "bot: enter true or false."),
    ],
)
def test_a_wiki_needs_https_and_a_safe_title(tmp_path, lines, says):
    (tmp_path / FILE).write_text(WIKI + lines, "utf-8")

    with pytest.raises(BadSetting) as raised:
        settings(tmp_path, {}, {})

    assert says in str(raised.value)
    assert "hush" not in str(raised.value)
