"""The library: files read from the package or the checkout, overlaid, checked, and every slip said in one line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.autoalgo.setup.tables import TABLES, Tables
from engine.config_value import TableError
from engine.shapes import Choice, ListOf, MapOf, Number, Shape, Text
from scripts.support.toys import NAMES as TOYS
from sheets_algo.config.loader import ConfigError, ConfigLoader
from sheets_algo.forms.rulesets import open_forms

CONFIG = Path(__file__).resolve().parents[2] / "config"
RULESET = "autoalgo"
TABLE = f"tables/{RULESET}/weights.json"


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "tables" / RULESET).mkdir(parents=True)
    return folder


def write(overlay: Path, content: Any, name: str = TABLE) -> Path:
    file = overlay / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return file


def refused(overlay: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        ConfigLoader(overlay).build(RULESET, Tables.of, TABLES)
    return str(caught.value)


def test_rulesets_are_found_by_their_folder() -> None:
    """Those of plug-ins, too."""
    folders = {folder.name for folder in (CONFIG / "tables").iterdir()}

    assert set(ConfigLoader().rulesets) == folders | {*TOYS}


def test_raw_tables_equal_the_files() -> None:
    raw = ConfigLoader().raw(RULESET)

    files = {
        file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (CONFIG / "tables" / RULESET).glob("*.json")
    }
    assert raw == files


def test_only_the_requested_ruleset_is_read(overlay: Path) -> None:
    """A broken file of one ruleset is no trouble to another."""
    write(overlay, b"{")
    other = next(name for name in ConfigLoader().rulesets if name != RULESET)

    assert ConfigLoader(overlay).raw(other)


def test_tables_are_built_once_for_all_passes() -> None:
    library = ConfigLoader()

    first, second = open_forms(library), open_forms(library)

    assert [one.key for one, other in zip(first, second, strict=True) if one.tables is not other.tables] == []  # type: ignore[attr-defined]
    assert not set(map(id, first)) & set(map(id, second)), "a form may keep what it read in a pass"
    assert open_forms(ConfigLoader())[0].tables is not first[0].tables  # type: ignore[attr-defined]


def test_an_overlay_replaces_file_by_file(overlay: Path) -> None:
    write(overlay, {"major": 5, "moderate": 2, "minor": 1})
    plain, own = ConfigLoader().raw(RULESET), ConfigLoader(overlay).raw(RULESET)

    assert own["weights"]["major"] == 5
    assert {name for name in plain if plain[name] != own[name]} == {"weights"}


def test_a_byte_order_mark_is_ignored(overlay: Path) -> None:
    write(overlay, b'\xef\xbb\xbf{"major": 5, "moderate": 2, "minor": 1}')

    assert ConfigLoader(overlay).raw(RULESET)["weights"]["major"] == 5


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"major": -1, "moderate": 2, "minor": 1}, "#/major: -1 is not allowed. Use a number above 0."),
        ({"major": "3", "moderate": 2, "minor": 1}, '#/major: "3" is not allowed. Use a number.'),
        ({"major": 3, "moderate": 2}, ': "minor" is missing.'),
        (
            {"major": 3, "moderate": 2, "minor": 1, "modrate": 2},
            '#/modrate: "modrate" is not allowed here. Did you mean "moderate"?',
        ),
        ([], ": [] is not allowed. Use names with values in braces."),
        (b'{"major": 3,\n "moderate": 2,\n "minor": 1,}', "line 3, column 1"),
        (b'{"major": 3, "major": 4, "moderate": 2, "minor": 1}', ': "major" is there twice; keep one'),
        (b'{"major": NaN, "moderate": 2, "minor": 1}', ": NaN is not a number that can be used."),
        (b'{"major": 1e999, "moderate": 2, "minor": 1}', ": 1e999 is not a number that can be used."),
        ('{"über": 1}'.encode("latin-1"), ": byte 3 is not UTF-8; save the file in that encoding."),
        (b"", "line 1, column 1: not valid JSON: "),
    ],
)
def test_a_mistake_is_one_line_with_file_place_and_allowed_values(content: Any, expected: str, overlay: Path) -> None:
    file = write(overlay, content)

    message = refused(overlay)

    assert message.startswith(str(file))
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "path", "value", "expected"),
    [
        ("attrition", "values/Desert/siege", 7, "#/values/Desert/siege: 7 is not allowed. Use a number from 0 to 1."),
        ("strategy", "ends_when", "route", '#/ends_when: "route" is not allowed. Did you mean "routed"?'),
        ("strategy", "hours_most", 1.5, "#/hours_most: 1.5 is not allowed. Use a whole number."),
        ("strategy", "new_flank/attacker", [1], "#/new_flank/attacker: 1 entries are not allowed. Use exactly 2."),
        ("terrain", "legend/0/rgb", [1, 2, 256], "#/legend/0/rgb/2: 256 is not allowed. Use a number from 0 to 255."),
        ("terrain", "legend/0/speed", "ship", '#/legend/0/speed: "ship" is not allowed. Use a number or null.'),
        ("units", "units/1/Name", "", '#/units/1/Name: "" is empty; a value is required here.'),
        ("units", "units/1/Shok", 1, '#/units/1/Shok: "Shok" is not a column of Units. Did you mean "Shock"?'),
        ("variables", "VAR-DEF/major", ["training", "training"], "#/VAR-DEF/major: a value is there twice in "),
        ("constants", "ATK-07/rout_below", 1, 'Did you mean "routed_below"?'),
        ("diet", "crops/Wheat", {}, '#/crops/Wheat: "protein" is missing.'),
    ],
)
def test_mistakes_deep_in_a_file_are_located(name: str, path: str, value: Any, expected: str, overlay: Path) -> None:
    write(overlay, _changed(name, path, value), f"tables/{RULESET}/{name}.json")

    assert expected in refused(overlay)


@pytest.mark.parametrize(
    ("shape", "content", "sentence"),
    [
        (Number(whole=True, null=True), "x", '"x" is not allowed. Use a whole number or null.'),
        (Number(high=5), 6, "6 is not allowed. Use a number up to 5."),
        (Number(low=5), 4, "4 is not allowed. Use a number 5 or more."),
        (Number(above=0, high=1), 0, "0 is not allowed. Use a number above 0 and up to 1."),
        (Number(low=0, high=100, words=("good", "poor")), "god", '"god" is not allowed. Did you mean "good"?'),
        (Number(low=0, high=100, words=("good", "poor")), 101, "101 is not allowed. Use a number from 0 to 100."),
        (Number(low=0, high=100, words=("good", "poor")), None, "null is not allowed. Use a number."),
        (ListOf(Number(), 1), [], "0 entries are not allowed. Use at least 1."),
        (ListOf(Number(), most=1), [1, 2], "2 entries are not allowed. Use 0 to 1."),
        (MapOf(Number(), 1), {}, "{} is empty; a value is required here."),
        (Text(longest=2), "abc", '"abc" has 3 characters. Use at most 2.'),
        (Text("^[A-Z]$"), "ab", '"ab" is not written as it must be: ^[A-Z]$.'),
        (Choice(("left", "right")), "up", '"up" is not allowed. Use "left" or "right".'),
        (Choice(("left", "right")), "Right", '"Right" is not allowed. Did you mean "right"?'),
    ],
)
def test_each_kind_of_mistake_has_its_sentence(shape: Shape, content: Any, sentence: str) -> None:
    with pytest.raises(TableError) as caught:
        shape.read(content, {})
    assert caught.value.what == sentence


def test_mistakes_of_all_files_are_reported_together(overlay: Path) -> None:
    write(overlay, {"major": 0, "moderate": 0})
    write(overlay, b"{", f"tables/{RULESET}/diet.json")
    write(overlay, _changed("climate", "ocean", 1), f"tables/{RULESET}/climate.json")
    (overlay / "tables" / RULESET / "diet.json").unlink()

    lines = refused(overlay).splitlines()

    places = [re.sub(r"^.*/(\w+\.json\S*):.*$", r"\1", line) for line in lines]
    assert places == ["climate.json#/ocean", "weights.json", "weights.json#/major", "weights.json#/moderate"]


def test_contradictions_between_files_are_reported_with_single_mistakes(overlay: Path) -> None:
    content = _changed("variables", "VAR-DEF/range", [0, "x"])
    content["VAR-CAP"]["minor"] = ["no term"]
    write(overlay, content, f"tables/{RULESET}/variables.json")
    assert re.findall(r"#(\S+): ", refused(overlay)) == ["/VAR-DEF/range/1"]

    content["VAR-DEF"]["range"] = [0, 1]
    content["VAR-EFF"]["minor"] = ["no other term"]
    write(overlay, content, f"tables/{RULESET}/variables.json")
    assert sorted(re.findall(r"#(\S+): ", refused(overlay))) == ["/VAR-CAP/minor/0", "/VAR-EFF/minor/0"]


def test_contradictions_are_reported_like_mistakes(overlay: Path) -> None:
    """A file that keeps its schema can still be wrong; `build` names it by its whole path."""
    file = write(overlay, {"major": 3, "moderate": 2, "minor": 1})

    def tables(raw: Any) -> None:
        raise TableError("weights.json", ("major",), "3 is odd.")

    with pytest.raises(ConfigError, match=f"^{re.escape(str(file))}#/major: 3 is odd\\.$"):
        ConfigLoader(overlay).build(RULESET, tables)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        (f"tables/{RULESET}/weight.json", f"tables/{RULESET}/weights.json"),
        (f"tables/{RULESET}/weights.json.txt", f"tables/{RULESET}/weights.json"),
        ("tables/autoalg/weights.json", f"tables/{RULESET}/weights.json"),
        ("rulebook/autoalgo2.json", "rulebook/autoalgo.json"),
    ],
)
def test_an_unread_file_is_reported_as_misspelled(name: str, nearest: str, overlay: Path) -> None:
    write(overlay, {}, name)

    with pytest.raises(ConfigError) as caught:
        ConfigLoader(overlay)

    assert (
        str(caught.value)
        == f'{overlay / name}: the program does not use a file of this name. Did you mean "{nearest}"?'
    )


def test_hidden_files_are_ignored(overlay: Path) -> None:
    write(overlay, b"\x00", f"tables/{RULESET}/.DS_Store")

    assert ConfigLoader(overlay).raw(RULESET)


def test_an_overlay_must_be_a_folder_with_tables(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere is not a folder"):
        ConfigLoader(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="holds none of the folders tables, rulebook, examples"):
        ConfigLoader(tmp_path)


def test_unknown_names_are_reported_with_the_nearest() -> None:
    library = ConfigLoader()

    with pytest.raises(ConfigError, match=r'^"autoalgoo" is not a ruleset\. Did you mean "autoalgo"\?$'):
        library.raw("autoalgoo")
    with pytest.raises(ConfigError, match=r'^"1606" is not an example\. Did you mean "1066"\?$'):
        library.example("1606")


def test_a_missing_table_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = _installed(tmp_path, monkeypatch)
    (package / "data" / "config" / TABLE).unlink()

    with pytest.raises(ConfigError, match=r"weights\.json: the file is missing\.$"):
        ConfigLoader().build(RULESET, Tables.of)


def test_the_installed_package_contains_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel has `config/` and `maps/` in the package's `data/`."""
    package = _installed(tmp_path, monkeypatch)
    (package / "data" / "maps").mkdir()
    library = ConfigLoader()

    assert library.raw(RULESET) == ConfigLoader().raw(RULESET)
    assert library.maps_folder == package / "data" / "maps"


