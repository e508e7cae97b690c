"""Tabs and pictures of the program's own: new parts, and what stands beside them left alone."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest
from PIL import Image

from scripts.support.patience import PATIENCE_S
from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import Opened, opened
from tests.workbook.xlsx.door import Edited, edit, part, patched, values
from tests.workbook.xlsx.small import MAIN, RELATIONS, S, office_versions, png, rows, sheet, workbook

SAMPLES = Path(__file__).parent / "samples"
RECEIPTS = NewTab(key("Receipts"), ("Seq", "Request", "Wiki & text"))


def sheet_ids(package: Opened) -> list[str]:
    return re.findall(r'\ssheetId="(\d+)"', package.part(package.workbook_part).decode())


def small(**more: str) -> Opened:
    return opened(
        workbook({"S": sheet(rows({"A": "x"}))}, workbook_tail=more.get("tail", ""), workbook_head=more.get("head", ""))
    )


@each("file", sorted(SAMPLES.glob("*.xls?")))
@pytest.mark.filterwarnings("ignore::UserWarning")  # openpyxl says what it cannot keep; here it only reads
def test_a_new_tab_and_its_first_row_are_added(file: Path) -> None:
    package = opened(file)
    changes = ChangeSet(
        tabs=(RECEIPTS,), cells=(SetCell(key("receipts"), 1, 5, "far"),), rows=(AppendRow(key("Receipts"), (1, "W-1")),)
    )

    patch, after = patched(package, changes)

    assert values(after, "Receipts") == {
        "A1": "Seq",
        "B1": "Request",
        "C1": "Wiki & text",
        "E1": "far",
        "A2": 1,
        "B2": "W-1",
    }
    assert [entry.name for entry in after.sheets] == [*(entry.name for entry in package.sheets), "Receipts"]
    assert len(set(sheet_ids(after))) == len(after.sheets)
    assert len(patch.added) == 1
    assert set(patch.changed) == {"[Content_Types].xml", after.workbook_part, "xl/_rels/workbook.xml.rels"}
    if file.name != "strict-ooxml.xlsx":  # in which openpyxl sees no tab at all
        tab = openpyxl.load_workbook(io.BytesIO(patch.data))["Receipts"]
        assert tab.freeze_panes == "A2"
        assert [cell.value for cell in tab[2]] == [1, "W-1", None, None, None]


def test_two_new_tabs_have_parts_and_ids_of_their_own() -> None:
    _, after = patched(small(), ChangeSet(tabs=(RECEIPTS, NewTab(key("Log"), ()))))

    assert [entry.name for entry in after.sheets] == ["S", "Receipts", "Log"]
    assert sheet_ids(after) == ["1", "2", "3"]
    assert len({entry.part for entry in after.sheets}) == 3
    assert values(after, "Log") == {}


@each("name", ["", "   ", "x" * 32, "a/b", "[a]", "'a", "a?", "a\x01", "half \ud800"])
def test_an_impossible_tab_name_is_refused(name: str) -> None:
    with pytest.raises(RefusedChange, match="a tab's name has 1 to 31 characters"):
        edit(small().data, ChangeSet(tabs=(NewTab(key(name), ("a",)),)))


def test_an_existing_tab_is_refused() -> None:
    with pytest.raises(RefusedChange, match="a tab of that name already"):
        edit(small().data, ChangeSet(tabs=(NewTab(key(" s"), ("a",)),)))


def test_a_protected_structure_takes_a_new_tab_only_when_forced() -> None:
    package = small(head="<workbookProtection lockStructure='1'/>")

    with pytest.raises(RefusedChange, match="structure is protected"):
        edit(package.data, ChangeSet(tabs=(RECEIPTS,)))
    _, after = patched(package, ChangeSet(tabs=(RECEIPTS,), forced=True))

    assert len(after.sheets) == 2


def test_a_chart_sheet_accepts_no_cells() -> None:
    package = opened(
        workbook(
            {"S": sheet(""), "Chart": sheet("")},
            more={
                "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/>'
                '<Relationship Id="rId2" Type="http://x/chartsheet" Target="worksheets/sheet2.xml"/></Relationships>'
            },
        )
    )

    with pytest.raises(RefusedChange, match="Chart: the tab has no cells"):
        edit(package.data, ChangeSet(cells=(SetCell(key("Chart"), 1, 1, 1),)))


def test_a_picture_is_added_in_a_new_tab() -> None:
    changes = ChangeSet(
        tabs=(NewTab(key("Battle Map"), ("Before",)),), pictures=(Picture(key("Battle Map"), png(), row=2, column=3),)
    )

    package = small()
    patch, after = patched(package, changes)

    (image,) = shown(patch, "Battle Map")
    assert (image.anchor._from.row, image.anchor._from.col) == (1, 2)
    assert (image.width, image.height) == (40, 30)
    assert sorted(name.rpartition("/")[2][:11] for name in patch.added) == [
        "drawing1.xm", "drawing1.xm", "sheet2.xml", "sheet2.xml.", "sheets-algo",
    ]  # fmt: skip
    assert after.content_type("xl/drawings/drawing1.xml").endswith("drawing+xml")


def without_default_for_lists() -> Opened:
    """A workbook that names each list of relationships by itself, as LibreOffice up to version 6 wrote it."""
    lists = ("_rels/.rels", "xl/_rels/workbook.xml.rels")
    old = workbook({"S": sheet(rows({"A": "x"}))})
    with zipfile.ZipFile(io.BytesIO(old)) as archive:
        types = archive.read("[Content_Types].xml").decode()
    default = re.search('<Default Extension="rels" ContentType="([^"]*)"/>', types)
    assert default is not None
    named = "".join(f'<Override PartName="/{name}" ContentType="{default[1]}"/>' for name in lists)
    types = types.replace(default[0], "").replace("</Types>", f"{named}</Types>")
    return opened(workbook({"S": sheet(rows({"A": "x"}))}, more={"[Content_Types].xml": types}))


def content_types(file: io.BytesIO) -> dict[str, str | None]:
    """The content type of each part, looked up as the packaging format says."""
    with zipfile.ZipFile(file) as archive:
        stated = list(ElementTree.fromstring(archive.read("[Content_Types].xml")))
        kinds = {key: found.get("ContentType") for found in stated for key in (found.get("Extension"),) if key}
        named = {key: found.get("ContentType") for found in stated for key in (found.get("PartName"),) if key}
        parts = [name for name in archive.namelist() if name != "[Content_Types].xml"]
        return {name: named.get(f"/{name}") or kinds.get(name.rpartition(".")[2]) for name in parts}


def test_every_part_has_a_content_type_even_without_one_for_relationships() -> None:
    package = without_default_for_lists()
    changes = ChangeSet(tabs=(RECEIPTS,), pictures=(Picture(S, png()), Picture(key("Receipts"), png("blue"))))

    patch, _ = patched(package, changes)

    kinds = content_types(io.BytesIO(patch.data))
    assert [name for name, kind in kinds.items() if kind is None] == []
    relations = {kind for name, kind in kinds.items() if name.endswith(".rels")}
    assert relations == {"application/vnd.openxmlformats-package.relationships+xml"}


def test_libreoffice_opens_a_copy_whose_lists_of_relationships_got_their_type(tmp_path: Path) -> None:
    package = without_default_for_lists()
    patch, _ = patched(package, ChangeSet(pictures=(Picture(S, png("red", (300, 200)), row=3),)))
    file = tmp_path / "old.xlsx"
    file.write_bytes(patch.data)

    (pdf,) = office_versions([file], "pdf", tmp_path)

    assert (255, 0, 0) in colors(pdf, tmp_path)


@each(("of_the_tab", "target"), [("rId2", "worksheets/gone.xml"), ("rId2", "worksheets/sheet2.xml"), ("rId2", "")])
def test_a_tab_without_a_part_does_not_get_that_of_a_new_tab(of_the_tab: str, target: str) -> None:
    data = workbook({"S": sheet("")})
    package = opened(data)
    book, links = package.workbook_part, "xl/_rels/workbook.xml.rels"
    listed = f'<sheet name="Lost" sheetId="7" r:id="{of_the_tab}"/></sheets>'.encode()
    link = f'<Relationship Id="{of_the_tab}" Type="{RELATIONS}/worksheet" Target="{target}"/>' if target else ""
    parts = {book: package.part(book).replace(b"</sheets>", listed)}
    parts |= {links: package.part(links).replace(b"</Relationships>", f"{link}</Relationships>".encode())}

    after = opened(edit(package.with_parts(parts), ChangeSet(tabs=(RECEIPTS,))).data)

    assert [(entry.name, bool(entry.part)) for entry in after.sheets] == [
        ("S", True),
        ("Lost", False),
        ("Receipts", True),
    ]


def with_backslashes(data: bytes) -> bytes:
    """The same file with its parts stored under names with backslashes, as some programs for Windows do."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name.replace("/", "\\"), old.read(name))
    return file.getvalue()


