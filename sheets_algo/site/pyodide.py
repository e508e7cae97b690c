"""The file of Pyodide, Python for browsers, as its npm package is: found, checked against its hash, and taken apart."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from engine.errors import ExpectedError

VERSION = "314.0.7"
SHA_256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
FILE = f"pyodide-{VERSION}.tgz"
COMMAND = f"npm pack pyodide@{VERSION}"
"""The command that fetches the file, with npm, which comes with Node.js."""
NEEDED = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
    "package.json",
)
"""Its files that a page needs, and the one that names its licence and source."""


class PyodideMissing(ExpectedError):
    """The file of Pyodide is missing, or is another one."""

    exit_code = 2


def pyodide_files(place: Path) -> Mapping[str, bytes]:
    """Return the files that a page needs, by name.

    Args:
        place: The file of the npm package, or the folder that it is in.

    Raises:
        PyodideMissing: It is not there, or not the one that this version of the program was tested with.
    """
    file = place / FILE if place.is_dir() else place
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PyodideMissing(
            f"The page needs Pyodide, and {file} cannot be read ({error.strerror}). Type: {COMMAND}"
            f" (once; npm comes with Node.js), or name the folder of {FILE} with --pyodide."
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != SHA_256:
        raise PyodideMissing(
            f"{file} is not the file of Pyodide {VERSION} (its SHA-256 is {digest[:12]}..., not {SHA_256[:12]}...)."
            f" Fetch it again: {COMMAND}"
        )
    found = {}
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        for name in NEEDED:
            part = archive.extractfile(f"package/{name}")
            assert part is not None  # the hash says what is in it
            found[name] = part.read()
    return found
