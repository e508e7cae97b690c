"""Subjects of commits, checked: `area: imperative`, at most 72 characters. `scripts/test` runs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
SINCE = "2026-11-30T04:30Z"
"""When these rules were agreed; older subjects stay as they are."""
LONGEST = 72
VERBS = frozenset(
    """
    accept add adjust align allow anchor answer append apply ask assert attach avoid begin bind bound bring build
    bump cache call cap carry catch change check choose clarify clean clear click close collect combine compare
    compile complete compress compute convert copy correct count cover create cut date decide declare decode
    decouple default defer delete deploy derive describe detect disable discard divide document download draw drop
    edit emit enable encode end enforce ensure escape estimate exclude expand expect explain export expose extend
    extract fail fetch fight fill find fit fix flag fold follow forbid force forecast format free generate give
    group guard guess hand handle hash hide hold honour ignore import improve include index inherit init inline
    insert install introduce invert isolate join judge keep kill know label leave let limit link list load lock log
    look lower make mark match measure mend mention merge mirror mistype move name narrow normalise note number
    offer omit open optimise order pack pad pair parse part pass pay permit photograph pick pin place plan play post
    prefer prepare preserve press prevent price print propose protect prove publish put queue quote raise read
    rebuild record recover redraw reduce refer refuse regenerate register rehearse reject release remove rename
    render reopen reorder repair repeat replace replay report require reread reset resolve respect restart restore
    restrict retry return reuse revert review rework rewrite round route rule run sample save say scale search see
    select send separate serve set share shorten show simplify skip sort spare speed spell split stabilise stage
    start state stop store stream strip style support suppress survive swap switch take tell test tidy tighten
    tolerate train treat trim try tune turn type undo unify update upgrade use validate vary verify wait warn weigh
    widen wire word wrap write
    """.split()  # noqa: SIM905
)
"""Verbs that open a subject; add one where it says best what a commit does."""


def faults(subject: str) -> list[str]:
    """Return what is wrong with a subject, a phrase a fault."""
    area = re.fullmatch(r"([\w./+-]+(?:, [\w./+-]+)*): (\S+).*", subject)
    wrong = [f"{len(subject)} characters, at most {LONGEST}"] if len(subject) > LONGEST else []
    if not area:
        wrong.append("no area before a colon")
    elif area[2] not in VERBS:
        wrong.append(f"{area[2]!r} is no verb of {Path(__file__).name}")
    return wrong


def main() -> int:
    """Print the faults of all subjects since they were agreed; 1 if there are any."""
    log = ["git", "log", "--no-merges", f"--since={SINCE}", "--format=%h %s"]
    lines = subprocess.run(log, cwd=CHECKOUT, capture_output=True, encoding="utf-8", check=False).stdout.splitlines()
    wrong = [f"{line}: {', '.join(bad)}" for line in lines if (bad := faults(line.partition(" ")[2]))]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
