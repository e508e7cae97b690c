"""Options of a season, with real programs: the season decides how receipts are written, not the computer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.settings import OWN_MOST
from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, Moderator, shown
from scripts.support.pinned_tables import SHIPPED
from scripts.support.toys import TOYS
from tests.helpers.games import facts_by_game

NAME = "[[File:x.png]] of {{Hastings}}"
ESCAPED = "&#91;&#91;File:x.png&#93;&#93; of &#123;&#123;Hastings&#125;&#125;"


def test_markup_in_a_name_is_shown_as_typed(moderator: Moderator) -> None:
    assert moderator.types("init", BOOK).code == 0
    edit(moderator.book, "War Requests", "War", 3, NAME)

    assert moderator.types("run", BOOK).code == 0

    receipt = next(row["Receipt"] for row in shown(moderator.book, "Receipts") if row["Request"] == "W-0002")
    assert receipt.splitlines()[0] == f"== {ESCAPED}, 1066 =="
    assert moderator.types("verify", BOOK).out.splitlines()[-1] == "5 of 5 receipts equal."


@pytest.mark.parametrize(("at_first", "later"), [({}, "tell"), ({"SHEETS_ALGO_LOSSES": "tell"}, "apply")])
def test_r_94_a_season_keeps_its_option_for_losses(moderator: Moderator, at_first: dict[str, str], later: str) -> None:
    """They are subtracted by default."""
    assert moderator.types("init", BOOK, **at_first).code == 0
    before = {row["Name"]: row["Size"] for row in shown(moderator.book, "Militaries")}
    assert moderator.types("run", BOOK, SHEETS_ALGO_LOSSES=later).code == 0

    after = {row["Name"]: row["Size"] for row in shown(moderator.book, "Militaries")}
    assert (after == before) is bool(at_first)
    verified = moderator.types("verify", BOOK, SHEETS_ALGO_LOSSES=later)
    assert verified.out.splitlines()[-1] == "5 of 5 receipts equal."


@pytest.mark.parametrize(("at_first", "later"), [("refuse", "warn"), ("warn", "refuse")])
def test_ldr_11_a_season_keeps_its_option_for_dead_leaders(moderator: Moderator, at_first: str, later: str) -> None:
    dead = "killed in Antioch, 1084"
    assert moderator.types("init", BOOK, SHEETS_ALGO_DEAD_LEADERS=at_first).code == 0
    edit(moderator.book, "Leaders", "Status", 7, dead)
    said = moderator.types("run", BOOK, SHEETS_ALGO_DEAD_LEADERS=later)

    refusal = f"Alp Arslan cannot lead: {dead}. Clear the cell, or name another leader"
    assert (refusal in said.out) == (at_first == "refuse")
    receipts = "\n".join(str(row["Receipt"]) for row in shown(moderator.book, "Receipts"))
    assert (f"led although {dead}" in receipts) == (at_first == "warn")
    assert "Alp Arslan, alive" not in receipts
    for number in range(2, 10):  # whoever was killed meanwhile lives, and so his wars are ruled
        edit(moderator.book, "Leaders", "Status", number, None)
    moderator.types("run", BOOK, SHEETS_ALGO_DEAD_LEADERS=later)
    ruled = sum(row["Status"] == "Done" for row in shown(moderator.book, "War Requests"))
    assert ruled >= 2
    assert f"{ruled} of {ruled} receipts equal." in moderator.types("verify", BOOK).out.splitlines()


def test_r_98_a_season_under_the_rules_of_the_source_keeps_them(moderator: Moderator) -> None:
    assert moderator.types("init", BOOK, "--rules", "source").code == 0
    again = moderator.types("init", BOOK, "--rules", "history")
    assert again.code == 2
    assert "the season has begun by the rules of source, which stay." in again.err
    assert moderator.types("run", BOOK).code == 0

    rulings = [row for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert len(rulings) == 5
    assert all('{"name":"strategy/rules","value":"source"}' in str(row["Inputs"]) for row in rulings)
    verified = moderator.types("verify", BOOK)
    assert "The season was begun by these rules: source." in verified.out.splitlines()
    assert verified.out.splitlines()[-1] == "5 of 5 receipts equal."
    assert moderator.types("explain", BOOK, "W-0001").out.startswith("Rules: source")


def test_set_06_receipts_name_the_numbers_of_own_tables(moderator: Moderator) -> None:
    """Whoever has only the workbook verifies them too, since they are among the inputs."""
    moderator = replace(moderator, config=None)
    strategy = (SHIPPED / "tables" / "autoalgo" / "strategy.json").read_text(encoding="utf-8")
    own = moderator.folder / "own" / "tables" / "autoalgo" / "strategy.json"
    own.parent.mkdir(parents=True)
    own.write_text(strategy.replace('"fortune": {"side": 0.6', '"fortune": {"side": 0.3'), encoding="utf-8")
    assert moderator.types("init", BOOK, "--config", "own").code == 0
    assert moderator.types("run", BOOK, "--config", "own").code == 0

    says = "* '''Setting:''' strategy/fortune/side is 0.3 in own tables, not 0.6 as in the release"
    rulings = [row for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert len(rulings) == 5
    assert all(says in str(row["Receipt"]) for row in rulings)
    line = "strategy/fortune/side: 0.3, in the release 0.6"
    (begun,) = [row["Receipt"] for row in shown(moderator.book, "Receipts") if row["Kind"] == "Season"]
    assert str(begun).endswith(f" The tables of autoalgo differ from the release: {line}.")
    for own_tables in ((), ("--config", "own")):
        verified = moderator.types("verify", BOOK, *own_tables).out.splitlines()
        assert verified[-1] == "5 of 5 receipts equal."
        told = verified.index("This season is ruled with other numbers than the release, in 1 place:")
        assert verified[told + 1] == f"autoalgo: {line}"
    moderator.types("season", BOOK, "--config", "own", "--site", "site")
    index = (moderator.folder / "site" / "index.html").read_text("utf-8")
    assert "<summary>1 number differs from the release</summary>" in index
    assert line in index


def test_set_06_receipts_refer_to_the_season_row_for_many_differences(moderator: Moderator) -> None:
    assert moderator.types("init", BOOK).code == 0
    assert moderator.types("run", BOOK).code == 0
    begun = [str(row["Inputs"] or "") for row in shown(moderator.book, "Receipts") if row["Kind"] == "Season"]
    assert len(json.loads("".join(begun))["differs"]["autoalgo"]) > OWN_MOST
    rulings = [str(row["Receipt"]) for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert rulings
    says = "=== Tables ===\n* The tables of autoalgo are not the release's: the row of Kind Season names what differs."
    assert all(says in text for text in rulings)
    assert moderator.types("verify", BOOK).code == 0


@pytest.mark.parametrize(
    ("table", "number", "was"),
    [
        (TOYS / "jousts/config/tables/jousts/jousts.json", "faces", 20),
        *(
            (SHIPPED / "tables" / game / table, name, was)
            for game, (table, name, was) in facts_by_game("NUMBER").items()
        ),
    ],
    ids=lambda value: value.parent.name if isinstance(value, Path) else None,
)
def test_set_06_receipts_of_other_rulesets_name_the_numbers_of_own_tables(
    moderator: Moderator, table: Path, number: str, was: int
) -> None:
    moderator = replace(moderator, config=None)
    ruleset, numbers = table.parent.name, table.read_text(encoding="utf-8")
    file = moderator.folder / "own" / "tables" / ruleset / table.name
    file.parent.mkdir(parents=True)
    assert numbers.count(f'"{number}": {was}') == 1
    file.write_text(numbers.replace(f'"{number}": {was}', f'"{number}": {was + 1}'), encoding="utf-8")
    assert moderator.types("init", BOOK, "--ruleset", ruleset, "--config", "own").code == 0
    moderator.types("run", BOOK, "--config", "own")
    rulings = [str(row["Receipt"]) for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert rulings
    assert all(f"* Setting {number}: {was + 1} (in the release {was})" in text for text in rulings)
    assert moderator.types("verify", BOOK).code == 0


def test_r_98_an_unknown_rule_set_is_refused_with_the_choices(moderator: Moderator) -> None:
    for name, flags in (("--rules", ("--rules", "mine")), ("SHEETS_ALGO_RULES", ())):
        said = moderator.types("init", BOOK, *flags, **({} if flags else {"SHEETS_ALGO_RULES": "mine"}))
        assert said.code == 2
        assert f'{name}: there are no rules of the name "mine". Use history or source.' in said.err
    said = moderator.types("init", BOOK, "--rules", "source", "--ruleset", "jousts")
    assert said.code == 2
    assert "jousts has one rule set only. Leave the option out." in said.err
    assert not moderator.book.exists()
