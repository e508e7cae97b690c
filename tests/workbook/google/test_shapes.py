"""Answers of Google that were changed at one place: each is read, or said in a sentence, and no write is half done."""

from __future__ import annotations

import json
import random
from typing import Any

import requests
from hypothesis import given
from hypothesis import strategies as st
from requests.adapters import HTTPAdapter

from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from tests.helpers.example_budget import LAW
from tests.workbook.google.season import TABS, Season
from tests.workbook.google.test_once import AS_RULED, pass_over, watch

OTHERS = ([], {}, "1066", None, 1066, -1, 2.5, 10**400, True, [[]], [None], {"x": 1})


class Changing(HTTPAdapter):
    """The way to the server; on it the answer with a number is changed at a random place, in all attempts."""

    def __init__(self, at: int, seed: int) -> None:
        super().__init__()
        self.at, self.seed, self.now = at, seed, 0

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        response = super().send(request, *args, **options)
        self.now += 1
        if response.status_code == 200 and self.now >= self.at:
            response._content = json.dumps(changed(response.json(), random.Random(self.seed))).encode()
        return response


def changed(content: Any, chance: random.Random) -> Any:
    """Replace one part of a JSON document, or leave it out."""
    places: list[tuple[Any, Any]] = [([content], 0)]
    for holder, key in places:
        part = holder[key]
        places += (
            [(part, inner) for inner in (part if isinstance(part, dict) else range(len(part)))]
            if isinstance(part, dict | list)
            else []
        )
    holder, key = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = chance.choice(OTHERS)
    return places[0][0][0] if places[0][0] else None


def disturbed(season: Season, at: int, seed: int) -> GoogleWorkbook:
    workbook = season.workbook()
    workbook._api._client.session.mount("http://", Changing(at, seed))
    workbook._api._patience = 0
    return workbook


@LAW
@given(at=st.integers(1, 5), seed=st.integers(0, 10**9))
def test_a_malformed_answer_to_a_pass_ends_in_a_sentence_and_rules_once(at: int, seed: int) -> None:
    season, said = Season.begun(), "."
    try:
        pass_over(disturbed(season, at, seed))
    except WorkbookError as error:
        said = str(error)
    assert said.endswith(".")
    assert season.everything() in (TABS, AS_RULED)

    watch(season.workbook())
    assert season.everything() == AS_RULED


@LAW
@given(at=st.integers(1, 3), seed=st.integers(0, 10**9))
def test_doctor_reports_a_malformed_answer(at: int, seed: int) -> None:
    workbook = disturbed(Season.begun(), at, seed)
    assert list(workbook.examine())
    assert all(finding.text for finding in workbook.examine_season(""))
