"""Tabs that are too large to be held whole: what stands in them is found, changed and compared as in small ones."""

import io
import random
import runpy
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit.book import XlsxBook
from sheets_algo.workbook.xlsx.edit.patch import Patch, make_patch
from sheets_algo.workbook.xlsx.file import archive, sizes
from sheets_algo.workbook.xlsx.file.archive import pieces_of
from sheets_algo.workbook.xlsx.file.markup import MarkupEdits
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.verify.verify import check_cells, check_content, check_parts
from tests.workbook.xlsx.small import MAIN, S, opened, sheet, workbook
from tests.workbook.xlsx.test_differences import CHANGES, DAMAGE, SHEET, before, copy, damaged
from tests.workbook.xlsx.test_newparts import png
from tests.workbook.xlsx.test_samples import TABS, edits

ROOT = Path(__file__).parents[3]
FORMULA = '<c r="B{0}"><f>A{0}*2</f><v>2</v></c><c r="C{0}" t="str"><f ca="1">B{0}&amp;""</f><v>2</v><extra/></c>'
ROWS = "".join(f'<row r="{n}" spans="1:3"><c r="A{n}"><v>1</v></c>{FORMULA.format(n)}</row>' for n in range(2, 900, 3))


@pytest.fixture
def all_tabs_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compressed tabs are not held whole, and read in tiny pieces that end in the middle of tags."""
    for name, size in {"LARGE": 0, "PIECE": 64, "PACKED": 16, "BETWEEN": 200, "BLOCK": 1_500, "LOOK": 64}.items():
        monkeypatch.setattr(sizes, name, size)


def changed(patch: Patch) -> dict[str, bytes]:
    return {part: b"".join(pieces_of(content)) for part, content in patch.changed.items()}


def entry_of(read: Package, tab: str) -> SheetEntry:
    return next(entry for entry in read.sheets if entry.name == tab)


def is_large(patch: Patch) -> bool:
    return any(not isinstance(content, bytes) for content in patch.changed.values())


def test_foreign_tabs_are_changed_to_the_same_bytes(request: pytest.FixtureRequest) -> None:
    read = [(Package.open(file), file, tab) for file, tab in TABS]
    changes = [edits(found, file, entry_of(found, tab)) for found, file, tab in read]
    small = [make_patch(found, change) for (found, _, _), change in zip(read, changes, strict=True)]

    request.getfixturevalue("all_tabs_are_large")
    large = [make_patch(found, change) for (found, _, _), change in zip(read, changes, strict=True)]

    assert not any(map(is_large, small))
    assert sum(map(is_large, large)) > 20
    for (_, file, tab), one, other in zip(read, small, large, strict=True):
        assert changed(other) == changed(one), f"{file.name}, {tab}"
        assert replace(other, changed={}) == replace(one, changed={})


@pytest.mark.parametrize("rows", [ROWS, ROWS.replace("<extra/>", ""), ROWS.replace("<c ", "<c\n")])
def test_formulas_and_rows_of_a_long_tab_are_found_wherever_a_piece_ends(
    rows: str, request: pytest.FixtureRequest
) -> None:
    tail = '<mergeCells><mergeCell ref="D1:E9"/></mergeCells><extLst><ext><mergeCell ref="A1:C999"/></ext></extLst>'
    read = opened(workbook({"S": sheet(rows, tail=tail)}))
    changes = ChangeSet(
        cells=(
            SetCell(S, 2, 1, 5),
            SetCell(S, 600, 1, 6),
            SetCell(S, 601, 2, 7),
            SetCell(S, 899, 1, None),
        ),
        rows=(AppendRow(S, (1, 2)),),
        pictures=(Picture(S, png()),),
    )
    small, formulas = make_patch(read, changes), XlsxBook(read).tab(S).formulas

    request.getfixturevalue("all_tabs_are_large")
    large = make_patch(read, changes)

    assert is_large(large)
    assert changed(large) == changed(small)
    assert XlsxBook(read).tab(S).formulas == formulas
    assert len(formulas) == 2 * 300


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        (ROWS, '<?note <cols><col min="1" max="9" style="1"/></cols>?>'),
        (ROWS + '<row r="2000"><c r="A2000"><v>1</v><extLst><ext><row r="3"/></ext></extLst></c></row>', ""),
        (ROWS + '<row r="1500"><c r="A1500"><v><![CDATA[<row r="2">]]></v></c></row>', ""),
        (ROWS + '<row r="1"><c r="A1"><v>1</v></c></row>', ""),
    ],
    ids=["instruction", "extension", "section", "order"],
)
def test_a_tab_whose_rows_are_not_told_apart_by_tags_is_held_whole(
    rows: str, head: str, request: pytest.FixtureRequest
) -> None:
    read = opened(workbook({"S": sheet(rows, head=head)}))
    changes = ChangeSet(cells=(SetCell(S, 3, 1, 5),), rows=(AppendRow(S, (1, 2)),))
    small = make_patch(read, changes)

    request.getfixturevalue("all_tabs_are_large")
    large = make_patch(read, changes)

    assert not is_large(large)
    assert changed(large) == changed(small)


@pytest.mark.usefixtures("all_tabs_are_large")
def test_a_large_tab_with_two_prefixes_is_refused() -> None:
    spelled = sheet(ROWS).replace("<worksheet ", f'<worksheet xmlns:y="{MAIN}" ').replace('<c r="A5">', '<y:c r="A5">')
    read = opened(workbook({"S": spelled.replace('<y:c r="A5"><v>1</v></c>', '<y:c r="A5"><v>1</v></y:c>')}))

    with pytest.raises(RefusedChange, match="it spells one namespace with two prefixes"):
        make_patch(read, ChangeSet(cells=(SetCell(S, 3, 1, 5),)))


def test_changes_to_a_text_are_the_same_in_pieces_of_any_size() -> None:
    text = b"abcdefghijklmnopqrstuvwxyz"
    edits = MarkupEdits()
    for start, end, new in ((26, 26, b"."), (3, 7, b"DEFG"), (0, 0, b">"), (7, 7, b"|"), (7, 7, b"!"), (9, 24, b"")):
        edits.replace(start, end, new)

    for size in range(1, 30):
        pieces = [text[at : at + size] for at in range(0, 26, size)]
        assert b"".join(edits.applied(pieces)) == b">abcDEFG|!hiyz."
    assert edits.apply(text) == b">abcDEFG|!hiyz."


@pytest.mark.usefixtures("all_tabs_are_large")
@pytest.mark.parametrize("kind", [kind for kind, (name, *_) in DAMAGE.items() if name == SHEET])
def test_damage_to_a_large_tab_is_named(kind: str) -> None:
    name, old, new, says = DAMAGE[kind]
    read = before()
    made = make_patch(read, CHANGES)
    worse = damaged(Patch(changed(made), made.removed, made.added, (), made.placed, made.dropped), name, old, new)

    assert is_large(made)
    check_content(read.name, read, copy(read, made), made)
    with pytest.raises(RefusedChange, match=says):
        check_content(read.name, read, copy(read, worse), worse)
    assert_noticed(read, worse, made)


@pytest.mark.usefixtures("all_tabs_are_large")
@pytest.mark.parametrize("times", [0, 2])
def test_a_copy_that_ends_sooner_or_later_than_planned_is_not_as_planned(times: int) -> None:
    read = before()
    made = make_patch(read, CHANGES)
    parts = {**changed(made), SHEET: changed(made)[SHEET][:-1] + b">" * times}

    assert is_large(made)
    assert_noticed(read, Patch(parts, made.removed, made.added), made)


def assert_noticed(read: Package, worse: Patch, made: Patch) -> None:
    """Another part than planned is noticed when the entries of the copy are compared with the plan."""
    file = io.BytesIO()
    read.write(file, worse.changed, worse.removed, worse.added)
    with pytest.raises(RefusedChange, match=r"the part xl/worksheets/sheet1\.xml is not as planned"):
        check_parts(read.name, read.data, file.getvalue(), made)


@pytest.mark.usefixtures("all_tabs_are_large")
def test_cells_of_a_large_tab_read_back() -> None:
    read = before()
    made = make_patch(read, CHANGES)

    check_cells(read.name, copy(read, made), made.placed)


def test_any_piece_of_compressed_content_is_had_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "BETWEEN", 5_000)
    monkeypatch.setattr(sizes, "PACKED", 300)
    chance = random.Random(1066)
    content = b"".join(b'<row r="%d"><c><v>%d</v></c></row>' % (n, chance.randrange(10**6)) for n in range(5_000))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archived:
        archived.writestr("part", content)
    (entry,) = archive.read_directory(file.getvalue(), 1).entries
    inflated = archive.InflatedEntry(file.getvalue(), entry)

    assert b"".join(inflated.checked()) == content
    assert len(inflated) == len(content)
    for _ in range(300):
        start = chance.randrange(len(content))
        stop = start + chance.choice([0, 1, 80, 4_000, 60_000])
        assert inflated[start:stop] == content[start:stop]
    for start in (0, 1, 4_999, 5_000, 100_000, len(content) - 1, len(content)):
        assert b"".join(inflated.pieces(start)) == content[start:]


def test_a_tab_is_edited_in_less_memory_than_it_has_bytes(tmp_path: Path) -> None:
    """It was held as read and as edited at once."""
    long = 50 * random.Random(1066).randbytes(1_000).hex()
    rows = (f'<row r="{n}" longText="{long}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 400))
    path = tmp_path / "large.xlsx"
    path.write_bytes(workbook({"S": sheet("".join(rows))}))
    bench = runpy.run_path(str(ROOT / "scripts" / "studies" / "bench-xlsx"))

    found = bench["child"](bench["CHILD"], [str(path)], ROOT, 240)

    assert found["said"] == "edited"
    assert found["mebibytes"] < 60
