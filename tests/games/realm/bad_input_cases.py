"""Mistakes in the tabs of `realm`, and the line a moderator then sees."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from scripts.support.bad_input import Case, cells

CASES: tuple[Case, ...] = (
    Case(
        "Turn Requests",
        "A turn that has already been processed",
        "'Turn Requests'!B7 (T-0006, Turn): the order is for turn 11, which is over. Enter the current turn to have it ruled now, or clear Ready. [REQ-10]",
        cells("Turn Requests", "T-0006", {"Turn": 11}, "realm"),
    ),
    Case(
        "Turn Requests",
        "More agents than there are",
        "'Turn Requests'!G5 (T-0004, Agents): 7 agents, but Germania has 6 left (6 in all, 0 used). Enter at most 6. [RL-ESP-A]",
        cells("Turn Requests", "T-0004", {"Agents": 7}, "realm"),
    ),
    Case(
        "Turn Requests",
        "An order about a dead leader",
        "'Turn Requests'!F3 (T-0002, Target): Brennus is dead. Name a leader who is still in the game. [RL-OP-38]",
        cells("Realm Leaders", "Brennus", {"Status": "Dead", "Captor": None}, "realm"),
    ),
    Case(
        "Turn Requests",
        "A die that these rules do not have",
        '\'Turn Requests\'!N7 (T-0006, Fixed rolls): "RL-LOY-2" is not a die of these rules. Did you mean "RL-LOY-02"? Write rule-id=number, or rule-id name=number; several with semicolons. [RL-OP-41]',
        cells("Turn Requests", "T-0006", {"Fixed rolls": "RL-LOY-2=5"}, "realm"),
    ),
    Case(
        "Realms",
        "A treasury below 0",
        "Realms!G2 (Rome, Treasury): -5 is out of range. Enter a whole number from 0 to 1,000,000,000,000. [RL-GEN-04]",
        cells("Realms", "Rome", {"Treasury": -5}, "realm"),
    ),
    Case(
        "Realm Cities",
        "A city without people",
        "'Realm Cities'!E2 (Roma, Population): required, but empty. Enter a whole number from 0 to 1,000,000,000,000. [RL-POP-01]",
        cells("Realm Cities", "Roma", {"Population": None}, "realm"),
    ),
    Case(
        "Realm Places",
        "A neighbour that is no place",
        '\'Realm Places\'!B2 (Roma, Neighbours): place not found: "Ostja". Did you mean "Ostia"? [RL-OP-24]',
        cells("Realm Places", "Roma", {"Neighbours": "Ostja"}, "realm"),
    ),
    Case(
        "Realm Leaders",
        "A Location that is missing in Realm Places",
        '\'Realm Leaders\'!V5 (Lucius Piso, Location): warning: "Alexia" is not in Realm Places, so no way leads there. Did you mean "Alesia"? [RL-OP-24]',
        cells("Realm Leaders", "Lucius Piso", {"Location": "Alexia"}, "realm"),
        code=0,
    ),
    Case(
        "Realm Leaders",
        "A leader whose own realm holds him prisoner",
        "'Realm Leaders'!H8 (Brennus, Captor): Rome cannot hold Brennus, who is its own leader. Name another Captor or Employer. [RL-OP-17]",
        cells("Realm Leaders", "Brennus", {"Employer": "Rome"}, "realm"),
    ),
    Case(
        "Rating Requests",
        "A standing that names a player twice",
        "'Rating Requests'!C2 (G-0001, Standing): \"rome\" is listed twice. Name each realm once. [RL-RAT-03]",
        cells("Rating Requests", "G-0001", {"Standing": "Rome > Gaul > rome"}, "realm"),
    ),
)