def test_parts_stored_with_backslashes_are_edited_and_completed_like_others() -> None:
    data = with_backslashes((SAMPLES / "sparklines-pictures.xlsx").read_bytes())
    assert b"xl\\workbook.xml" in data
    package = opened(data)
    tab = package.sheets[0].name
    changes = ChangeSet(
        tabs=(RECEIPTS,),
        cells=(SetCell(key(tab), 60, 1, "new"),),
        rows=(AppendRow(key("Receipts"), (1,)),),
        pictures=(Picture(key(tab), png()), Picture(key("Receipts"), png())),
    )

    patch, after = patched(package, changes)

    assert values(after, tab) == values(package, tab) | {"A60": "new"}
    assert values(after, "Receipts")["A2"] == 1
    names = zipfile.ZipFile(io.BytesIO(patch.data)).namelist()
    assert names[: len(package.names)] == zipfile.ZipFile(io.BytesIO(data)).namelist(), "each keeps its own name"
    assert names[len(package.names) :] == list(patch.added)


def test_a_later_picture_replaces_the_earlier_one() -> None:
    package = small()
    _, once = patched(package, ChangeSet(pictures=(Picture(S, png("red")), Picture(S, png("green"), row=9))))

    patch, twice = patched(once, ChangeSet(pictures=(Picture(S, png("blue"), row=5), Picture(S, png("green")))))

    assert [image.anchor._from.row for image in shown(patch, "S")] == [4, 0]
    media = [name for name in twice.names if name.startswith("xl/media/")]
    assert sorted(twice.part(name) for name in media) == sorted([png("blue"), png("green")])
    assert len(patch.removed) == 1
    assert len(twice.relationships("xl/drawings/drawing1.xml")) == 2
    assert part(twice) == part(once)


