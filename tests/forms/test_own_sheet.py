"""What `init` proposes of headers and cells of people's own (DB-17)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.own_sheet import Proposal, plain, propose, units_of
from sheets_algo.forms.rulesets import form_entries, open_forms
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import keys

FORMS = open_forms(ConfigLoader(), [entry for entry in form_entries() if entry.ruleset_key == "autoalgo"])
NAMES = ["England", "Normandy", "Norway", "Anjou"]


def proposed(tabs: dict[str, Sequence[Sequence[object]]]) -> Proposal:
    sheets = MemoryWorkbook(tabs).read(keys(*tabs)).sheets  # type: ignore[arg-type]
    return propose(sheets.values(), FORMS, ())


def meanings(proposal: Proposal) -> dict[str, str]:
    """What each header stands for; blank for those that stay people's own."""
    return {each.header: f"{each.tab}.{each.column}".strip(".") for each in proposal.assignments}


def table(head: Sequence[str], *columns: Sequence[object]) -> list[list[object]]:
    return [[*head], *map(list, zip(NAMES, *columns, strict=True))]


YEARS, MEN = [[900, 911, 872, 870], [9000, 8000, 5000, 7000]]


def test_two_matching_columns_raise_a_question() -> None:
    head = ["Country", "Pop. 1400", "Inhabitants", "Population (1450)", "People", "Founded", "Crisis"]
    tab = table(head, MEN, MEN, MEN, MEN, YEARS, YEARS)
    assert meanings(proposed({"Countries": tab}))["Inhabitants"] == ""

    tab = table(["Country", "Pop.", "Inhabitants", "Founded", "Crisis"], MEN, MEN, YEARS, YEARS)
    proposal = proposed({"Countries": tab})
    assert meanings(proposal)["Pop."] == meanings(proposal)["Inhabitants"] == ""
    (question,) = proposal.questions
    assert '"Pop." (B) and "Inhabitants" (C) both fit Nations, Population' in question
    assert "Population" not in [header for *_, header in proposal.lacking], "it is there twice already"


def test_a_duplicate_header_raises_a_question() -> None:
    proposal = proposed({"Countries": table(["Country", "Pop.", "Pop.", "Founded", "Crisis"], MEN, MEN, YEARS, YEARS)})
    assert 'the header "Pop." is there twice and fits Nations, Population' in proposal.questions[0]
    assert meanings(proposal)["Pop."] == ""


def test_an_unknown_unit_raises_a_question() -> None:
    proposal = proposed({"Countries": table(["Country", "Pop. (myriad)", "Founded", "Crisis"], MEN, YEARS, YEARS)})
    assert 'if the unit "myriad" were known' in proposal.questions[0]
    assert meanings(proposal)["Pop. (myriad)"] == ""


FACTORS = {
    "Population (k)": 1000,
    "Population, in thousands": 1000,
    "Est. Population (in thousands)": 1000,
    "Bevölkerung (Mio)": 1e6,
    "POP. [m]": 1e6,
    "Population": 1,
    "Population (total)": 1,
}


@pytest.mark.parametrize(("header", "factor"), FACTORS.items())
def test_units_in_headers_become_factors(header: str, factor: float) -> None:
    proposal = proposed({"Countries": table(["Country", header, "Founded", "Crisis"], [9, 8, 5, 7], YEARS, YEARS)})
    assert {each.header: each.factor for each in proposal.assignments}[header] == factor


def test_a_title_merged_rows_and_blank_headers_are_skipped() -> None:
    rows = [["Season of 1066"], [], ["Country", "Pop.", None, "Founded", "Crisis"]]
    rows += [[name, 9000, "a note", 900, 1000] for name in NAMES]
    proposal = proposed({"Countries": rows})
    assert [*meanings(proposal)] == ["Country", "Pop.", "Founded", "Crisis"]
    assert not proposal.lacking


