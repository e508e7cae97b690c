"""Replay pages of rulings."""

from __future__ import annotations

from engine.recording import Chances
from engine.ruleset import Event, no_op
from sheets_algo.forecasts.process_code import code_of
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.plan import Ruling

ReplayedBattle = tuple[Ruling, tuple[Event, ...], Chances | None]
"""The data of a replay page: a ruling, its luck, and the chances hour by hour."""


def fought_again(ruling: Ruling, *, is_luck_told: bool, battles: int = 0) -> ReplayedBattle:
    """Return the data of a ruling's replay page.

    Args:
        ruling: The ruling, with the colours of its flags.
        is_luck_told: True for a page with the ruling's luck (FC-06) and chances (FC-28).
        battles: The number of battles, of other pages too, as in `code_of`.
    """
    form, seed = ruling.form, int(ruling.receipt.seed)
    if not is_luck_told or isinstance(form, SecretForm) or ruling.receipt.overrides:  # then not a battle of its seed
        return ruling, (), None
    inputs = form.deserialize(ruling.receipt.inputs)
    code = code_of(form, inputs, battles)
    luck = ruling.luck or how_lucky(form, inputs, seed, no_op, code=code)
    return ruling, tuple(luck), form.ruleset.chances(inputs, seed, code)


def replay_html(ruling: Ruling, *, is_luck_told: bool, battles: int = 0) -> str:
    """Return the replay page of a ruling; the arguments are those of `fought_again`."""
    return replay_page(*fought_again(ruling, is_luck_told=is_luck_told, battles=battles))