def test_fingerprints_change_only_with_numbers(overlay: Path) -> None:
    plain = ConfigLoader().fingerprint(RULESET)
    weights = json.loads((CONFIG / TABLE).read_text(encoding="utf-8"))

    write(overlay, {"about": "Other words.", **{k: float(v) for k, v in reversed(weights.items()) if k[0] in "m"}})
    assert ConfigLoader(overlay).fingerprint(RULESET) == plain

    write(overlay, weights | {"minor": weights["minor"] + 1})
    assert ConfigLoader(overlay).fingerprint(RULESET) != plain
    assert re.fullmatch("[0-9a-f]{64}", plain)


def test_examples_and_rulebooks_are_loaded() -> None:
    library = ConfigLoader()

    assert "1066" in library.examples
    assert [row["War"] for row in library.example("1066")["War Requests"]][1] == "Hastings"
    assert library.rulebook(RULESET)["VAR-01"]["text"]
    assert "about" not in library.rulebook(RULESET)


def _installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package as `pip` lays it out, with a copy of the checkout's configuration inside."""
    package = folder / "sheets_algo"
    shutil.copytree(CONFIG, package / "data" / "config")
    monkeypatch.setattr("sheets_algo.config.loader.PACKAGE", package)
    return package


def _changed(name: str, path: str, value: Any) -> Any:
    content = json.loads((CONFIG / "tables" / RULESET / f"{name}.json").read_text(encoding="utf-8"))
    *keys, last = path.split("/")
    place = content
    for key in keys:
        place = place[int(key) if isinstance(place, list) else key]
    place[last] = value
    return content
