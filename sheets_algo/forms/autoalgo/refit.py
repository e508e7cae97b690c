"""Counts of flanks that do not fit their army: one problem a side, and fitting counts (R-124, REQ-23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.autoalgo.inputs import SIDES, Count, WarInputs
from engine.autoalgo.names import army_names
from engine.autoalgo.setup.army import COLUMNS, apportion, belligerent, column_counts, has_land_types, shares_fit
from engine.autoalgo.setup.strategy import SHIPS, SLOTS, TOTAL_KINDS, strategy_message, strategy_rules
from engine.autoalgo.setup.strategy_rules import StrategyMessage, StrategyProblem
from engine.autoalgo.setup.tables import Tables
from engine.columns import column
from engine.share import Share
from sheets_algo.database.problems import Problem, enumeration, shorten_list
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.autoalgo.columns import REFIT, FlankRow
from sheets_algo.forms.autoalgo.flank_rows import flank_orders

KINDS = dict(zip((*TOTAL_KINDS, SHIPS, "Size"), (*COLUMNS, COLUMNS[0]), strict=True))
"""Attribute of the column to correct, by kind of a problem."""
HUNDREDTHS = 10_000
"""Units of a share: hundredths of one per cent."""
LISTED = 6
"""Maximum number of counts of a column that a message lists."""
OR_BLANK = "or leave all counts blank for an even split"
OR_BLANK_SHIPS = "or leave Ships blank in all rows"
OR_ONE_BLANK = "or leave Ships blank in one row that has men"


@dataclass(frozen=True)
class SideCounts:
    """The counts of a side's flanks in a war, as its rows have them."""

    war: WarInputs
    side: int
    request: Row  # The row of the war
    rows: Sequence[Row]  # The rows of Flanks, one for each flank; none for a board's link
    are_own: bool  # True if they are rows of this war, and not of a reused strategy
    database: Database
    tables: Tables

    @property
    def label(self) -> str:
        """Return the side, and of several armies this one: `Attacker (Norden)`."""
        army = f" ({army_names(self.war, self.side)[0]})" if belligerent(self.war, self.side).allies else ""
        return f"{SIDES[self.side]}{army}"

    @cached_property
    def strategy(self) -> StrategyMessage:
        """Return the check of the side's strategy."""
        return strategy_message(self.war, self.side, self.tables)

    @cached_property
    def wrong(self) -> Sequence[StrategyProblem]:
        """Return the errors: shares that do not sum to the whole, and the other totals."""
        problems = self.strategy.problems
        of_shares = [problem for problem in problems if problem.id == "R-124"]
        kinds = {problem.kind for problem in of_shares}
        return [*of_shares, *(problem for problem in problems if problem.excess and problem.kind not in kinds)]

    @property
    def problem(self) -> Problem:
        """Return the errors as one problem, with the fitting counts (STRAT-06, STRAT-07, R-124)."""
        assert self.wrong
        first, side = self.wrong[0], SIDES[self.side]
        if not self.rows:
            row, attribute, allowed = self.request, f"{side.lower()}_strategy", "Ask for a new link"
        else:
            row, attribute, allowed = self.rows[0], KINDS[first.kind], self._ways_out()
        return row.problem(attribute, first.id, f"{side}: {'; '.join(self._says())}", allowed=allowed)

    def edits(self) -> Iterator[Edit]:
        """Yield the fitting counts of each row with other counts (REQ-23)."""
        for name, counts in self._fits.items():
            for row, count in zip(dict.fromkeys(self.rows), counts, strict=True):
                if count or not row.is_blank(name):
                    yield Edit(row, name, str(count) if isinstance(count, Share) else count)

    @cached_property
    def _fits(self) -> Mapping[str, Sequence[Count]]:
        """Return fitting counts of each row in the columns that the check refuses; numbers keep their proportions."""
        totals = {total.column: total.expected for total in strategy_rules(self.war, self.side, self.tables).totals}
        typed: dict[str, Sequence[Count]] = {name: [row.get(name) for row in self._values] for name in COLUMNS}
        even = [row.get("flanks") or 1 for row in self._values]
        fits = typed
        # Wrong shares may hide that blanks are even, and ships follow the men; the second time for the Size of R-61.
        for name in (*sorted(COLUMNS, key=lambda name: shares_fit(typed[name])), *COLUMNS):
            if name in self._refused(fits):
                fits = fits | {name: _fitting(typed[name], totals.get(name, 0), even)}
        for name in COLUMNS:
            if not self._refused(fewer := fits | {name: typed[name]}):
                fits = fewer
        return {name: counts for name, counts in fits.items() if any(map(_differ, typed[name], counts))}

    @cached_property
    def _values(self) -> Sequence[Mapping[str, Any]]:
        return [self.database.read(row, FlankRow).values for row in dict.fromkeys(self.rows)]

    def _refused(self, counts: Mapping[str, Sequence[Count]]) -> frozenset[str]:
        """Return the columns that the check refuses if the rows have these counts."""
        rules, side = self.tables.strategy, SIDES[self.side]
        rows = (
            {**row, **dict(zip(counts, own, strict=True))}
            for row, *own in zip(self._values, *counts.values(), strict=True)
        )
        orders = tuple(order for row in rows for order in flank_orders(row, side, rules))
        army = replace(belligerent(self.war, self.side), flanks=orders)
        war = replace(self.war, attacker=army) if self.side == 0 else replace(self.war, defender=army)
        refused: set[str] = set()
        for problem in strategy_message(war, self.side, self.tables).problems:
            if problem.kind == "Size":
                refused.update(SLOTS)
            elif problem.kind in KINDS or problem.id == "STRAT-03":
                refused.add(KINDS.get(problem.kind, problem.kind.lower()))
        return frozenset(refused)

    def _ways_out(self) -> str:
        if not self.are_own:
            return f"Type shares such as 40 % there, which fit every army, {OR_BLANK}"
        by_men = self.tables.constants.r_122.applies > 0 and has_land_types(belligerent(self.war, self.side))
        are_ships = by_men and all(problem.kind == SHIPS for problem in self.wrong)  # which follow the men
        if all(problem.excess and problem.value < int(problem.allowed) for problem in self.wrong):
            few = [problem for problem in self.wrong if KINDS[problem.kind] in self._fits] or self.wrong
            lacking = [(f"{int(lack.allowed) - lack.value:,.0f}", f" {_word(lack)}") for lack in few]
            add = enumeration([number + word * (len(lacking) > 1) for number, word in lacking])
            return f"Add {add}, {OR_ONE_BLANK if are_ships else OR_BLANK}"
        fits = [f"{column(FlankRow, name).header} {_listed(counts)}" for name, counts in self._fits.items()]
        return f'Choose Action "{REFIT}", which writes {"; ".join(fits)}; {OR_BLANK_SHIPS if are_ships else OR_BLANK}'

    def _says(self) -> Iterator[str]:
        for problem in (problem for problem in self.wrong if not problem.excess):
            yield f"the shares of {KINDS[problem.kind]} sum to {problem.value:.6g} %; use {problem.allowed}"
        if totals := [problem for problem in self.wrong if problem.excess]:
            sums = "; ".join(f"Invalid {of.kind} ({of.value:.0f}/{of.allowed}), {of.excess}" for of in totals)
            ours = enumeration([f"{problem.value:,.0f} {_word(problem)}" for problem in totals])
            theirs = enumeration([f"{int(problem.allowed):,}" for problem in totals])
            military, word = belligerent(self.war, self.side).military, _word(totals[0])
            share = f"{getattr(military, f'{word}_proportion'):g} " if word in SLOTS and len(totals) == 1 else ""
            size = f"of Size {military.size:,}"
            whence = f" ({share}{size})" if share else f" {size}" if len(totals) > 1 else ""
            yield f"{sums}: all flanks together have {ours}, and {military.name} has {theirs}{whence}"


def _differ(typed: Count, fit: Count) -> bool:
    return typed != fit and (typed is not None or bool(fit))


def _fitting(counts: Sequence[Count], total: int, even: Sequence[int]) -> Sequence[Count]:
    """Return counts of a column that sum to its total, in the proportions of the present ones, else even."""
    units = [count.units if isinstance(count, Share) else 0 for count in counts]
    if any(units) and shares_fit(counts):
        return counts
    if any(isinstance(count, Share) for count in counts) and not any(map(_is_number, counts)):
        return [Share(part / 100) for part in apportion(HUNDREDTHS, units if any(units) else even)]
    men = column_counts([*counts, 0], total)[:-1]  # a blank keeps no part of the total
    return apportion(total, men if any(men) else even)


def _is_number(count: Count) -> bool:
    return isinstance(count, int) and count > 0


def _word(problem: StrategyProblem) -> str:
    return "men" if problem.kind == "Size" else KINDS[problem.kind]


def _listed(counts: Sequence[Count]) -> str:
    return ", ".join(shorten_list([str(count) for count in counts], LISTED))
