#!/usr/bin/env python3
"""The way of one request through the program: modules entered, and returns to modules already left.

A new workbook is made by `init`; of its wars one stays, which `run` rules, or refuses for an attacker that does not
exist. Beside it an order of a toy game with turns is ruled, and a war whose luck is a round of a beacon, both in
memory. The way is followed from the snapshot to the plan with the receipt, as anybody who reads the code would follow
it: the calls of functions in the order in which they are made, each pair of calling and called function once. Loops
over rows and receipts add nothing, nor do properties, which read like fields, or the methods by which a step does
nothing.

Modules are those that the way enters. A return is a call into another module than that of the call before, if the way
has been in it already. Those up to the first answer end where the first row gets its `Answer`. The first three columns
leave out what folders other than `ruling/` and `steps/` do, but not what they call there; the last two count all of
`sheets_algo` and `engine`.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (f"{ROOT / 'sheets_algo'}/", f"{ROOT / 'engine'}/")
CORE = ("sheets_algo/ruling/", "sheets_algo/steps/")
TAB, WAR = "War Requests", "Hastings"


@dataclass
class Way:
    """The way of a request, to be set as the profile function of the interpreter."""

    read: CodeType  # The function that returns the snapshot
    planned: CodeType  # The function that returns the plan
    answer: CodeType  # The function that makes an answer
    steps: list[tuple[str, str]] = field(default_factory=list)  # File and function of each call
    first_answer: int | None = None  # The number of calls before the first answer
    is_open: bool = False
    is_over: bool = False
    _calls: set[tuple[CodeType, CodeType]] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note a call, if it is one of the way."""
        code = frame.f_code
        if (event == "return" and code is self.read) or (event == "call" and code is self.planned):
            self.is_open = not self.is_over
        elif event == "return" and code is self.planned:
            self.is_open, self.is_over = False, True
        if event == "call" and self.is_open:
            if code is self.answer and self.first_answer is None:
                self.first_answer = len(self.steps)
            elif is_function(code):
                caller = frame.f_back
                while caller and not is_function(caller.f_code):
                    caller = caller.f_back
                pair = (caller.f_code if caller else self.planned, code)
                if pair not in self._calls:
                    self._calls.add(pair)
                    self.steps.append((code.co_filename.removeprefix(f"{ROOT}/").removesuffix(".py"), code.co_qualname))


@functools.cache
def is_function(code: CodeType) -> bool:
    """Return True if code is that of a function or method of the program, and of no property."""
    is_default = code.co_qualname.startswith("Step.")  # by which a step does nothing
    if not code.co_filename.startswith(PROGRAM) or code.co_name.startswith("<") or is_default:
        return False
    name = code.co_filename.removeprefix(f"{ROOT}/").removesuffix(".py").removesuffix("/__init__")
    owner, _, attribute = code.co_qualname.rpartition(".")
    found = vars(getattr(sys.modules.get(name.replace("/", ".")), owner, object)).get(attribute)
    return not isinstance(found, (property, functools.cached_property))


def returns(modules: list[str]) -> int:
    """Return how often a way comes back into a module that it has left."""
    entered = [module for place, module in enumerate(modules) if place == 0 or modules[place - 1] != module]
    return len(entered) - len(set(entered))


def followed(ruling: Callable[[], Any]) -> Way:
    """Return the way of the request that a function has ruled."""
    from sheets_algo.ruling.passes.planner import plan_pass
    from sheets_algo.ruling.plan import Answer
    from sheets_algo.workbook.xlsx import XlsxWorkbook

    way = Way(XlsxWorkbook.read.__code__, plan_pass.__code__, Answer.__init__.__code__)
    sys.setprofile(way)
    try:
        ruling()
    finally:
        sys.setprofile(None)
    return way


def way_of_war(attacker: str) -> Way:
    """Return the way of a war in a file; its attacker is another one, unless that is blank."""
    with tempfile.TemporaryDirectory() as folder:
        workbook = Path(folder) / "season.xlsx"
        typed("init", str(workbook))
        leave_one_war(workbook, attacker)
        return followed(lambda: typed("run", str(workbook)))


def way_of_order() -> Way:
    """Return the way of an order in a game with turns."""
    from scripts.support.workbooks import example, run, workbook

    order = {"Request": "R-1", "Ready": True, "Player": "Anna", "Order": "Set tax", "Tax %": 15}
    book = workbook(example("rounds") | {"Round Requests": [order]})
    return followed(lambda: run(book))


def way_under_beacon() -> Way:
    """Return the way of a war whose round has come."""
    from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
    from scripts.support.workbooks import example

    rows = example("1066")
    season = BeaconSeason(rows | {TAB: [row for row in rows[TAB] if row["War"] == WAR]})
    season.run(before_round(123))
    return followed(lambda: season.run(after_round(123)))


def in_core(modules: Iterable[str]) -> list[str]:
    """Return the modules of the core and its steps, by their names there."""
    return [module.removeprefix(CORE[0]).removeprefix("sheets_algo/") for module in modules if module.startswith(CORE)]


def typed(*words: str) -> None:
    """Run a command in this process, without its output."""
    from sheets_algo.cli import main

    nothing = io.StringIO()
    with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing), contextlib.suppress(SystemExit):
        main(words, standalone_mode=False)


def leave_one_war(workbook: Path, attacker: str) -> None:
    """Empty the rows of all wars but one, and their flanks; give that another attacker, unless it is blank."""
    import openpyxl

    book = openpyxl.load_workbook(workbook)
    sheet = book[TAB]
    heads, id = [cell.value for cell in sheet[1]], None
    for row in sheet.iter_rows(min_row=2):
        cells = dict(zip(heads, row, strict=True))
        if cells["War"].value != WAR:
            for cell in row:
                cell.value = None
            continue
        id = cells["Request"].value
        if attacker:
            cells["Attacker"].value = attacker
    for row in book["Flanks"].iter_rows(min_row=2):
        for cell in row if row[0].value != id else ():
            cell.value = None
    book.save(workbook)


WAYS: Mapping[str, Callable[[], Way]] = {
    "ruled": lambda: way_of_war(""),
    "refused": lambda: way_of_war("Atlantis"),
    "of a turn": way_of_order,
    "under a beacon": way_under_beacon,
}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", action="store_true", help="print the ways themselves, a line a call")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from scripts.support import toys

    toys.install()
    print("| Request | Modules of ruling/ and steps/ | Returns up to the first answer | Returns | Of all | Returns |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, follow in WAYS.items():
        way = follow()
        everywhere = [module for module, _ in way.steps]
        modules = in_core(everywhere)
        first = returns(in_core(everywhere[: way.first_answer]))
        figures = (len(set(modules)), first, returns(modules), len(set(everywhere)), returns(everywhere))
        print("|", " | ".join((name, *map(str, figures))), "|")
        for module, function in way.steps if args.steps else ():
            if core := in_core([module]):
                print(f"{core[0]}: {function}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
