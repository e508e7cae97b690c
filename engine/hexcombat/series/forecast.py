"""The rules' own forecast: expected losses by formula, without dice or updates (HX-FOR-1, HX-OP-23)."""

from __future__ import annotations

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fate import ExpectedFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.report.result import summary
from engine.hexcombat.setup.inputs import CombatInputs
from engine.hexcombat.setup.tables import HexTables


def forecast(inputs: CombatInputs, tables: HexTables) -> Combat:
    """Fight the combat by expectation, on copies (HX-DEF-22).

    Args:
        tables: The tables without the combat's settings.
    """
    account = Account()
    return fight(inputs, tables.having(inputs.settings), ExpectedFate(account), account)


def line(combat: Combat) -> str:
    """Return `By formula: Infantry: 5 killed; Tank: 1 killed; SIMULTANEOUS; rugged defence 25 %`."""
    parts = [summary(combat), *([combat.sequence] if combat.sequence else []), *combat.account.chances]
    return f"By formula: {'; '.join(parts)}"
