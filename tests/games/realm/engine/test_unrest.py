from typing import Any

from engine.ruleset import Outcome
from tests.games.realm.engine.courts import after, realm, turn

REALMS, CITIES, LEADERS, UNITS = "Realms", "Realm Cities", "Realm Leaders", "Realm Units"


def befallen(roll: int, fixed: str = "", **more: Any) -> Outcome:
    """A turn with this event; cities keep faith."""
    return turn(f"RL-RND-01={roll}; RL-REB-01=100; RL-REB-01=100; {fixed}", **more)


def test_rl_rnd_01_the_roll_decides_the_event_by_bands() -> None:
    for roll, event in [
        (1, "nothing"),
        (60, "nothing"),
        (61, "fire"),
        (70, "fire"),
        (71, "plague"),
        (75, "plague"),
        (76, "royal birth"),
        (80, "royal birth"),
        (81, "great writer"),
        (85, "great writer"),
        (86, "desertion"),
        (90, "desertion"),
        (91, "oracle's prophecy"),
        (95, "oracle's prophecy"),
        (96, "assassination attempt"),
        (100, "assassination attempt"),
    ]:
        assert befallen(roll).summary.endswith(f"event: {event}")


def test_rl_rnd_04_a_royal_birth_raises_happiness_up_to_100() -> None:
    assert after(befallen(76), REALMS, "Rome")["Happiness"] == 100
    poor = realm(tax_rate=60, happiness=20.0)
    assert after(befallen(80, realm=poor), REALMS, "Rome")["Happiness"] == 55  # 25 after taxes


def test_rl_rnd_05_a_writer_raises_fame() -> None:
    assert after(befallen(81, realm=realm(fame=3)), REALMS, "Rome")["Fame"] == 8
