"""A workbook that was opened and saved by LibreOffice before and after a ruling."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, row_of, shown

pytestmark = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")


def saved_by_libreoffice(path: Path, profile: Path) -> None:
    """Open a workbook in LibreOffice and save it as .xlsx again, in its place."""
    folder = path.parent / "saved"
    subprocess.run(
        ["soffice", f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "xlsx",
         "--outdir", str(folder), str(path)],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    (folder / path.name).replace(path)
    folder.rmdir()


def test_a_season_survives_libreoffice(moderator, tmp_path_factory):
    """Init, save, rule, save, verify: the same receipt as without LibreOffice, and it still reads as one."""
    profile = tmp_path_factory.mktemp("profile")
    moderator.types("init", BOOK)
    elsewhere = Path(".sheets-algo") / "secrets"
    untouched = moderator.folder / "untouched" / BOOK
    shutil.copytree(moderator.folder / elsewhere, untouched.parent / elsewhere)  # and no record: no copy can be told
    shutil.copy(moderator.book, untouched)
    saved_by_libreoffice(moderator.book, profile)

    assert moderator.types("check", BOOK).out.endswith("No problems.\n")
    ruled = moderator.types("run", "--json", BOOK).data
    without = moderator.types("run", "--json", untouched).data

    assert [request.get("receipt") for request in ruled["requests"]] == [
        request.get("receipt") for request in without["requests"]
    ]

    saved_by_libreoffice(moderator.book, profile)

    assert moderator.types("verify", BOOK).out.splitlines()[-1] == "5 of 5 receipts equal."
    assert moderator.types("run", BOOK).out == f"Nothing to do: {BOOK} is as it was.\n"
    hastings = row_of(moderator.book, "War Requests", "Request", "W-0002")
    assert hastings["Status"] == "Done"
    assert len(shown(moderator.book, "Receipts")) == 6
