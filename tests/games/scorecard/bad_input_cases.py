"""Mistakes in the tabs of `scorecard`, and the line a moderator then sees."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from scripts.support.bad_input import Case, cells, spoiled

CASES: tuple[Case, ...] = (
    Case(
        "Score Requests",
        "A war with one side only",
        "'Score Requests'!A2 (S-0001, Request): the tab Score Sides has no Defender of this request. Add a row there with Request S-0001 and Side Defender. [SC-24]",
        spoiled(lambda rows: rows["Score Sides"].pop(0), "scorecard"),
    ),
    Case(
        "Score Sides",
        "A location off the scale",
        "'Score Sides'!D2 (France, Location): \"7\" is not allowed. Use At the location of the war, Next to it, Close to it, Far from it, Other side of the world or Antarctica, or a number from 0 to 5. [SC-01]",
        cells("Score Sides", "France", {"Location": 7}, "scorecard"),
    ),
    Case(
        "Score Sides",
        "A letter that means nothing",
        "'Score Sides'!F2 (France, Belligerents): Italy (Q): Q is not one of the letters. Use L, M, S, V or W; if a name ends in brackets, write its letters after them: Korea (North) (L). [SC-04]",
        cells("Score Sides", "France", {"Belligerents": "Italy (Q)"}, "scorecard"),
    ),
    Case(
        "Score Sides",
        "A nation that is listed twice",
        "'Score Sides'!F2 (France, Belligerents): \"Italy\" is listed more than once. Write it once, with all its letters. [SC-OP-25]",
        cells("Score Sides", "France", {"Belligerents": "France (L), Italy (M), Italy (S)"}, "scorecard"),
    ),
    Case(
        "Score Sides",
        "A nation that helps both sides",
        "'Score Sides'!F2 (France, Belligerents): Italy is on the lists of both sides. Keep it on one list. [SC-OP-25]",
        cells("Score Sides", "Spain", {"Belligerents": "Spain (L), Italy (M)"}, "scorecard"),
    ),
    Case(
        "Score Sides",
        "A time of day that does not exist",
        "'Score Sides'!K2 (France, Declared at): \"25:00\" is not a time of day. Enter a UTC time from 00:00 to 23:59. [SC-11]",
        cells("Score Sides", "France", {"Declared at": "25:00"}, "scorecard"),
    ),
    Case(
        "Score Nations",
        "Stability in words",
        "'Score Nations'!G2 (France, Stability): \"fine\" is not a number. Enter a number from -1,000,000,000,000 to 1,000,000,000,000. [SC-06]",
        cells("Score Nations", "France", {"Stability": "fine"}, "scorecard"),
    ),
    Case(
        "Score Leaders",
        "More wins than battles",
        "'Score Leaders'!D2 (Condé, Wins): 6 wins, but only 5 battles. Enter at most as many wins as battles. [SC-03b]",
        cells("Score Leaders", "Condé", {"Wins": 6}, "scorecard"),
    ),
    Case(
        "Score Settings",
        "A setting misspelled",
        '\'Score Settings\'!A2 (chance_digits, Setting): "chance_digits" is not a setting. Did you mean "chance_digit"? Use undefeated_factor, undefeated_battles, stability_divisor, army_factor, industry_factor, navy_factor, expansion_points, participation_points, disarray_factor, transplant_addend, disunited_factor, leader_killed_points or chance_digit. [SET-01]',
        cells("Score Settings", "chance_digit", {"Setting": "chance_digits"}, "scorecard"),
    ),
)
