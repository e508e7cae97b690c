"""Replay pages on disk: one for a command, or one for each ruling after its commit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.recording import Chances
from engine.ruleset import Event, MachineCode, no_op
from sheets_algo.forecasts.machine_code import MANY
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.plan import Ruling
from sheets_algo.runtime.after_commit.artifacts import artifact_path
from sheets_algo.runtime.after_commit.log_completion import use_machine_code
from sheets_algo.runtime.session.session import Subscriber
from sheets_algo.workbook.atomic_file import atomic_write

ReplayedBattle = tuple[Ruling, tuple[Event, ...], Chances | None]
"""A ruling, how lucky it was, and the chances hour by hour: what its replay page is made of."""


def fought_again(ruling: Ruling, *, is_luck_told: bool, compiled: dict[str, MachineCode]) -> ReplayedBattle:
    """Return what the replay page of a ruling is made of.

    Args:
        ruling: The ruling, with the colours of its flags.
        is_luck_told: True if the page says how lucky the ruling was (FC-06) and what the chances were (FC-28).
        compiled: As in `use_machine_code`.
    """
    form, seed = ruling.form, int(ruling.receipt.seed)
    inputs = form.deserialize(ruling.receipt.inputs)
    code = use_machine_code(form, inputs, compiled)
    if not is_luck_told or isinstance(form, SecretForm) or ruling.receipt.overrides:  # then not a battle of its seed
        return ruling, (), None
    luck = ruling.luck or how_lucky(form, inputs, seed, no_op, code=code)
    return ruling, tuple(luck), form.ruleset.chances(inputs, seed, code)


def replay_html(ruling: Ruling, *, is_luck_told: bool, compiled: dict[str, MachineCode]) -> str:
    """Return the replay page of a ruling; the arguments are those of `fought_again`."""
    return replay_page(*fought_again(ruling, is_luck_told=is_luck_told, compiled=compiled))


def write_replay(ruling: Ruling, path: Path, *, is_luck_told: bool, compiled: dict[str, MachineCode]) -> None:
    """Write the replay page of a ruling.

    Args:
        ruling: The ruling, with the colours of its flags.
        is_luck_told: As in `fought_again`.
        compiled: As in `use_machine_code`.

    Raises:
        OSError: The page cannot be written.
    """
    html = replay_html(ruling, is_luck_told=is_luck_told, compiled=compiled)
    with atomic_write(path) as new:
        new.write_text(html, encoding="utf-8")


def replay_writer(folder: Path, workbook: str, is_luck_told: bool) -> Subscriber:
    """Return a subscriber that writes the replay page of each ruling into `replays/`."""
    compiled: dict[str, MachineCode] = {}

    def write_replays(result: Any) -> Iterator[Path]:
        for ruling in result.plan.rulings:
            if is_luck_told:  # pages will be written again and again
                use_machine_code(ruling.form, ruling.form.deserialize(ruling.receipt.inputs), compiled, MANY)
            path = artifact_path(folder / "replays", workbook, ruling.receipt, "html")
            path.parent.mkdir(parents=True, exist_ok=True)
            write_replay(ruling, path, is_luck_told=is_luck_told, compiled=compiled)
            yield path

    return write_replays
