"""Settings: which place goes before which, and what is said of a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheets_algo.config import settings as module
from sheets_algo.config.settings import Settings, settings
from sheets_algo.workbook.errors import BadSetting


@pytest.fixture
def places(tmp_path, monkeypatch):
    """An empty home, and the folder of a workbook."""
    home = tmp_path / "home" / "sheets-algo.toml"
    home.parent.mkdir()
    monkeypatch.setattr(module, "_home_file", lambda: home)
    folder = tmp_path / "game"
    folder.mkdir()
    return home, folder


def test_unset_settings_take_their_defaults(places):
    assert settings(places[1], {"config": None, "maps": None}, {}) == Settings(config=None, maps=None, log_lines=500)


def test_flags_override_environment_workbook_and_home(places, tmp_path):
    home, folder = places
    for name in ("home/maps", "game/maps", "typed"):
        (tmp_path / name).mkdir()

    home.write_text('log_lines = 100\nmaps = "maps"')
    assert settings(folder, {}, {}) == Settings(log_lines=100, maps=home.parent / "maps")

    (folder / "sheets-algo.toml").write_text('maps = "maps"')
    assert settings(folder, {}, {}) == Settings(log_lines=100, maps=folder / "maps")

    environment = {"SHEETS_ALGO_LOG_LINES": "300", "SHEETS_ALGO_MAPS": str(tmp_path)}
    assert settings(folder, {"maps": None}, environment) == Settings(log_lines=300, maps=tmp_path)

    typed = tmp_path / "typed"
    assert settings(folder, {"maps": typed}, environment) == Settings(log_lines=300, maps=typed)


def test_paths_are_relative_to_their_file_or_the_current_folder(places, monkeypatch):
    _, folder = places
    (folder / "own").mkdir()
    (folder / "sheets-algo.toml").write_text('config = "own"')
    assert settings(folder, {}, {}).config == folder / "own"

    monkeypatch.chdir(folder)
    assert settings(folder, {}, {"SHEETS_ALGO_CONFIG": "own"}).config == Path("own")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("log_line = 3", 'there is no setting "log_line". Did you mean "log_lines"?'),
        (
            "language = 3",
            'there is no setting "language". There are config, maps, world_map, log_lines, how_lucky, pictures,'
            " replays, title, boards, site, site_hides, losses, dead_leaders, rules, luck, beacons,"
            " beacon_chain, credentials, folder, interval, requests, workbooks, adopt, post_after_run, post.",
        ),
        ("log_lines = 0", '"0" is not a number of lines. Enter a whole number from 1 to 100,000.'),
        ("log_lines = 1e9", "is not a number of lines."),
        ("log_lines = true", '"True" is not a number of lines.'),
        ("maps = 3", 'maps: "3" is not a folder. Enter a path as text.'),
        ("title = 3", '"3" is not a title. Enter a text of at most 80 characters.'),
        ("how_lucky = 1", '"1" is neither true nor false. Enter one of them.'),
        ('losses = "subtract"', '"subtract" is not allowed. Use tell or apply.'),
        ('dead_leaders = "rise"', '"rise" is not allowed. Use warn or refuse.'),
        ('rules = "mine"', 'there are no rules of the name "mine". Use history or source.'),
        ('luck = "dice"', '"dice" is not allowed. Use secret or beacon.'),
        ("beacons = 3", '"3" is not a list of hosts. Enter their addresses as ["https://...", "https://..."].'),
        (
            'beacons = ["http://api.drand.sh"]',
            '"http://api.drand.sh" is not the address of a host. Enter it as https://',
        ),
        ("beacon_chain = 3", '"3" is not a file that describes a beacon. Enter a path as text.'),
        ('maps = "nowhere"', "does not exist"),
        ("credentials = []", 'credentials: "[]" is not a key file. Enter a path as text.'),
        ('credentials = ["a.json", 3]', 'credentials: "3" is not a key file. Enter a path as text.'),
        ("credentials = 3", 'credentials: "3" is not a key file. Enter a path as text.'),
        ('folder = "sheets-algo.toml"', "is a file. Enter the path of a folder; it is made when it is needed."),
        ("interval = 1.9", '"1.9" is not an interval. Enter a number of seconds from 2 to 86,400.'),
        ("interval = nan", '"nan" is not an interval.'),
        ('interval = "soon"', '"soon" is not an interval.'),
        ("interval = true", '"True" is not an interval.'),
        ("requests = 0", '"0" is not a number of requests a minute. Enter a whole number from 1 to 1,000.'),
        ("requests = 45.5", '"45.5" is not a number of requests a minute.'),
        ("workbooks = 3", '"3" is not a list of workbooks. Enter URLs or paths as ["...", "..."].'),
        ("workbooks = [3]", '"[3]" is not a list of workbooks.'),
        ("maps", "cannot be read as settings"),
        ("credentials = key.json", "Write texts in quotation marks"),
        ('folder = "C:\\Users"', "/ instead of a backslash"),
        ('"\\ud800" = 1', "cannot be read as settings"),
    ],
)
def test_a_mistake_is_reported_with_its_file(places, content, says):
    _, folder = places
    file = folder / "sheets-algo.toml"
    file.write_text(content)

    with pytest.raises(BadSetting) as slip:
        settings(folder, {}, {})

    assert str(slip.value).startswith(f"{file}: ")
    assert says in str(slip.value)


def test_a_mistake_in_the_environment_is_reported_with_its_variable(places):
    with pytest.raises(BadSetting, match=r'SHEETS_ALGO_LOG_LINES: "-5" is not a number of lines\.'):
        settings(places[1], {}, {"SHEETS_ALGO_LOG_LINES": "-5"})


def test_a_blank_variable_counts_as_unset(places):
    assert settings(places[1], {}, {"SHEETS_ALGO_LOG_LINES": "", "SHEETS_ALGO_MAPS": ""}) == Settings()


def test_beacon_hosts_must_be_https_or_local(places: tuple[Path, Path]) -> None:
    hosts = "https://api.drand.sh, https://drand.example:6875/relay, http://127.0.0.1:8700, http://localhost:1, http://[::1]:2"
    assert settings(places[1], {}, {"SHEETS_ALGO_BEACONS": hosts}).beacons == tuple(hosts.split(", "))


@pytest.mark.parametrize("content", [b'maps = "\xe4"', "requests = 20".encode("utf-16")])
def test_files_that_are_not_utf_8_are_reported(places, content):
    (places[1] / "sheets-algo.toml").write_bytes(content)

    with pytest.raises(BadSetting, match="cannot be read as settings: save it with the encoding UTF-8"):
        settings(places[1], {}, {})


def test_a_utf_8_byte_order_mark_is_ignored(places):
    (places[1] / "sheets-algo.toml").write_bytes(b"\xef\xbb\xbfrequests = 20")

    assert settings(places[1], {}, {}).requests == 20


def test_settings_cover_the_watcher_s_options(places):
    _, folder = places
    (folder / "sheets-algo.toml").write_text(
        'workbooks = ["https://docs.google.com/spreadsheets/d/abc/edit", "1066.xlsx"]\n'
        'credentials = "key.json"\nfolder = "state"\ninterval = 30\nrequests = 20\n'
    )

    assert settings(folder, {}, {}) == Settings(
        workbooks=("https://docs.google.com/spreadsheets/d/abc/edit", str(folder / "1066.xlsx")),
        credentials=folder / "key.json",
        folder=folder / "state",
        interval=30.0,
        requests=20,
    )


def test_workbooks_in_the_environment_are_separated_by_commas(places):
    found = settings(places[1], {}, {"SHEETS_ALGO_WORKBOOKS": "a b.xlsx, https://docs.google.com/spreadsheets/d/x,"})

    assert found.workbooks == ("a b.xlsx", "https://docs.google.com/spreadsheets/d/x")


def test_a_mistake_in_a_flag_is_reported_with_the_flag(places):
    with pytest.raises(BadSetting, match=r'^--interval: "1" is not an interval\.'):
        settings(places[1], {"interval": "1"}, {})


def test_data_of_spreadsheets_defaults_to_the_user_s_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert Settings().data_folder == tmp_path / "sheets-algo"
    assert Settings(folder=Path("here")).data_folder == Path("here")
