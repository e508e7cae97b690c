"""One script of several modules, since a page without requests cannot import them.

Every import is one line, `import { name } from "./file.js";`, without other names for what it imports, so that modules
run as they are in tests, and one after the other in a page.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files

from markupsafe import Markup

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
