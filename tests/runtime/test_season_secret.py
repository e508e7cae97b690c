"""The season secret: found by its digest, kept from everybody else."""

import stat

import pytest

from sheets_algo.runtime.session import season_secret
from sheets_algo.workbook.errors import WorkbookUnavailable


def made_and_kept(folder):
    secret = season_secret.make()
    season_secret.keep(folder, secret)
    return secret


def test_a_secret_is_found_by_its_digest(tmp_path):
    made = made_and_kept(tmp_path)
    made_and_kept(tmp_path)  # another season in the same folder
    assert season_secret.find(tmp_path, made.digest, {}) == made


def test_only_its_owner_can_read_the_secret(tmp_path):
    made_and_kept(tmp_path)
    (file,) = (tmp_path / ".sheets-algo" / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_two_secrets_differ():
    assert season_secret.make() != season_secret.make()


def test_before_the_first_receipt_there_is_no_secret(tmp_path):
    made_and_kept(tmp_path)
    assert season_secret.find(tmp_path, "", {}) is None


def test_a_lost_secret_is_reported_with_its_expected_place(tmp_path):
    digest = "ab" * 32
    with pytest.raises(WorkbookUnavailable, match=r"SHA-256 abababababab\.\.\..*copy that file"):
        season_secret.find(tmp_path, digest, {})


def test_a_changed_secret_is_reported(tmp_path):
    made = made_and_kept(tmp_path)
    (file,) = (tmp_path / ".sheets-algo" / "secrets").iterdir()
    file.write_text("something else")
    with pytest.raises(WorkbookUnavailable, match="was changed"):
        season_secret.find(tmp_path, made.digest, {})


def test_the_environment_takes_precedence(tmp_path):
    made = made_and_kept(tmp_path)
    found = season_secret.find(tmp_path, made.digest, {season_secret.VARIABLE: " a secret from outside "})
    assert found is not None
    assert found.key == b"a secret from outside"


def test_a_short_secret_is_refused(tmp_path):
    """Sixteen bytes, not letters, are the least."""
    with pytest.raises(WorkbookUnavailable, match=r"in SHEETS_ALGO_SECRET has 15 bytes .* at least 16 bytes"):
        season_secret.find(tmp_path, "", {season_secret.VARIABLE: "fifteen letters"})
    assert season_secret.find(tmp_path, "", {season_secret.VARIABLE: "fünfzehn Zeiche"}) is not None


def test_an_unwritable_folder_is_reported(tmp_path):
    (tmp_path / ".sheets-algo").write_text("a file in the way")
    with pytest.raises(WorkbookUnavailable, match="cannot be kept"):
        made_and_kept(tmp_path)
