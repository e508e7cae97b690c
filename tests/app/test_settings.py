"""Settings: which place goes before which, and what is said of a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheets_algo import settings as module
from sheets_algo.settings import BadSetting, Settings, settings


@pytest.fixture
def places(tmp_path, monkeypatch):
    """An empty home, and the folder of a workbook."""
    home = tmp_path / "home" / "sheets-algo.toml"
    home.parent.mkdir()
    monkeypatch.setattr(module, "_home_file", lambda: home)
    folder = tmp_path / "game"
    folder.mkdir()
    return home, folder


def test_without_anything_set_the_defaults_hold(places):
    assert settings(places[1], {"config": None, "maps": None}, {}) == Settings(config=None, maps=None, log_lines=500)


def test_beside_the_workbook_goes_before_home_the_environment_before_both_flags_before_all(places, tmp_path):
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


def test_a_path_in_a_file_counts_from_that_file_one_in_the_environment_from_here(places, monkeypatch):
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
        ("colour = 3", 'there is no setting "colour". There are config, maps, log_lines.'),
        ("log_lines = 0", '"0" is not a number of lines. Enter a whole number from 1 to 100,000.'),
        ("log_lines = 1e9", "is not a number of lines."),
        ("log_lines = true", '"True" is not a number of lines.'),
        ("maps = 3", 'maps: "3" is not a folder. Enter a path as text.'),
        ('maps = "nowhere"', "there is no folder"),
        ("maps", "cannot be read as settings"),
        ('"\\ud800" = 1', "cannot be read as settings"),
    ],
)
def test_a_slip_is_said_with_its_file(places, content, says):
    _, folder = places
    file = folder / "sheets-algo.toml"
    file.write_text(content)

    with pytest.raises(BadSetting) as slip:
        settings(folder, {}, {})

    assert str(slip.value).startswith(f"{file}: ")
    assert says in str(slip.value)


def test_a_slip_in_the_environment_is_said_with_its_variable(places):
    with pytest.raises(BadSetting, match=r'SHEETS_ALGO_LOG_LINES: "-5" is not a number of lines\.'):
        settings(places[1], {}, {"SHEETS_ALGO_LOG_LINES": "-5"})


def test_a_blank_variable_is_none(places):
    assert settings(places[1], {}, {"SHEETS_ALGO_LOG_LINES": "", "SHEETS_ALGO_MAPS": ""}) == Settings()


def test_other_bytes_than_utf_8_are_said(places):
    (places[1] / "sheets-algo.toml").write_bytes(b'maps = "\xe4"')

    with pytest.raises(BadSetting, match="cannot be read as settings"):
        settings(places[1], {}, {})
