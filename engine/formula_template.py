"""Calculations of one rule for many numbers, for the log of a battle, without a trace for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.calculation import Calculation, KeyFormula, Part
from engine.rule import RULES, AbsentNumber, TracedNumber, formula_of, traced_call


class FormulaTemplate:
    """Calculations of one rule for many numbers: its formula is traced once for each of its forms.

    The form depends only on silent values, absent arguments and booleans; a formula that branches on anything else
    cannot have a template.

    Args:
        function: The rule; its arguments are numbers and records of numbers.
        result: The name of its result; blank for the rule's own.
        names: Other names of some arguments.
    """

    def __init__(self, function: Callable[..., Any], result: str = "", **names: str) -> None:
        rule_names = RULES[function]
        assert rule_names.result is not None
        self._function, self._result = function, rule_names.result._replace(what=result or rule_names.result.what)
        self._renamed = {rule_names.arguments[name].what: what for name, what in names.items()}
        self._silent: Sequence[float | None] = ()
        self._forms: dict[tuple[bool, ...], tuple[KeyFormula, Sequence[int], Sequence[float]]] = {}

    def of(self, *arguments: Any) -> Calculation:
        """Return the calculation of the rule with these arguments."""
        numbers = [number for argument in arguments for number in _numbers_of(argument)]
        self._silent = self._silent or self._silent_values(arguments)
        form = tuple(
            [
                number if type(number) is bool else type(number) is AbsentNumber or number == silent
                for number, silent in zip(numbers, self._silent, strict=True)
            ]
        )
        if form not in self._forms:
            self._forms[form] = self._traced(arguments, numbers)
        formula, order, constants = self._forms[form]
        entered = [*numbers, *constants]
        return formula.of(float(self._function(*arguments)), *[entered[place] for place in order])

    def _silent_values(self, arguments: Sequence[Any]) -> list[float | None]:
        """Return the silent value of each number, None if it is always written."""
        order = self._function.__code__.co_varnames
        fields = [getattr(argument, "_fields", (name,)) for argument, name in zip(arguments, order, strict=False)]
        named_numbers = [RULES[self._function].arguments.get(field) for names in fields for field in names]
        return [name.silent if name else None for name in named_numbers]

    def _traced(
        self, arguments: Sequence[Any], numbers: Sequence[float]
    ) -> tuple[KeyFormula, Sequence[int], Sequence[float]]:
        """Return one form of the formula, the positions of its operands, and its constants behind them."""
        places = iter(range(len(numbers)))

        def placed(number: float) -> Any:
            place, silent = next(places), self._silent
            if isinstance(number, bool | AbsentNumber) or number == silent[place]:
                return number
            return TracedNumber(number, (Part(""),), (_Place(number, place),))

        traced = [
            type(argument)(*map(placed, argument)) if isinstance(argument, tuple) else placed(argument)
            for argument in arguments
        ]
        names, result = traced_call(self._function, *traced)[1][-1]
        formula = formula_of(self._result, names.written_ids(result.ids), _renamed(result.parts, self._renamed))
        constants = [number for number in result.numbers if not isinstance(number, _Place)]
        behind = iter(range(len(numbers), len(numbers) + len(constants)))
        order = [number.place if isinstance(number, _Place) else next(behind) for number in result.numbers]
        return formula, order, constants


class _Place(float):
    """A number with its position in a template."""

    __slots__ = ("place",)
    place: int

    def __new__(cls, value: float, place: int) -> _Place:
        self = super().__new__(cls, value)
        self.place = place
        return self


def _numbers_of(argument: Any) -> Sequence[float]:
    return argument if isinstance(argument, tuple) else (argument,)


def _renamed(parts: tuple[Part, ...], names: Mapping[str, str]) -> tuple[Part, ...]:
    return tuple(
        part._replace(what=names.get(part.what, part.what), parts=_renamed(part.parts, names)) for part in parts
    )
