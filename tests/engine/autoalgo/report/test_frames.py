"""The frames of a battle: the state of every flank at the end of every hour, from the same hours as the ruling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given

from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.resolve import Autoalgo
from engine.recording import Recording
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import army, fleet, terrain, war
from tests.helpers.example_budget import LAW
from tests.helpers.random_wars import seeds, wars

RULES = Autoalgo(tables())
ONE = (FlankOrder(label="Van", x=200, y=180),)
OTHER = (FlankOrder(label="Guard", x=200, y=220),)


def recorded(inputs: WarInputs, seed: int = 1) -> tuple[Outcome, Recording]:
    outcome = RULES.resolve(inputs, Rng(seed))
    assert outcome.recording is not None
    return outcome, outcome.recording


@LAW
@given(inputs=wars(), seed=seeds())
def test_frames_show_the_ruling_s_battle(inputs: WarInputs, seed: int) -> None:
    """STRAT-08: the last frame is what the End columns of Flanks show; men never rise (section 15)."""
    outcome, recording = recorded(inputs, seed)
    (scene,) = outcome.scenes

    for row, mark in enumerate(scene.before):
        assert (recording.actors[row].side, recording.actors[row].label) == (mark.side, mark.label)
        assert int(recording.men[0, row]) == mark.size
    for row, mark in enumerate(scene.after):
        assert recording.statuses[recording.status[-1, row]] == mark.status
        assert (int(recording.men[-1, row]), int(recording.ships[-1, row])) == (
            mark.size,
            -1 if mark.ships is None else mark.ships,
        )
        assert np.allclose((recording.x[-1, row], recording.y[-1, row]), (mark.x, mark.y), atol=1e-3)
    assert (np.diff(recording.men, axis=0) <= 0).all()
    assert ((recording.morale >= 0) & (recording.morale <= 1)).all()
    assert len(recording.men) - 1 == scene.moments[-1].hour


@LAW
@given(inputs=wars(), seed=seeds())
def test_losses_in_the_frames_add_up_to_the_receipt(inputs: WarInputs, seed: int) -> None:
    """RCPT-01: who is gone in the frames was killed, died or was captured according to the figures."""
    outcome, recording = recorded(inputs, seed)

    for side in ("Attacker", "Defender"):
        own = [row for row, actor in enumerate(recording.actors) if actor.side == side]
        losses = outcome.numbers[side.lower()]
        gone = int(recording.men[0, own].sum() - recording.men[-1, own].sum())
        assert gone == losses["killed"] + losses["died"] + losses["captured"]  # type: ignore[index]


def test_silent_hours_have_frames() -> None:
    """Default armies march for two hours before the first blow (MOVE-04), and nobody hears of them in the log."""
    outcome, recording = recorded(war())

    assert min(event.hour for event in outcome.events if event.kind == "attack") == 3  # type: ignore[type-var]
    assert not {1, 2} & {event.hour for event in outcome.events}
    assert (np.diff(recording.y[:3, :3], axis=0) > 0).all()
    assert (recording.target[1:3] >= 0).all()
    assert (recording.target[0] == -1).all()


def test_a_blow_names_attacker_target_and_killed() -> None:
    outcome, recording = recorded(war(army("A", flanks=ONE), army("B", flanks=OTHER)))

    told = [(event.hour, event.flank, event.amount) for event in outcome.events if event.kind == "attack"]
    blows = [
        (hour, recording.actors[blow.flank].label, blow.killed)
        for hour, frame in enumerate(recording.blows)
        for blow in frame
    ]
    assert blows == told
    assert {(blow.flank, blow.target) for frame in recording.blows for blow in frame} == {(0, 1), (1, 0)}


def test_frames_have_types_of_flanks_and_crews_of_ships() -> None:
    soldiers = army("A", flanks=ONE)
    galleys = fleet("B", flanks=OTHER)

    land = recorded(war(soldiers, army("B", flanks=OTHER)))[1]
    sea = recorded(war(replace(galleys, flanks=ONE), galleys, ground=terrain("Water")))[1]

    assert [actor.types for actor in land.actors] == [(("Soldier", 1.0),)] * 2
    assert [actor.types for actor in sea.actors] == [(("Galley", 1.0),)] * 2
    assert (land.ships == -1).all()
    assert (sea.ships[0] == 30).all()
    assert land.actors[0].names == ("A, Van flank", "A's Van flank")


def test_r_28_fortunes_of_the_day_are_collapsed() -> None:
    outcome, recording = recorded(war(army("A", flanks=ONE), army("B", flanks=OTHER)))

    folded = [event for event in outcome.events if event.kind in recording.folded]
    assert len(folded) >= 2 + 2
    assert {(event.hour, event.id) for event in folded} == {(0, "R-28")}