def test_an_unknown_header_is_recognized_by_its_cells() -> None:
    head = ["Country", "Pop.", "Founded", "Crisis", "What they pray to", "Rolls"]
    faith = ["Catholic", "Catholic", "Norse", "Sunni"]
    found = meanings(proposed({"Countries": table(head, MEN, YEARS, YEARS, faith, [1, 2, 3, 4])}))
    assert (found["What they pray to"], found["Rolls"]) == ("Nations.Religion", "")


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (["1", "2", "3", "4"], ""),
        (["Militia", "2", "3", "4"], ""),
        (["Militia", "Veterans", "3", 4], "Units.Tactical Training"),
    ],
)
def test_numbers_typed_as_text_are_no_words_of_a_list(cells: Sequence[object], meant: str) -> None:
    """A tier of 1 to 4 became the training, since that column takes a word or a number."""
    rows = [[f"Guard of {name}", 4, 0.4, cell] for name, cell in zip(NAMES, cells, strict=True)]
    found = meanings(proposed({"Troop types": [["Unit", "Speed", "Defense", "Tier"], *rows]}))
    assert (found["Speed"], found["Tier"]) == ("Units.Speed", meant)


def test_headers_with_unfitting_cells_are_not_matched() -> None:
    """A price is no population, and a tab of prices no tab of nations."""
    head = ["Country", "Pop.", "Founded", "Crisis", "Religion"]
    found = meanings(proposed({"Countries": table(head, MEN, YEARS, YEARS, ["Old", "New", "Red", "Blue"])}))
    assert found["Religion"] == ""
    assert not proposed({"Shop": [["Unit", "Price"], ["Knight", 40], ["Spear", 5]]}).assignments
    assert not proposed({"War log": [["Date", "Attacker", "Defender"], ["May", "A", "B"]]}).assignments


def test_shares_need_their_types_and_references_their_rows() -> None:
    nations = table(["Country", "Pop.", "Founded", "Crisis", "King"], MEN, YEARS, YEARS, ["a", "b", "c", "d"])
    head = ["Army", "Realm", "Men", "Infantry", "Infantry %", "Cavalry %"]
    foot = ["Spearmen"] * 4
    armies = [head, *([f"Host {n}", name, 9000, *foot[:1], 70, 30] for n, name in enumerate(NAMES))]
    found = {
        (e.title, e.header): (e.column, e.factor) for e in proposed({"Countries": nations, "Hosts": armies}).assignments
    }
    assert found["Hosts", "Infantry %"] == ("Infantry Proportion", 0.01)
    assert found["Hosts", "Cavalry %"] == ("", 1)
    assert found["Countries", "King"] == ("", 1), "there is no tab of leaders"


def test_a_type_without_its_share_is_not_proposed() -> None:
    nations = table(["Country", "Pop.", "Founded", "Crisis"], MEN, YEARS, YEARS)
    armies = [["Army", "Realm", "Active troops", "Infantry"]]
    armies += [[f"Host of {name}", name, "9000", "Spearmen"] for name in NAMES]
    assignments = proposed({"Countries": nations, "Hosts": armies}).assignments
    found = {each.header: each.column for each in assignments if each.title == "Hosts"}
    assert found == {"Army": "Name", "Realm": "Nation", "Active troops": "Size", "Infantry": ""}


def test_a_first_column_of_names_becomes_the_name() -> None:
    places = [["Where", "Held by", "Land", "Fort"], *([f"Field of {name}", name, "Hills", "Castle"] for name in NAMES)]
    nations = table(["Country", "Pop.", "Founded", "Crisis"], MEN, YEARS, YEARS)
    found = meanings(proposed({"Countries": nations, "Here": places}))
    assert (found["Where"], found["Held by"]) == ("Locations.Name", "Locations.Owner")


def test_two_similar_tabs_raise_a_question() -> None:
    tab = table(["Country", "Pop.", "Founded", "Crisis"], MEN, YEARS, YEARS)
    proposal = proposed({"Countries": tab, "States": tab})
    assert not proposal.assignments
    assert 'the tabs "Countries" and "States" look like Nations' in proposal.questions[0]


def test_headers_are_matched_word_by_word() -> None:
    assert plain("  Pop.  (k)") == plain("POP") == "pop"
    assert plain("Letzte Krise") == plain("letzte krise:")
    assert plain("Stabilité") == plain("Stabilite")
    assert units_of("Troops, k") == units_of("Troops (K)") == units_of("Troops k") == ["k"]
