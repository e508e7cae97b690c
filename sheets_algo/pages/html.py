"""Pages without requests: a policy allows only their own script and style, by hash, and pictures."""

from __future__ import annotations

import base64
import hashlib
import json
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
