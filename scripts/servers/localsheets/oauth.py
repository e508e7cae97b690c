"""Service account keys, access tokens and callers: the part of Google that google-auth talks to."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from localsheets.calls import Answer, Call, Route
from localsheets.clock import Clock
from localsheets.errors import ApiError
from localsheets.store import ROBOT

GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
LIFE = 3600
"""Lifetime of a token in seconds; Google's answer says one less in `expires_in`."""
LEEWAY = 300
"""Tolerated error of a caller's clock in seconds."""
BAD_CLOCK = (
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
    "Check your iat and exp values in the JWT claim."
)
NOT_SIGNED_IN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
    "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
SCOPE = "https://www.googleapis.com/auth/"
ENOUGH = {
    "read": ("spreadsheets", "spreadsheets.readonly", "drive", "drive.readonly", "drive.file"),
    "write": ("spreadsheets", "drive", "drive.file"),
    "drive": ("drive", "drive.readonly", "drive.file", "drive.metadata", "drive.metadata.readonly"),
}
"""Scopes by kind of request; any one of them is sufficient."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The account of a token. `scopes` None means all of them."""

    email: str
    scopes: frozenset[str] | None = None

    def may(self, kind: str) -> bool:
        """Return True if the token's scopes cover a kind of request."""
        return self.scopes is None or any(SCOPE + scope in self.scopes for scope in ENOUGH.get(kind, ()))


@dataclass(slots=True)
class _Token:
    caller: Caller
    until: float


class Tokens:
    """The token endpoint and the tokens it issued.

    Args:
        clock: The clock by which tokens expire.
        is_strict: Refuse tokens that were not issued here.

    Attributes:
        skew: Seconds by which the caller's clock is taken to be behind when `iat` and `exp` are checked; they are
            checked by the machine's clock, which is the caller's too, however far the server's own was moved.
    """

    def __init__(self, clock: Clock, is_strict: bool = False) -> None:
        self.clock = clock
        self.is_strict = is_strict
        self.skew = 0.0
        self._keys: dict[str, tuple[str, rsa.RSAPublicKey]] = {}
        self._revoked: set[str] = set()
        self._given: dict[str, _Token] = {}
        self._expired: set[str] = set()
        self.routes = (Route("POST", "/token", "token", self._grant),)

    def new_key(self, token_uri: str, email: str = ROBOT) -> dict[str, Any]:
        """Return a new key file of a service account; only its public half is kept."""
        private = rsa.generate_private_key(public_exponent=65537, key_size=1024)
        kid = secrets.token_hex(20)
        self._keys[kid] = (email, private.public_key())
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return {
            "type": "service_account",
            "project_id": "local-sheets",
            "private_key_id": kid,
            "private_key": pem.decode(),
            "client_email": email,
            "client_id": str(secrets.randbelow(10**21)).zfill(21),
            "token_uri": token_uri,
            "universe_domain": "googleapis.com",
        }

    def revoke(self, email: str) -> None:
        """Invalidate an account's keys and tokens, as deleting them in Google's console does; later ones work."""
        self._revoked.add(email)
        self._keys = {kid: known for kid, known in self._keys.items() if known[0] != email}
        self.expire(email)

    def expire(self, email: str | None = None) -> int:
        """Expire tokens before their time; return the number of them."""
        expired = [value for value, token in self._given.items() if email in (None, token.caller.email)]
        for value in expired:
            del self._given[value]
        self._expired.update(expired)
        return len(expired)

    def caller(self, call: Call) -> Caller:
        """Return the caller of a request.

        Raises:
            ApiError: 401 for no token, an expired one, or (when strict) one that was not issued here.
        """
        scheme, _, token = call.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            token = scheme if not token else ""  # a recording's placeholder; not another scheme
        token = token.strip() or call.one("access_token") or ""
        given = self._given.get(token)
        if given and given.until > self.clock.now():
            return given.caller
        if not token or given or token in self._expired or self.is_strict:
            raise ApiError(401, "UNAUTHENTICATED", NOT_SIGNED_IN)
        return Caller(token if "@" in token else ROBOT)

    def _grant(self, call: Call, caller: Caller) -> Answer:
        form = {name: values[-1] for name, values in parse_qs(call.body.decode("utf-8", "replace")).items()}
        if form.get("grant_type") != GRANT:
            return _refused("unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")
        try:
            head, claims, signed, signature = _read(form.get("assertion", ""))
        except (ValueError, binascii.Error):
            return _refused("invalid_grant", "Invalid JWT: Failed to parse the token.")
        email = str(claims.get("iss", ""))
        known = self._keys.get(str(head.get("kid", "")))
        if not known and email in self._revoked:
            return _refused("invalid_grant", "Invalid JWT Signature.")
        if known and not (known[0] == email and _is_signed(known[1], signed, signature)):
            return _refused("invalid_grant", "Invalid JWT Signature.")
        if not self._is_timely(claims.get("iat"), claims.get("exp")):
            return _refused("invalid_grant", BAD_CLOCK)
        scopes = frozenset(str(claims.get("scope", "")).split())
        if not scopes:
            return _refused("invalid_scope", "Empty or missing scope not allowed.")
        token = "ya29." + secrets.token_urlsafe(48)
        self._given[token] = _Token(Caller(email, scopes), self.clock.now() + LIFE)
        return Answer.of({"access_token": token, "expires_in": LIFE - 1, "token_type": "Bearer"}, end="")

    def _is_timely(self, issued: Any, expires: Any) -> bool:
        if not all(isinstance(moment, int | float) for moment in (issued, expires)):
            return False
        now = time.time() + self.skew
        return bool(issued - LEEWAY <= now <= expires + LEEWAY and 0 < expires - issued <= LIFE)


def insufficient(is_drive: bool) -> ApiError:
    """Return the 403 for a token whose scopes do not cover the method."""
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        "domain": "googleapis.com",
        "metadata": {"service": "drive.googleapis.com" if is_drive else "sheets.googleapis.com"},
    }
    return ApiError(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.", [info])


def _refused(error: str, description: str) -> Answer:
    return Answer.of({"error": error, "error_description": description}, 400, end="")


def _read(assertion: str) -> tuple[dict[str, Any], dict[str, Any], bytes, bytes]:
    """Return header, claims, signed bytes and signature of a JWT."""
    head, claims, signature = assertion.split(".")
    parts = json.loads(_decoded(head)), json.loads(_decoded(claims))
    if not all(isinstance(part, dict) for part in parts):
        raise ValueError("a JWT's header and claims are objects")
    return *parts, f"{head}.{claims}".encode(), _decoded(signature)


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _is_signed(key: rsa.RSAPublicKey, signed: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True