def test_a_picture_moved_by_another_program_stays_there() -> None:
    """Excel stores equal pictures once, under a name of its own."""
    _, once = patched(opened(workbook({"S": sheet(""), "T": sheet("")})), ChangeSet(pictures=(Picture(S, png()),)))
    _, both = patched(once, ChangeSet(pictures=(Picture(key("T"), png()),)))
    (media,) = (name for name in both.names if name.startswith("xl/media/"))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in both.names:
            renamed = both.part(name).replace(media.rpartition("/")[2].encode(), b"image1.png")
            archive.writestr(name.replace(media, "xl/media/image1.png"), renamed)

    _, after = patched(opened(file.getvalue()), ChangeSet(pictures=(Picture(S, png("blue")),)))

    assert after.part("xl/media/image1.png") == png()
    assert [link.target for link in after.relationships("xl/drawings/drawing2.xml")] == ["xl/media/image1.png"]


def test_an_equal_picture_changes_no_picture() -> None:
    _, once = patched(small(), ChangeSet(pictures=(Picture(S, png()),)))

    _, twice = patched(once, ChangeSet(pictures=(Picture(S, png()),)))

    assert [twice.part(name) for name in twice.names if "media" in name] == [png()]


def test_foreign_pictures_and_charts_on_the_tab_stay() -> None:
    package = opened(SAMPLES / "sparklines-pictures.xlsx")
    drawing = next(found.target for found in package.relationships(package.sheets[1].part) if found.kind == "drawing")

    _, once = patched(package, ChangeSet(pictures=(Picture(key("Charts"), png("red"), row=40),)))
    patch, twice = patched(once, ChangeSet(pictures=(Picture(key("Charts"), png("blue"), row=40),)))

    before, after = package.part(drawing), twice.part(drawing)
    ours = re.compile(rb"<xdr:oneCellAnchor xmlns:a=.*?</xdr:oneCellAnchor>")
    assert len(ours.findall(after)) == 1
    assert ours.sub(b"", after) == before
    assert {found.id for found in package.relationships(drawing)} < {found.id for found in twice.relationships(drawing)}
    assert set(package.names) < set(twice.names)
    assert len(patch.removed) == 1


