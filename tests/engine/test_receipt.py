"""The receipt as wiki markup: what names may do to it, and what they may not (RCP-08)."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from engine.receipt import Block, Line, ReceiptText, without_markup
from tests.helpers.example_budget import LAW


def test_wiki_markup_is_escaped() -> None:
    cases = [
        ("[[File:x.png]]", "&#91;&#91;File:x.png&#93;&#93;"),
        ("'''bold''' and ''italic''", "&#39;&#39;&#39;bold&#39;&#39;&#39; and &#39;&#39;italic&#39;&#39;"),
        ("{{template|1}}", "&#123;&#123;template&#124;1&#125;&#125;"),
        ("<script>", "&#60;script>"),
        ("</nowiki><!-- x", "&#60;/nowiki>&#60;!-- x"),
        ("two\nlines", "two lines"),
        ("two\r\nor\u2028three lines\n", "two or three lines"),
        ("https://example.org", "https&#58;//example.org"),
        ("[//example.org x] [mailto:x y]", "&#91;//example.org x] &#91;mailto&#58;x y]"),
        ("~~~~ __NOTOC__", "&#126;&#126;&#126;&#126; &#95;&#95;NOTOC&#95;&#95;"),
        ("&lt;b> &#60;", "&#38;lt;b> &#38;#60;"),
        ("'tis", "&#39;tis"),
    ]
    assert [(typed, without_markup(typed)) for typed, _ in cases] == cases


def test_a_name_without_markup_is_unchanged() -> None:
    cases = ["Æthelred's war", "R&D", "a > b", "= 3 =", "rolled 7 of 100 [RL-DUN-03]", "1:2", "* # ; :", "a_b ~ ~"]
    assert [(typed, without_markup(typed)) for typed in cases if without_markup(typed) != typed] == []


@LAW
@given(st.text(st.sampled_from("'[]{}<>|&~_:/;#amplt39 x\n=*"), max_size=20))
def test_the_wiki_shows_the_typed_text_on_one_line(typed: str) -> None:
    written = without_markup(typed)

    assert re.sub(r"&#?\w+;", lambda entity: html.unescape(entity[0]), written).split() == typed.split()
    assert "\n" not in written
    assert not re.search(r"\[\[|\]\]|[{}<|]|''|__|~~~|://|&(?!#\d+;)(?=#?\w+;)", written)


def test_receipts_escape_all_texts_and_keep_their_own_markup() -> None:
    name = "'''[[x]]"
    shown = "&#39;&#39;&#39;&#91;&#91;x&#93;&#93;"
    receipt = ReceiptText(name, (Block(name, (Line(name, name), Line("", name))),))

    assert receipt.wiki().splitlines() == [
        f"== {shown} ==",
        f"=== {shown} ===",
        f"* '''{shown}:''' {shown}",
        f"* {shown}",
    ]
