from hypothesis import given
from hypothesis import strategies as st

from engine.realm.setup.inputs import HIRE_MERCENARY, TargetFacts
from engine.realm.setup.records import City
from engine.rng import Rng
from tests.games.realm.engine.courts import ORDERS, after, city, done, order, realm, unit

LEADERS, REALMS, UNITS = "Realm Leaders", "Realms", "Realm Units"
GAUL = realm("Gaul", nation="Gallic", last_turn=7)
SECRETS = TargetFacts(realm="Gaul", happiness=60.0, tax_rate=30, population=5, leaders=(), treasury=25, legions=3)


def appears(type: str, cities: tuple[City, ...], fixed: str = "", **more: object) -> tuple[str, str]:
    """Place of a mercenary, and the words of the receipt for it."""
    waiting = unit("Hirelings", type=type, owner="", offered_to="Rome", experience=25, mercenary=True)
    found = done(HIRE_MERCENARY, fixed, target="Hirelings", units=(waiting,), cities=cities, **more)
    [said] = [line for line in found.receipt.text().splitlines() if "Location: " in line]
    return after(found, UNITS, "Hirelings").get("Location", ""), said.partition("Location: ")[2]


INLAND = city(size="Capital")
PORTS = (city("Ostia", coastal=True), city("Puteoli", coastal=True))


@given(st.lists(st.booleans(), max_size=4), st.integers(0, 3), st.integers(0, 99))
def test_rl_mer_04_a_ship_is_never_placed_inland(coasts: list[bool], capital: int, seed: int) -> None:
    cities = tuple(
        city(f"City {number}", coastal=coastal, size="Capital" if number == capital else "Town")
        for number, coastal in enumerate(coasts)
    )
    waiting = unit("Hirelings", type="Trireme", owner="", offered_to="Rome", experience=25)
    asked = order(HIRE_MERCENARY, target="Hirelings", units=(waiting,), cities=cities)
    place = after(ORDERS.resolve(asked, Rng(seed)), UNITS, "Hirelings").get("Location", "")
    assert place in [found.name for found in cities if found.coastal] or not (place or any(coasts))