@each(
    ("tail", "where"),
    [
        ('<pageMargins left="1" right="1" top="1" bottom="1" header="0" footer="0"/>', "</worksheet>"),
        ('<legacyDrawing r:id="rId9"/>', "<legacyDrawing"),
        ('<mc:AlternateContent xmlns:mc="http://mc"><controls/></mc:AlternateContent>', "<mc:AlternateContent"),
        ('<tableParts count="0"/><extLst/>', "<tableParts"),
        (
            "<conditionalFormatting><cfRule><extLst/></cfRule></conditionalFormatting><extLst><a/></extLst>",
            "<extLst><a/>",
        ),
        ("<printOptions/><!-- <extLst> --><picture/>", "<picture/>"),
        ("<extLst/>", "<extLst"),
    ],
)
def test_the_drawing_is_placed_as_the_format_requires(tail: str, where: str) -> None:
    package = opened(workbook({"S": sheet("", tail=tail)}))

    _, after = patched(package, ChangeSet(pictures=(Picture(S, png()),)))

    assert f'<drawing r:id="rId1"/>{where}' in part(after)


def test_a_prefixed_and_a_strict_workbook_get_pictures_of_their_kind() -> None:
    prefixed = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData/></x:worksheet>'
    _, after = patched(opened(workbook({"S": prefixed})), ChangeSet(pictures=(Picture(S, png()),)))
    strict = opened(SAMPLES / "strict-ooxml.xlsx")
    patch, _ = patched(
        strict, ChangeSet(tabs=(NewTab(key("Battle Map"), ("a",)),), pictures=(Picture(key("Battle Map"), png()),))
    )

    assert '<x:drawing xmlns:r="' in part(after)
    new = {name: content for name, content in patch.added.items() if not name.endswith(".png")}
    assert not any(b"schemas.openxmlformats.org/spreadsheetml" in content for content in new.values())
    assert not any(b"schemas.openxmlformats.org/drawingml" in content for content in new.values())


@each(
    ("picture", "reason"),
    [
        (Picture(S, b"GIF89a"), "S!A1: the picture is not a PNG"),
        (Picture(S, png()[:20]), "S!A1: the picture is not a PNG"),
        (Picture(S, png(), row=0), "does not fit into a sheet"),
        (Picture(key("Nowhere"), png()), "Nowhere: the workbook has no such tab"),
    ],
)
def test_an_impossible_picture_is_refused(picture: Picture, reason: str) -> None:
    with pytest.raises(RefusedChange, match=reason):
        edit(small().data, ChangeSet(pictures=(picture,)))


def test_libreoffice_shows_the_pictures(tmp_path: Path) -> None:
    """Half of the page is red or blue, as the two pictures are; the white of the paper is the rest."""
    package = small()
    changes = ChangeSet(
        tabs=(NewTab(key("Battle Map"), ("Before and after",)),),
        pictures=(
            Picture(key("Battle Map"), png("red", (300, 200)), row=3),
            Picture(key("Battle Map"), png("blue", (300, 200)), row=16),
        ),
    )
    _, once = patched(package, ChangeSet(pictures=(Picture(S, png("lime", (200, 200)), row=3),)))
    patch, _ = patched(once, changes)
    file = tmp_path / "map.xlsx"
    file.write_bytes(patch.data)

    (pdf,) = office_versions([file], "pdf", tmp_path)

    assert colors(pdf, tmp_path) >= {(255, 0, 0), (0, 0, 255), (0, 255, 0)}


def shown(patch: Edited, tab: str) -> list[Any]:
    """The pictures that openpyxl finds on a tab."""
    images: list[Any] = vars(openpyxl.load_workbook(io.BytesIO(patch.data))[tab])["_images"]
    return images


def colors(pdf: Path, folder: Path) -> set[tuple[int, ...]]:
    """Colours that cover some of the pages of a PDF; skipped, with the reason, where it cannot be drawn."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed, so no page can be looked at")
    subprocess.run(["pdftoppm", "-r", "40", "-png", str(pdf), str(folder / "page")], check=True, timeout=PATIENCE_S)
    found: set[tuple[int, ...]] = set()
    for page in folder.glob("page*.png"):
        with Image.open(page) as image:
            counted = image.convert("RGB").getcolors(1 << 20) or []
        found |= {color for count, color in counted if count > 400 and isinstance(color, tuple)}
    return found
