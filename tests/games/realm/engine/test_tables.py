import pytest

from engine.config_value import TableError
from engine.realm.setup.tables import RealmTables, reached
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables
from tests.games.realm.engine.courts import TABLES


def spoiled(file: str, *path: object, to: object) -> str:
    """What is said of tables with another value in one place."""
    raw = raw_tables("realm", SHIPPED)
    *keys, last = path
    place = raw[file]
    for key in keys:
        place = place[key]
    if to is None:
        del place[last]
    else:
        place[last] = to
    with pytest.raises(TableError) as slip:
        RealmTables.of(raw)
    return str(slip.value)


EDGES = (1, 30, 31, 50, 51, 70, 71, 80, 81, 90, 91, 99, 100)


def test_bands_are_read_from_the_highest() -> None:
    assert [reached(TABLES.actions, number).id[-1] for number in EDGES] == [*"aabbccddeeffg"]
    assert reached(TABLES.actions, 120).id == "RL-LOY-03g"


@pytest.mark.parametrize(
    ("place", "to", "says"),
    [
        (("constants", "RL-TAX-05", "rise_most"), None, '"rise_most" is missing'),
        (("constants", "RL-TAX-05", "rise_mots"), 5, "Did you mean"),
        (("constants", "RL-OP-25", "followers_most"), 1, "is below followers_least"),
        (("constants", "RL-OP-27", "charge_leader_pay"), "maybe", 'Use "no" or "yes"'),
        (("people", "RL-MER-02", 0, "percent"), 31, "make 101, not 100"),
        (("people", "RL-MER-02", 0, "level"), "Gren", 'Did you mean "Green"'),
        (("people", "RL-EXP-04", 1, "from"), 26, "is not above the 26 before it"),
        (("people", "RL-EXP-04", 0, "from"), 5, "leaves out what is below"),
        (("people", "rulers", 0, "melee"), "god", 'Did you mean "good"'),
        (("people", "rulers", 1, "ruler"), "Conquering Hero", "is there twice"),
        (("fate", "events", 0, "from"), 2, "leaves out what is below"),
        (("rebels", "RL-REB-03", 2, "size"), "Village", 'Use "Town", "City" or "Capital"'),
    ],
)
def test_a_mistake_in_a_table_is_reported_with_its_place(place: tuple[object, ...], to: object, says: str) -> None:
    file, *path = place
    said = spoiled(str(file), *path, to=to)
    assert said.startswith(f"{file}.json")
    assert says in said


def test_set_03_a_workbook_s_numbers_replace_the_tables() -> None:
    settings = [
        Setting(name="constants/RL-OP-06/good", value=7),
        Setting(name="missions/missions/RL-ESP-7/detection", value=1),
        Setting(name="people/RL-EXP-04/Elite/modifier", value=9),
    ]
    own = TABLES.having(settings)
    assert own.constants.attribute("good") == 7
    assert own.missions["Slander"].detection == 1
    assert own.army_level(50).modifier == 9
    assert TABLES.constants.attribute("good") == 3
    assert TABLES.having(settings) is own  # a pass asks for the same ones again and again


def test_a_contradictory_setting_is_refused() -> None:
    with pytest.raises(TableError, match="make 90"):
        TABLES.having([Setting(name="people/RL-MER-02/Elite/percent", value=10)])
