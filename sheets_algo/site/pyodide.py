"""Pyodide, Python for browsers, and msgspec for it: files that npm and pip fetch, checked against their hashes."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from engine.errors import ExpectedError


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file that a person must download before the page that verifies can be written."""

    title: str  # Name and version
    file: str  # Name of the file
    sha_256: str  # Its SHA-256, in hexadecimal
    command: str  # The command that fetches it
    source: str  # The source of the command


VERSION = "314.0.7"
PYODIDE = FetchedFile(
    title=f"Pyodide {VERSION}",
    file=f"pyodide-{VERSION}.tgz",
    sha_256="66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    command=f"npm pack pyodide@{VERSION}",
    source="npm comes with Node.js",
)
LIBRARY = FetchedFile(
    title="msgspec 0.22.0 for Pyodide",
    file="msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    sha_256="a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    command="pip download --no-deps --platform pyemscripten_2026_0_wasm32 --python-version 3.14 msgspec==0.22.0",
    source="pip comes with Python",
)
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
    """Return the files of Pyodide that a page needs, by name.

    Args:
        place: The file of the npm package, or the folder that it is in.

    Raises:
        PyodideMissing: It is not there, or not the one that this version of the program was tested with.
    """
    contents = {}
    content = _content(place / PYODIDE.file if place.is_dir() else place, PYODIDE)
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        for name in NEEDED:
            part = archive.extractfile(f"package/{name}")
            assert part is not None  # the hash proves its content
            contents[name] = part.read()
    return contents


def library_file(place: Path) -> bytes:
    """Return the wheel of msgspec, which lies beside the file of Pyodide.

    Raises:
        PyodideMissing: It is not there, or not the one that this version of the program was tested with.
    """
    return _content((place if place.is_dir() else place.parent) / LIBRARY.file, LIBRARY)


def _content(file: Path, fetched: FetchedFile) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PyodideMissing(
            f"The page needs {fetched.title}, and {file} cannot be read ({error.strerror}). Type: {fetched.command}"
            f" (once; {fetched.source}), or name the folder of {fetched.file} with --pyodide."
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != fetched.sha_256:
        raise PyodideMissing(
            f"{file} is not the file of {fetched.title} (its SHA-256 is {digest[:12]}..., not"
            f" {fetched.sha_256[:12]}...). Fetch it again: {fetched.command}"
        )
    return content
