"""The report of a turn as a page of its own that needs no other file."""

from __future__ import annotations

import html

from engine.receipt import Line, ReceiptText


def turn_report_page(report: ReceiptText, before: str = "", name_before: str = "") -> str:
    """Return a report as a page.

    Args:
        before: The address of the page of the turn before; blank for no link.
        name_before: The words of the link.
    """
    title = html.escape(report.title)
    parts = []
    for block in report.blocks:
        parts += [f"<h2>{html.escape(block.heading)}</h2>"] if block.heading else []
        parts += ["<ul>", *map(_item, block.lines), "</ul>"]
    parts += [f'<p><a href="{html.escape(before)}">{html.escape(name_before)}</a></p>'] if before else []
    return "\n".join([PAGE_START.format(title=title), f"<h1>{title}</h1>", *parts, "</body>", "</html>"])


def _item(line: Line) -> str:
    label = f"<b>{html.escape(line.label)}:</b> " if line.label else ""
    return f"<li>{label}{html.escape(line.text)}</li>"


PAGE_START = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font-family: sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em; }}</style>
</head>
<body>"""
