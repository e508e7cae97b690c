"""The season secret: made once beside the workbook, found again by its digest, never shown.

It lies in `.sheets-algo/secrets/`, named by the first digits of its SHA-256, readable by its owner alone; the
environment variable SHEETS_ALGO_SECRET goes before it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sheets_algo.seeds import Secret
from sheets_algo.whole import whole
from sheets_algo.workbook.base import WorkbookUnavailable

VARIABLE = "SHEETS_ALGO_SECRET"
FOLDER = Path(".sheets-algo") / "secrets"
BYTES = 32
FEWEST_BYTES = 16
"""A shorter secret can be guessed: each receipt shows a seed to try guesses on."""


def find(folder: Path, digest: str, environment: Mapping[str, str] = os.environ) -> Secret | None:
    """The secret of a season.

    Args:
        folder: The workbook's folder.
        digest: SHA-256 as it stands in the workbook; blank before the first receipt.
        environment: Variables.

    Returns:
        The secret, or None if there is none yet and one may be made.

    Raises:
        WorkbookUnavailable: The workbook's season has begun and its secret is not here, or cannot be read; or the one
            in the environment is too short.
    """
    secret = given(environment)
    if secret or not digest:
        return secret
    file = file_of(folder, digest)
    try:
        found = Secret(file.read_text().strip().encode())
    except OSError as error:
        raise WorkbookUnavailable(
            f"The season secret of this workbook (SHA-256 {digest[:12]}...) is not in {file} ({error.strerror}): copy"
            f" that file from where the season began, or set {VARIABLE}."
        ) from error
    if found.digest != digest:
        raise WorkbookUnavailable(f"The season secret in {file} was changed: restore the file from a backup.")
    return found


def given(environment: Mapping[str, str] = os.environ) -> Secret | None:
    """Return the secret that stands in the environment, or None.

    Raises:
        WorkbookUnavailable: It is too short to be secret.
    """
    key = environment.get(VARIABLE, "").strip().encode()
    if key and len(key) < FEWEST_BYTES:
        raise WorkbookUnavailable(
            f"The season secret in {VARIABLE} has {len(key)} bytes and could be guessed: set one of at least"
            f" {FEWEST_BYTES} bytes, or none, and init makes one of {2 * BYTES}."
        )
    return Secret(key) if key else None


def make() -> Secret:
    """A new secret; nothing is drawn from it before it is kept."""
    return Secret(secrets.token_hex(BYTES).encode())


def keep(folder: Path, secret: Secret) -> Path:
    """Write a secret to its file, of mode 0600, beside the workbook; one that is there already stays.

    Raises:
        WorkbookUnavailable: The folder cannot be written.
    """
    file = file_of(folder, secret.digest)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            with (
                whole(file) as new,
                os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream,
            ):
                stream.write(secret.key.decode() + "\n")
                stream.flush()
                os.fsync(stream.fileno())
    except OSError as error:
        raise WorkbookUnavailable(f"The season secret cannot be kept in {file} ({error.strerror}).") from error
    return file


def drop(folder: Path, secret: Secret) -> None:
    """Delete the file of a secret from which nothing was drawn; one that cannot be deleted does no harm."""
    with suppress(OSError):
        file_of(folder, secret.digest).unlink(missing_ok=True)


def file_of(folder: Path, digest: str) -> Path:
    """Where the secret of a digest lies."""
    return folder / FOLDER / f"{digest[:16]}.secret"
