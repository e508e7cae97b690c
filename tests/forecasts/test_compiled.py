"""Machine code that an account keeps: the last few versions, and no more."""

import os

from sheets_algo.forecasts.compiled import KEPT_MOST, remove_old_code


def test_the_machine_code_of_older_versions_is_thrown_away(tmp_path):
    for age in range(KEPT_MOST + 3):
        folder = tmp_path / f"of {age} days ago"
        folder.mkdir()
        (folder / "kernel.object").write_bytes(b"machine code")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "a file of somebody's").touch()

    remove_old_code(tmp_path)

    assert {entry.name for entry in tmp_path.iterdir()} == {
        "a file of somebody's",
        *(f"of {age} days ago" for age in range(KEPT_MOST)),
    }


def test_where_nothing_is_kept_nothing_is_thrown_away(tmp_path):
    remove_old_code(tmp_path / "none")

    assert not list(tmp_path.iterdir())
