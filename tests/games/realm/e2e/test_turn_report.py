"""Reports of a turn: each player reads what the player may know, and nothing else."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from scripts.support.moderator import BOOK, Moderator, Rows, season, write

FORMATS = ("text", "markdown", "html")

SECRETS_OF_GAUL = {
    "treasury": "7771",
    "treasury after its turn": "778612",
    "tax rate": "37 %",
    "happiness": "61.5",
    "a city": "Gergovia",
    "its people": "987,654",
    "a unit": "Second Spears",
    "a leader's loyalty": "43",
    "the chance of a bribe": "51.5 %",
    "who slandered": "Slander: Rome",
    "who spied": "Gather state secrets",
    "who was bribed": "Bribe leaders: Rome",
    "what Lucius Piso offers": "Defection",
}
SECRETS_OF_ROME = {
    "tax rate": "23 %",
    "a city": "Capua",
    "a unit": "Legio II",
    "loyalty": "loyalty 55",
    "who watched": "Watch hero",
    "the failed bribe": "Bribe leaders: Gaul",
}


def game() -> Rows:
    """Two realms in turn 12 that send agents to each other, every die of which is laid; a third looks on."""
    rows = season("realm")
    orders = [
        ("Gaul", "Slander", {"Target realm": "Rome", "Agents": 6, "Fixed rolls": "RL-ESP-7=2; RL-ESP-B=100"}),
        ("Gaul", "Gather state secrets", {"Target realm": "Rome", "Agents": 6, "Fixed rolls": TREASURY_FOUND}),
        (
            "Gaul",
            "Bribe leaders",
            {"Target realm": "Rome", "Agents": 1, "Fixed rolls": "RL-ESP-B=100; RL-ESP-3=1; RL-ESP-3=3"},
        ),
        ("Rome", "Watch hero", {"Target realm": "Gaul", "Target": "Camulogenus", "Agents": 2, "Fixed rolls": UNSEEN}),
        ("Rome", "Bribe leaders", {"Target realm": "Gaul", "Agents": 1, "Fixed rolls": "RL-ESP-B=1"}),
        ("Rome", "Process turn", {"Fixed rolls": QUIET + "RL-LOY-02 Lucius Piso=99; RL-LOY-03=88; RL-LOY-03f=1"}),
        ("Gaul", "Process turn", {"Fixed rolls": QUIET + "RL-LOY-02 Camulogenus=1"}),
        ("Germania", "Process turn", {"Fixed rolls": QUIET}),
    ]
    rows["Turn Requests"] = [
        {"Request": f"T-{number}", "Turn": 12, "Realm": who, "Order": what, "Ready": True, **more}
        for number, (who, what, more) in enumerate(orders, start=1)
    ]
    rome, gaul, _ = rows["Realms"]
    rome |= {"Treasury": 555321, "Tax rate": 23, "Agents": 20}
    gaul |= {"Treasury": 777123, "Tax rate": 37, "Happiness": 61.5, "Agents": 20}
    rows["Realm Cities"][3]["Population"] = 987654
    next(row for row in rows["Realm Leaders"] if row["Leader"] == "Camulogenus")["Loyalty"] = 43
    rows["Rating Requests"][0]["Ready"] = False
    return rows


QUIET = "RL-REC-01=100; RL-MER-01=100; RL-RND-01=1; RL-REB-01=100; RL-REB-01=100; RL-REB-01=100; "
UNSEEN = "RL-ESP-B=100; RL-ESP-8=100"
TREASURY_FOUND = (
    "RL-ESP-B=100; RL-ESP-9 treasury=1; RL-ESP-9=1; RL-ESP-9 happiness=100; RL-ESP-9 tax rate=100;"
    "RL-ESP-9 population=100; RL-ESP-9 leaders=100; RL-ESP-9 legions=100"
)


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Moderator:
    """A game of which turn 12 is over; tests only read it."""
    moderator = Moderator(tmp_path_factory.mktemp("secrets"), home, config=None)
    write(moderator.book, game())
    said = moderator.types("run", BOOK)
    assert said.code == 0, said.out + said.err
    return moderator


def reads(moderator: Moderator, *words: str) -> str:
    said = moderator.types("report", BOOK, *words)
    assert said.code == 0, said.err
    return said.out


def seen(text: str, secrets: dict[str, str]) -> list[str]:
    """The names of the secrets that a text gives away."""
    return [name for name, words in secrets.items() if words in text]


@pytest.fixture(scope="module")
def everything(ruled: Moderator) -> str:
    """All that the moderator can read: the reports of both realms, and receipts, log and database."""
    book = openpyxl.load_workbook(ruled.book, data_only=True)
    cells = (str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    return "\n".join((*cells, reads(ruled, "--for", "Rome"), reads(ruled, "--for", "Gaul")))


@pytest.mark.parametrize("secrets", [SECRETS_OF_GAUL, SECRETS_OF_ROME], ids=["of Gaul", "of Rome"])
def test_a_planted_leak_is_detected(everything: str, secrets: dict[str, str]) -> None:
    """Every secret stands somewhere in the words in which the tests below look for it."""
    assert seen(everything, secrets) == list(secrets)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("reader", "secrets"),
    [
        (("--for", "Rome"), SECRETS_OF_GAUL),
        (("--for", "Gaul"), SECRETS_OF_ROME),
        (("--for", "Germania"), SECRETS_OF_GAUL | SECRETS_OF_ROME),
        ((), SECRETS_OF_GAUL | SECRETS_OF_ROME),
    ],
    ids=["Rome", "Gaul", "Germania", "everybody"],
)
def test_rl_op_50_a_report_contains_no_secrets_of_others(
    ruled: Moderator, reader: tuple[str, ...], secrets: dict[str, str], format: str
) -> None:
    report = reads(ruled, *reader, "--turn", "12", "--format", format)

    assert seen(report, secrets) == []
    assert "T-" not in report  # ids count the orders of others


def test_rl_op_50_a_report_contains_the_player_s_own_news(ruled: Moderator) -> None:
    rome, gaul, all_of_them = (reads(ruled, *words) for words in (("--for", "Rome"), ("--for", "gaul"), ()))

    assert rome.splitlines()[0] == "Rome, turn 12"
    for line in (
        "Watch hero: Camulogenus (Gaul), agents: 2\n  Outcome: fails, not detected",
        "Slander cost 2 happiness: culprit unknown.",
        "  Legio II: Legion, experience 4, health 6 of 6, in Alesia",
    ):
        assert line in rome
    for line in (
        "Found: treasury: 555,321 gold",
        "Offers to you\n  Lucius Piso: Defection of Rome (Accept offer)",
        "Camulogenus refused bribes of Rome.",
    ):
        assert line in gaul
    assert all_of_them.splitlines() == [
        "Everybody, turn 12", "Realms", "  Rome: Livia, Roman", "  Gaul: Aimé, Gallic", "  Germania: Gerda, German"
    ]  # fmt: skip


def page(moderator: Moderator, player: str, turn: int) -> str:
    return (moderator.folder / "reports" / "season" / player / f"turn-{turn}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("player", "secrets"),
    [("Rome", SECRETS_OF_GAUL), ("Gaul", SECRETS_OF_ROME), ("Germania", SECRETS_OF_GAUL | SECRETS_OF_ROME)],
)
def test_rl_op_50_each_player_gets_a_page_without_others_secrets(
    ruled: Moderator, player: str, secrets: dict[str, str]
) -> None:
    files = sorted(file for file in (ruled.folder / "reports").rglob("*") if file.is_file())

    assert [str(file.relative_to(ruled.folder)) for file in files] == [
        f"reports/season/{name}/turn-12.html" for name in ("Gaul", "Germania", "Rome")
    ]
    written = page(ruled, player, 12)
    assert written.startswith("<!DOCTYPE html>")
    assert f"<h1>{player}, turn 12</h1>" in written
    assert seen(written, secrets) == []
    assert "T-" not in written
    assert "href" not in written
