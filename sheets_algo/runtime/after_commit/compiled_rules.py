"""Machine code of rulesets for the comparison battles of rulings and replay pages."""

from __future__ import annotations

from typing import Any

from engine.ruleset import MachineCode
from sheets_algo.forms.base import Form


def use_machine_code(
    form: Form[Any], inputs: Any, compiled: dict[str, MachineCode], battles: int = 0, wait_s: float = 0.0
) -> MachineCode:
    """Return the machine code of a ruleset, empty until it exists; it is compiled in another process if worthwhile.

    Args:
        inputs: The inputs of the next war.
        compiled: The cache of results, by the key of the form, to which this one is added.
        battles: The number of battles; compilation is worthwhile from some number on.
        wait_s: The longest wait for that process, in seconds.
    """
    if form.key not in compiled:
        from sheets_algo.forecasts.compiled import use_cached_code  # slow to import

        compiled[form.key] = MachineCode()
        use_cached_code(form, inputs, compiled[form.key], battles, wait_s=wait_s)
    return compiled[form.key]
