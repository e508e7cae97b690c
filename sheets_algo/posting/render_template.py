"""Process that renders a template: it reads a JSON object on standard input and writes one, and ends at its limits.

Request: `template`, a text, and `posts`, the data of each. Answer: `texts`, or `line`, `why` and `is_syntax`.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.receipt import literal_start
from sheets_algo.posting.markdown import literal
from sheets_algo.workbook.redact import one_line

CPU_S, MEMORY = 5, 512 * 1024 * 1024
"""Maximum seconds of the processor, and most bytes of memory, where the system can limit them."""
LONGEST = 100_000
"""Maximum number of characters of a template's text."""


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja2 for untrusted templates: no access to Python, and no huge numbers or texts."""

    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute `*` of numbers alone: texts times 10 ** 10, and powers, would take all memory and time."""
        if operator == "**" or not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise SecurityError(f"{operator} is for numbers alone" if operator == "*" else "** is not allowed")
        return super().call_binop(context, operator, left, right)


def render(text: str, posts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answer to a request."""
    environment = Sandbox(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"markdown": literal, "wiki": literal_start}
    try:
        template = environment.from_string(text)
        return {"texts": [_render(template, post) for post in posts]}
    except TemplateSyntaxError as error:
        return {"line": error.lineno, "why": one_line(str(error.message)), "is_syntax": True}
    except MemoryError as error:
        return {"line": _line_of(error), "why": "the template takes too much memory", "is_syntax": False}
    except Exception as error:  # templates may raise anything
        return {"line": _line_of(error), "why": one_line(str(error))[:200] or type(error).__name__, "is_syntax": False}


def _render(template: Any, post: dict[str, Any]) -> str:
    text = ""
    for piece in template.generate(post):
        text += piece
        if len(text) > LONGEST:
            raise ValueError(f"the template makes a text of more than {LONGEST:,} characters")
    if not text.strip():
        raise ValueError("the template makes an empty text")
    return text.strip()


def _line_of(error: Exception) -> int:
    """Return the line of a template at which an error was raised; 0 if it was elsewhere."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno or 0 for frame in reversed(frames) if frame.filename == "<template>"), 0)


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the parent process ends this one after some seconds
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    _limit()
    json.dump(render(asked["template"], asked["posts"]), sys.stdout)
