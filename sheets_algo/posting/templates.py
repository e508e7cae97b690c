"""Templates of posts: Jinja2 in a sandbox, with the data of a post and filters that make names literal."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.receipt import without_markup
from sheets_algo.posting.channel import Post, PostRefused
from sheets_algo.posting.command import post_data
from sheets_algo.posting.markdown import literal
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.redact import one_line

LONGEST = 100_000
"""Most characters of a text that a template makes."""

Template = Callable[[Post], str]


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja2 for templates that somebody else may have written: no way to Python, and no huge numbers or texts."""

    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute `*` of numbers alone: texts times 10 ** 10, and powers, would take all memory and time."""
        if operator == "**" or not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise SecurityError(f"{operator} is for numbers alone" if operator == "*" else "** is not allowed")
        return super().call_binop(context, operator, left, right)


def read_template(file: Path) -> Template:
    """Return the function that makes the text of a post by a template.

    The function raises PostRefused for a template that fails on a post, with line and reason.

    Raises:
        BadSetting: The file cannot be read, or is no template; the text names line and reason.
    """
    environment = Sandbox(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"markdown": literal, "wiki": without_markup}
    try:
        template = environment.from_string(file.read_text(encoding="utf-8"))
    except TemplateSyntaxError as error:
        raise BadSetting(f"{file}, line {error.lineno}: {one_line(str(error.message)).rstrip('.')}.") from error
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not in UTF-8"
        raise BadSetting(f"template: {file} cannot be read ({why}).") from error

    def render(post: Post) -> str:
        data = post_data(post)
        lines = {line.label: line.text for block in post.blocks for line in block.lines if line.label}
        text = ""
        try:
            for piece in template.generate(data | {"lines": lines, "picture": bool(post.picture)}):
                text += piece
                if len(text) > LONGEST:
                    raise PostRefused(f"{file}: the template makes a text of more than {LONGEST:,} characters.")
        except PostRefused:
            raise
        except Exception as error:  # whatever a template does
            why = one_line(str(error))[:200].rstrip(".") or type(error).__name__
            raise PostRefused(f"{file}, line {_line_of(error)}: {why}.") from None
        if not text.strip():
            raise PostRefused(f"{file}: the template makes an empty text.")
        return text.strip()

    return render


def _line_of(error: Exception) -> int:
    """Return the line of a template at which an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno or 0 for frame in reversed(frames) if frame.filename == "<template>"), 0)
