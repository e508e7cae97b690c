"""The season secret, made once beside the workbook, found by its digest and never shown.

Its file in `.sheets-algo/secrets/` is named by the first digits of its SHA-256 and readable only by its owner. The
environment variable SHEETS_ALGO_SECRET takes precedence.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.workbook.atomic_file import atomic_write, where_supported
from sheets_algo.workbook.errors import WorkbookUnavailable

VARIABLE = "SHEETS_ALGO_SECRET"
FOLDER = Path(".sheets-algo") / "secrets"
BYTES = 32
FEWEST_BYTES = 16
"""Minimum length of a secret: a shorter one can be guessed, since each receipt shows a seed to test guesses with."""


class SecretMissing(WorkbookUnavailable):
    """The season has begun, and its secret is not on this computer."""


def find(folder: Path, digest: str, environment: Mapping[str, str] = os.environ) -> Secret | None:
    """Return the secret of a season.

    Args:
        digest: The SHA-256 in the workbook; blank before the first receipt.

    Returns:
        The secret, or None if there is none yet and one may be made.

    Raises:
        SecretMissing: The season has begun but its secret is missing or unreadable.
        WorkbookUnavailable: Its file was changed, or the secret in the environment is too short.
    """
    secret = from_environment(environment)
    if secret or not digest:
        return secret
    file = file_of(folder, digest)
    try:
        secret = Secret(file.read_text().strip().encode())
    except OSError as error:
        raise SecretMissing(
            f"The season secret of this workbook (SHA-256 {digest[:12]}...) is not in {file} ({error.strerror}): if"
            " it goes on here and nowhere else, or here as a fork, copy that file from where the season began, or set"
            f" {VARIABLE}."
        ) from error
    if secret.digest != digest:
        raise WorkbookUnavailable(f"The season secret in {file} was changed: restore the file from a backup.")
    return secret


def available(folder: Path, digest: str) -> Secret | None:
    """Return the secret of a season, or None if only the workbook is available: anyone may verify.

    Raises:
        WorkbookUnavailable: The secret in the environment is too short, unlike a missing one.
    """
    from_environment()
    try:
        return find(folder, digest)
    except WorkbookUnavailable:
        return None


def from_environment(environment: Mapping[str, str] = os.environ) -> Secret | None:
    """Return the secret in the environment, or None.

    Raises:
        WorkbookUnavailable: The secret is too short.
    """
    key = environment.get(VARIABLE, "").strip().encode()
    if key and len(key) < FEWEST_BYTES:
        raise WorkbookUnavailable(
            f"The season secret in {VARIABLE} has {len(key)} bytes and could be guessed: set one of at least"
            f" {FEWEST_BYTES} bytes, or none, and init makes one of {2 * BYTES}."
        )
    return Secret(key) if key else None


def make() -> Secret:
    """Return a new random secret, which must be stored before its use."""
    return Secret(secrets.token_hex(BYTES).encode())


def keep(folder: Path, secret: Secret) -> Path:
    """Write a secret to its file beside the workbook, with mode 0600; keep an existing file.

    Raises:
        WorkbookUnavailable: The folder cannot be written.
    """
    file = file_of(folder, secret.digest)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            with (
                atomic_write(file) as new,
                os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream,
            ):
                stream.write(secret.key.decode() + "\n")
                stream.flush()
                with where_supported():
                    os.fsync(stream.fileno())
    except OSError as error:
        raise WorkbookUnavailable(f"The season secret cannot be kept in {file} ({error.strerror}).") from error
    return file


def drop(folder: Path, secret: Secret) -> None:
    """Delete the file of an unused secret; ignore a file that cannot be deleted."""
    with suppress(OSError):
        file_of(folder, secret.digest).unlink(missing_ok=True)


def file_of(folder: Path, digest: str) -> Path:
    """Return the path of the secret with a digest."""
    return folder / FOLDER / f"{digest[:16]}.secret"
