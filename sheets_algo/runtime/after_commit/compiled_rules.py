"""Machine code of rulesets for the battles that rulings and replay pages are compared with."""

from __future__ import annotations

from typing import Any

from engine.ruleset import MachineCode
from sheets_algo.forms.base import Form


def use_machine_code(form: Form[Any], inputs: Any, compiled: dict[str, MachineCode], battles: int = 0) -> MachineCode:
    """Return the machine code of a ruleset, empty until there is some; it is made in the background where that pays.

    Args:
        inputs: The inputs of a war that is about to be fought.
        compiled: What was returned before, by the key of the form; what is looked for now is added.
        battles: The number of battles that will be fought; compilation pays from some number on.
    """
    if form.key not in compiled:
        from sheets_algo.forecasts.compiled import use_cached_code  # slow to import

        compiled[form.key] = MachineCode()
        use_cached_code(form, inputs, compiled[form.key], battles)
    return compiled[form.key]
