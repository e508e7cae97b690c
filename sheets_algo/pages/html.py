"""Pages without requests: a policy allows only their own script and style, by hash, and pictures.

A script is one text of several modules, since such a page cannot import them. Every import is one line,
`import { name } from "./file.js";`, without other names for what it imports, so that modules run as they are in tests,
and one after the other in a page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

SCRIPT_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that could end a script element, or a line of a script, with their escapes in JSON."""

PLAIN_MOST = 100_000
"""Maximum number of characters of uncompressed data; longer data shrink to a fourth."""


def rendered(
    template: str,
    style: Markup,
    script: Markup | None,
    values: Mapping[str, Any],
    connects: str = "",
    *,
    has_policy: bool = True,
) -> str:
    """Return a page as HTML.

    Args:
        template: The path of the template in this package.
        script: Its script; None for a page without one.
        connects: The addresses that the script may request, as in the policy; blank for none.
        has_policy: False for a page inside another site, whose own scripts must run.
    """
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data:",
            f"script-src '{digest_of(script)}'" if script is not None else "script-src 'none'",
            f"style-src '{digest_of(style)}'",
            *((f"connect-src {connects}",) if connects else ()),
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    page = environment("").get_template(template)
    return page.render({**values, "policy": policy if has_policy else "", "style": style, "script": script})


def script_json(value: object) -> Markup:
    """Return JSON that is safe in a script element, whatever texts are in it; much data as a text in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(text) > PLAIN_MOST:
        text = json.dumps(base64.b64encode(zlib.compress(text.encode(), 9)).decode())
    return Markup(text.translate(SCRIPT_ESCAPES))


@cache
def asset(name: str) -> Markup:
    """Return the text of a file of this package."""
    return Markup(files("sheets_algo.pages").joinpath(name).read_text(encoding="utf-8"))


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def environment(folder: str) -> Environment:
    """Return Jinja for the templates of a folder of this package, in which all texts are escaped."""
    loader = PackageLoader("sheets_algo.pages", folder)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) )", re.MULTILINE)
COMMENT = re.compile(r"^ *// .*\n|(?<=[;{]) // .*$", re.MULTILINE)
"""A comment on its own line or after a statement, or an indent; these stay in the module for its readers.
"""
INDENT = re.compile(r"^ +", re.MULTILINE)


@cache
def script_of(module: str) -> Markup:
    """Return the text of a module after those that it imports, each once, as one strict script.

    Args:
        module: The path in this package: `board/main.js`.
    """
    texts: dict[str, str] = {}
    _add(module, texts)
    return Markup('"use strict";\n' + "".join(texts.values()))


def _add(module: str, texts: dict[str, str]) -> None:
    text = files("sheets_algo.pages").joinpath(module).read_text(encoding="utf-8")
    for name in IMPORT.findall(text):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
        if path not in texts:
            _add(path, texts)
    texts[module] = INDENT.sub("", COMMENT.sub("", EXPORT.sub("", IMPORT.sub("", text))))
