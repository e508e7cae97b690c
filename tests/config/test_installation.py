"""The command that adds an extra where pipx made the environment of the program."""

from __future__ import annotations

import sys

import pytest

from sheets_algo.config.installation import PIPX, command_for


@pytest.mark.parametrize(("extra", "flags"), [("cluster", ["--include-deps"]), ("plot", [])])
def test_pipx_exposes_only_commands_for_people(tmp_path, monkeypatch, extra, flags):
    environment = tmp_path / "sheets-algo"
    environment.mkdir()
    (environment / PIPX).touch()
    monkeypatch.setattr(sys, "prefix", str(environment))

    words = command_for(extra).split()

    assert words[: 3 + len(flags)] == ["pipx", "inject", *flags, "sheets-algo"]
