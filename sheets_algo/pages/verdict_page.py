"""Findings of `verify` as HTML: one page for a file, or a receipt at a time for the page that verifies in a browser.

It uses the standard library only, since a browser has no library of templates.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from sheets_algo.replays.replay import DIFFERENT, EQUAL, Verdict
from sheets_algo.workbook.redact import printable

SIGNS = {EQUAL: "✓", DIFFERENT: "✕"}
"""Signs of the results, so that they do not rely on colour alone."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings of `verify`, as players read them."""

    sentence: str  # The result in plain words
    wrong: tuple[str, ...]  # The problems of the season as a whole, in sentences
    verdicts: tuple[Verdict, ...]  # A verdict on each ruling
    differing: tuple[str, ...]  # The cells that differ from the receipts, without remedies
    notes: tuple[str, ...]  # Further remarks, with remedies
    aside: str  # The limits of the proof


def verdict_html(verdict: Verdict) -> str:
    """Return a verdict as an item of a list: the receipt, the result, remarks, and differences side by side."""
    receipt = verdict.receipt
    result = verdict.result
    badge = f'<span class="badge {result.replace(" ", "-")}">{SIGNS.get(result, "?")} {result}</span>'
    parts = [f"<p>{badge} <strong>{_text(receipt.request)}</strong>"]
    parts += [f" {_text(receipt.war)}" if receipt.war else "", f' <span class="faint">receipt {receipt.seq}</span></p>']
    parts += [f'<p class="faint">{_text(remark)}</p>' for remark in verdict.remarks]
    values = [difference for difference in verdict.compared if difference.place]
    reasons = [sentence for difference in verdict.compared if not difference.place for sentence in difference.sentences]
    parts += [f"<p>{_text(sentence)}</p>" for sentence in (*reasons, *(missing.text for missing in verdict.missing))]
    if values:
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("What", "Announced", "Computed"))
        rows = "".join(
            f'<tr><th scope="row">{_text(row.place)}</th><td data-label="Announced">{_text(row.written)}</td>'
            f'<td data-label="Computed">{_text(row.actual)}</td></tr>'
            for row in values
        )
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        parts.append(f'<div class="rows cards" tabindex="0" role="group" aria-label="Differences">{table}</div>')
    return f"<li>{''.join(parts)}</li>"


def sentence_html(sentence: str) -> str:
    """Return the sentence that a page begins with."""
    return f'<p class="total">{_text(sentence)}</p>'


def findings_html(findings: Findings) -> str:
    """Return the findings: the sentence, the differences, and all else folded away."""
    others = [verdict for verdict in findings.verdicts if not verdict.is_equal]
    equal = [verdict for verdict in findings.verdicts if verdict.is_equal]
    parts = [sentence_html(findings.sentence), *(f'<p class="note">{_text(text)}</p>' for text in findings.wrong)]
    if others:
        parts.append(f"<h2>What differs</h2>{_list(others)}")
    if findings.differing:
        items = "".join(f"<li>{_text(text)}</li>" for text in findings.differing)
        parts.append(f'<h2>Cells that show something else than the receipts</h2><ul class="plain">{items}</ul>')
    if findings.aside:
        parts.append(f'<p class="faint">{_text(findings.aside)}</p>')
    if equal:
        parts.append(f"<details><summary>What comes out again ({len(equal):,})</summary>{_list(equal)}</details>")
    if findings.notes:
        lines = "".join(f"<p>{_text(line)}</p>" for line in findings.notes)
        parts.append(
            f'<details id="more"><summary>For moderators: numbers, promises, remedies</summary>{lines}</details>'
        )
    return "".join(parts)


def _list(verdicts: Iterable[Verdict]) -> str:
    return f'<ol class="verdicts">{"".join(map(verdict_html, verdicts))}</ol>'


def verdict_page(name: str, findings: Findings) -> str:
    """Return all verdicts as one page without requests and scripts."""
    style = page_style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    title = _text(f"{name}: receipts computed again")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest}'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body class="site verify">
<main>
<h1>{title}</h1>
{findings_html(findings)}
</main>
</body>
</html>
"""


@cache
def page_style() -> str:
    """Return the style sheet: that of the season's site, with rules for verdicts."""
    names = ("page.css", "site/site.css", "verify/verify.css")
    return "".join(files("sheets_algo.pages").joinpath(name).read_text("utf-8") for name in names)


def _text(text: str) -> str:
    return escape(printable(text))
