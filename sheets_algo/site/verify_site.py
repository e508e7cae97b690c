"""The folder `verify` of a site: a page on which a player's browser recomputes the receipts of a workbook.

It holds the unchanged program and its installed rulesets, with the tables and maps of the season; Pyodide; and msgspec,
the only library besides the plain Python parts of py_ecc that a verdict needs.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import distribution
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import engine
import sheets_algo
from engine.errors import ExpectedError
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import BadMap, MapFolder, plain_png, read_png
from sheets_algo.forms.rulesets import FILE
from sheets_algo.pages.site_page import Preview, picture_address, shortened_name, site_page
from sheets_algo.pages.verdict_page import page_style
from sheets_algo.plugins import RULESETS, folder_of, open_each, package_folder, plugins
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.site.folder import SiteFolder, SiteResult
from sheets_algo.site.paging import SEASON_PICTURE, VERIFY_PAGE, SiteFile
from sheets_algo.site.season_index import season_title, site_address

LEFT_OUT = ("forecasts", "pictures", "season", "site", "template", "workbook/google")
"""Folders of the program that no ruling needs."""
SIGNATURES = (
    *("fields/*.py", "optimized_bls12_381/*.py", "typing.py", "utils.py"),
    *(f"bls/{name}.py" for name in ("constants", "hash", "hash_to_curve", "point_compression", "typing")),
)
"""Modules of py_ecc that check a beacon's signatures; the packages around them import modules that browsers lack."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all files of the program, so that equal contents are equal archives."""


def write_verify_page(session: Session, book: OpenWorkbook, folder: Path, pyodide: Path) -> SiteResult:
    """Write the changed files of the page.

    Args:
        pyodide: The file of Pyodide, or the folder that it is in.

    Raises:
        PyodideMissing: Pyodide is not there, or msgspec beside it.
        ConfigError: A table file is invalid.
        WorkbookUnavailable: A file cannot be written, or somebody else's is in its place.
    """
    contents = _contents(session, book, folder, pyodide)
    made = (SiteFile(path, hashlib.sha256(content).hexdigest(), partial(bytes, content)) for path, content in contents)
    return SiteFolder((folder / VERIFY_PAGE).parent).update(made, book.receipts.season)


def _contents(session: Session, book: OpenWorkbook, folder: Path, pyodide: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file."""
    for file, content in pyodide_files(pyodide).items():
        yield f"pyodide/{file}", content
    yield LIBRARY.file, library_file(pyodide)
    site = shortened_name(season_title(session, book.receipts.rulings))
    text = "Choose the workbook of the season, and your browser computes each receipt again."
    has_site = (folder / SEASON_PICTURE).is_file()
    picture = picture_address(site_address(session), VERIFY_PAGE, SEASON_PICTURE) if has_site else ""
    data = {
        "site": site,
        "preview": Preview(f"Verify {site}", text, picture).tags(),
        "version": sheets_algo.__version__,
        "archives": f"program.zip {LIBRARY.file}",
        "has_site": (folder / "index.html").is_file(),
    }
    yield "index.html", site_page("verify.html", data).encode()
    yield "style.css", page_style().encode()
    assets = files("sheets_algo.pages").joinpath("verify")
    for asset in ("verify.js", "worker.js"):
        yield asset, assets.joinpath(asset).read_bytes()
    ours, theirs = (distribution(name).read_text("licenses/LICENSE") or "" for name in ("sheets-algo", "py_ecc"))
    yield "licences.txt", assets.joinpath("licences.txt").read_bytes() + f"{ours}\n\npy_ecc:\n\n{theirs}".encode()
    yield "program.zip", _archive(dict(_program(session.library, session.own_maps)))


def _program(library: ConfigLoader, own_maps: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file of the program: its modules, and the tables and maps of the season."""
    for package in (engine, sheets_algo):
        (home,) = map(Path, package.__path__)
        for path, content in _package(home):
            if not path.startswith(tuple(f"{home.name}/{left}/" for left in LEFT_OUT)):
                yield path, content
    folders, _ = open_each(RULESETS, folder_of)
    rulesets = {name: plugins(RULESETS)[name] for name in folders}
    for name in {plugin.value.split(".")[0] for plugin in rulesets.values()} - {"engine", "sheets_algo"}:
        yield from _package(package_folder(name))
    declared = "".join(f"{name} = {plugin.value}\n" for name, plugin in rulesets.items())
    yield "rulesets.dist-info/entry_points.txt", f"[{RULESETS}]\n{declared}".encode()
    home = Path(str(distribution("py_ecc").locate_file("py_ecc")))
    for file in (file for pattern in SIGNATURES for file in home.glob(pattern)):
        yield f"py_ecc/{file.relative_to(home).as_posix()}", file.read_bytes()
    yield from library.packed()
    maps = MapFolder(library.maps_folder, (), extra=own_maps)
    for title in maps.names:
        with suppress(BadMap):  # a picture that is unusable for wars
            yield f"maps/{title}.png", plain_png(read_png(maps.path(title)))


def _package(home: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the modules of a package, and of its description of a ruleset."""
    for file in (*home.rglob("*.py"), *home.rglob(FILE)):
        yield f"{home.name}/{file.relative_to(home).as_posix()}", file.read_bytes()


def _archive(contents: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(path, LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


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
