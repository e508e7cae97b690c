"""Format of the tab Posts, which is created when first needed."""

from __future__ import annotations

from dataclasses import replace

from engine.columns import column
from sheets_algo.steps.posts.post_row import POSTED, SEND_AGAIN, PostRow
from sheets_algo.template.choices import ROWS
from sheets_algo.template.looks import heading
from sheets_algo.template.tabs import note, program_tab
from sheets_algo.workbook.template_spec import CellCheck, ColumnSpec, TabSpec


def posts_tab() -> TabSpec:
    """Return the description of the tab Posts, in which people choose an action (PST-09)."""
    says = "Send again or Posted; behind Posted you may type the id of the post."
    check = CellCheck(rows=ROWS, source=(SEND_AGAIN, POSTED), says=says)
    tab = program_tab(PostRow, ())
    action = column(PostRow, "action")
    chosen = ColumnSpec(
        header=action.header, width=18, note=note(action, {}, ()), heading=heading(action.place), checks=(check,)
    )
    return replace(tab, columns=[chosen if column.header == action.header else column for column in tab.columns])
