#!/usr/bin/env python3
"""The way of one request through `sheets_algo/ruling/`: modules entered, and returns to modules already left.

A new workbook is made by `init`; of its wars one stays, which `run` rules, or refuses for an attacker that does not
exist. The way is followed from the snapshot, as soon as the XLSX file is read, to the plan with the receipt, as anybody
who reads the code would follow it: the calls of functions in `sheets_algo/ruling/` in the order in which they are made,
each pair of calling and called function once. Loops over rows and receipts add nothing, nor do properties, which read
like fields, or the methods by which a step does nothing; what modules of other folders do is left out, but what they
call in `ruling/` is part of the way.

Modules are those that the way enters. A return is a call into another module than that of the call before, if the way
has been in it already. Those up to the first answer end where the first row gets its `Answer`.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RULING = f"{ROOT / 'sheets_algo' / 'ruling'}/"
TAB, WAR = "War Requests", "Hastings"


@dataclass
class Way:
    """The way of a request, to be set as the profile function of the interpreter."""

    read: CodeType  # The function that returns the snapshot
    planned: CodeType  # The function that returns the plan
    answer: CodeType  # The function that makes an answer
    steps: list[tuple[str, str]] = field(default_factory=list)  # Module and function of each call
    first_answer: int | None = None  # The number of calls before the first answer
    is_open: bool = False
    is_over: bool = False
    _calls: set[tuple[CodeType, CodeType]] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note a call, if it is one of the way."""
        code = frame.f_code
        if event == "return" and code is self.read:
            self.is_open = not self.is_over
        elif event == "return" and code is self.planned:
            self.is_open, self.is_over = False, True
        elif event == "call" and self.is_open:
            if code is self.answer and self.first_answer is None:
                self.first_answer = len(self.steps)
            elif is_function(code):
                caller = frame.f_back
                while caller and not is_function(caller.f_code):
                    caller = caller.f_back
                pair = (caller.f_code if caller else self.planned, code)
                if pair not in self._calls:
                    self._calls.add(pair)
                    self.steps.append((code.co_filename.removeprefix(RULING).removesuffix(".py"), code.co_qualname))


@functools.cache
def is_function(code: CodeType) -> bool:
    """Return True if code is that of a function or method of `ruling/`, and of no property."""
    is_default = code.co_qualname.startswith("Step.")  # by which a step does nothing
    if not code.co_filename.startswith(RULING) or code.co_name.startswith("<") or is_default:
        return False
    name = code.co_filename.removeprefix(f"{ROOT}/").removesuffix(".py").replace("/", ".")
    owner, _, attribute = code.co_qualname.rpartition(".")
    found = vars(getattr(sys.modules[name], owner, object)).get(attribute)
    return not isinstance(found, (property, functools.cached_property))


def returns(modules: list[str]) -> int:
    """Return how often a way comes back into a module that it has left."""
    entered = [module for place, module in enumerate(modules) if place == 0 or modules[place - 1] != module]
    return len(entered) - len(set(entered))


def followed(workbook: Path) -> Way:
    """Rule a workbook by the command `run`, and return the way of its request."""
    from sheets_algo.ruling.passes.planner import plan_pass
    from sheets_algo.ruling.plan import Answer
    from sheets_algo.workbook.xlsx import XlsxWorkbook

    way = Way(XlsxWorkbook.read.__code__, plan_pass.__code__, Answer.__init__.__code__)
    sys.setprofile(way)
    try:
        typed("run", str(workbook))
    finally:
        sys.setprofile(None)
    return way


def typed(*words: str) -> None:
    """Run a command in this process, without its output."""
    from sheets_algo.cli import main

    nothing = io.StringIO()
    with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing), contextlib.suppress(SystemExit):
        main(words, standalone_mode=False)


def leave_one_war(workbook: Path, attacker: str) -> None:
    """Empty the rows of all wars but one; give that another attacker, unless it is blank."""
    import openpyxl

    book = openpyxl.load_workbook(workbook)
    sheet = book[TAB]
    heads = [cell.value for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        cells = dict(zip(heads, row, strict=True))
        if cells["War"].value != WAR:
            for cell in row:
                cell.value = None
        elif attacker:
            cells["Attacker"].value = attacker
    book.save(workbook)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", action="store_true", help="print the ways themselves, a line a call")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))

    print("| Request | Modules of ruling/ | Returns up to the first answer | Returns |")
    print("|---|--:|--:|--:|")
    for name, attacker in (("ruled", ""), ("refused", "Atlantis")):
        with tempfile.TemporaryDirectory() as folder:
            workbook = Path(folder) / "season.xlsx"
            typed("init", str(workbook))
            leave_one_war(workbook, attacker)
            way = followed(workbook)
        modules = [module for module, _ in way.steps]
        print(f"| {name} | {len(set(modules))} | {returns(modules[: way.first_answer])} | {returns(modules)} |")
        for place, (module, function) in enumerate(way.steps if args.steps else ()):
            print(f"{module}: {function}{' (first answer)' if place == way.first_answer else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
