"""The luck of a season as receipts store it: the secret with its seeds, and rounds of a beacon (LUCK-01, LUCK-02)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import msgspec

from engine.columns import folded
from engine.receipt import without_markup
from sheets_algo.ruling.luck.beacon import QUICKNET, Chain, Number, Round


@dataclass(frozen=True, slots=True)
class Secret:
    """The season secret, without which seeds cannot be derived and variants of a request cannot be tried."""

    key: bytes

    def __repr__(self) -> str:
        """Return a representation without the key, since it may be logged."""
        return f"Secret(digest={self.digest!r})"

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the key, which is published in the workbook."""
        return hashlib.sha256(self.key).hexdigest()

    def seed(self, request: str, inputs: str) -> int:
        """Return the seed of 64 bits for a request and its serialised inputs."""
        return _seed(self.key, f"{folded(request)}\n{inputs}")

    def key_of(self, request: str) -> str:
        """Return the key of a request in hexadecimal: its promise commits to it, its ruling reveals it (LUCK-11)."""
        text = folded(request).encode(errors="surrogatepass")
        return hmac.new(self.key, text, hashlib.sha256).hexdigest()


def commitment(key: str) -> str:
    """Return the SHA-256 of a request's key, the commitment of a promise; blank if it is not a key."""
    try:
        return hashlib.sha256(bytes.fromhex(key)).hexdigest() if key else ""
    except ValueError:
        return ""


def promised_seed(key: str, inputs: str, randomness: str) -> int:
    """Return the seed of 64 bits from a request's key, its promised inputs and a round (LUCK-11).

    Raises:
        ValueError: The key is not a text of hexadecimal digits.
    """
    return _seed(bytes.fromhex(key), f"{inputs}\n{randomness}")


def _seed(key: bytes, text: str) -> int:
    return int.from_bytes(hmac.new(key, text.encode(errors="surrogatepass"), hashlib.sha256).digest()[:8], "big")


LISTED = 5
"""Maximum number of receipts that a sentence names."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
Cell = tuple[str, str, str]
"""Tab, row (loosely spelled) and header."""
ORDINALS = (
    *("", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"),
    *("Eleventh", "Twelfth"),
)


class SeasonLuck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The luck of a season, part of the Inputs of its row (LUCK-01)."""

    # `secret`: seeds come from the season secret and the request alone; `beacon`: also from a promised round.
    luck: Literal["secret", "beacon"] = "secret"
    chain: Chain = QUICKNET  # The rounds of the beacon; quicknet of drand unless the row says otherwise

    @property
    def is_beacon(self) -> bool:
        """Return True if requests are promised before they are ruled."""
        return self.luck == "beacon"


SECRET_LUCK = SeasonLuck()
"""The default luck of a new season."""


class Draw(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The Seed Source of a promise, and of the ruling that keeps it.

    Lists hold numbers of receipts.
    """

    beacon: str  # The hash of the chain
    round: Number  # The number of the round
    signature: str = ""  # The signature of the round; blank in a promise
    randomness: str = ""  # The randomness of the round; blank in a promise
    promise: int = 0  # The promise that a ruling keeps; 0 in a promise
    # The promises that were withdrawn before their round: another one with other inputs followed.
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()  # The promises that were withdrawn after their round was published
    far: tuple[int, ...] = ()  # The promises that were dropped, because their rounds were too far away
    # The rulings that killed a leader of the same war, so that a promise of it could not be kept.
    void: tuple[int, ...] = ()
    # The promises of the same war under other ids that were neither kept nor withdrawn when it was counted.
    open: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()  # The rulings of the same war that were undone
    again: tuple[int, ...] = ()  # The rulings of the same war that are not undone
    # The promises that were made earlier to requests of the same parties, and are not ruled before it.
    passed: tuple[int, ...] = ()
    # Those that were made earlier to requests of other parties, and are not ruled before it.
    elsewhere: tuple[int, ...] = ()
    # The rulings of the same parties that came after the promise, though their rounds were out before it.
    overdue: tuple[int, ...] = ()
    later: tuple[int, ...] = ()  # The rulings of the same parties that came before it, though they were promised later
    # The other rulings between its promise and itself that came after the ruling of a later promise.
    unordered: tuple[int, ...] = ()
    key: str = ""  # In a promise the SHA-256 of the request's key, in a ruling the key, in hexadecimal (LUCK-11)
    subject: str = ""  # In a promise parties, place and time, which identify the same war (LUCK-04)
    # In a promise the rows that its ruling may change, or that may change it: nations, armies, leaders.
    parties: tuple[str, ...] = ()
    needs: tuple[Cell, ...] = ()  # In a promise the leaders who must stay alive for it (LDR-11)
    # People's changes since the previous promise, in words; in a ruling including those after later promises.
    changed: tuple[str, ...] = ()
    # In a promise the latest round that the beacon had published: it was not made before that (LUCK-02).
    latest: Round | None = None

    @property
    def text(self) -> str:
        """Return the content of the cell."""
        return msgspec.json.encode(self).decode()

    @property
    def fetched(self) -> Round:
        """Return the round that decided a ruling."""
        return Round(round=self.round, signature=self.signature, randomness=self.randomness)

    def told(self, *, numbered: bool = True) -> str:
        """Return the sentences on the promise for a ruling's receipt, in wiki markup.

        Args:
            numbered: False to leave out the numbers of receipts, and counts of other requests.
        """
        draw = self if numbered else msgspec.structs.replace(self, elsewhere=(), unordered=())
        place = f"in receipt {self.promise}" if numbered else "before"
        return f"promised {place}. {draw.counted(without_markup, numbered=numbered)}"

    def counted(self, escape: Callable[[str], str] = str, *, numbered: bool = True) -> str:
        """Return a sentence: `Third promise; two withdrawn before their round, none after.`, and the changes."""
        others = (self.before, self.after, self.far, self.void, self.open, self.undone)
        number = 1 + sum(map(len, others))
        said = f"{_ordinal(number)} promise"
        if self.before or self.after:
            said += f"; {_number(len(self.before))} withdrawn before their round, {_number(len(self.after))} after"
        for receipts, words in (
            (self.far, "{} dropped, for a round too far away"),
            (self.void, "{} that could not be kept, as a leader was killed"),
            (self.open, "{} of the same war under another id open"),
            (self.undone, "{} kept and undone"),
            (self.again, "the same war was ruled before"),
            (self.passed, "{} of the same parties promised earlier and not ruled"),
            (self.elsewhere, "{} of other parties promised earlier and not ruled"),
            (self.overdue, "{} of the same parties ruled late, after this promise"),
            (self.later, "{} of the same parties promised later and ruled before"),
            (self.unordered, "{} before it ruled after a later promise"),
        ):
            named = f" ({_receipt_list(receipts)})" if numbered else ""
            said += f"; {words.format(_number(len(receipts)))}{named}" if receipts else ""
        return f"{said}." + (f" Changed by people: {escape('; '.join(self.changed))}." if self.changed else "")


DRAW = msgspec.json.Decoder(Draw)
LUCK = msgspec.json.Decoder(SeasonLuck)


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def _ordinal(number: int) -> str:
    return ORDINALS[number] if number < len(ORDINALS) else f"{number:,}th"


def _receipt_list(numbers: tuple[int, ...]) -> str:
    more = "" if len(numbers) <= LISTED else " ..."
    return f"receipt{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:LISTED]))}{more}"
