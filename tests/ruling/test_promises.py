"""A season with beacon luck: requests are promised a round before they are ruled by it (LUCK-01 to LUCK-07)."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from scripts.support.beacon_rounds import REAL, BeaconSeason, after_round, at, before_round, luck_line, unsigned
from scripts.support.smallest_war import war_form, war_rows
from scripts.support.workbooks import NOW, SECRET, column, example, messages, pass_context, problems, read
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.luck.beacon import QUICKNET, Rounds
from sheets_algo.ruling.luck.draw import Draw, SeasonLuck, promised_seed
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import season_trouble
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from tests.helpers.beacon_games import a_receipt_says_what_people_typed

PROMISED_123 = (
    "Promised: round 123 of the beacon decides it, on 2023-08-23 15:15:33 UTC (receipt 2); it is ruled at the first"
    " look after that"
)


def season(**cells: object) -> BeaconSeason:
    return BeaconSeason(war_rows(**cells))


def kinds(season: BeaconSeason) -> list[object]:
    return column(season.book, "Receipts", "Kind")


def draw(receipts: Receipts, seq: int) -> Draw:
    found = receipts.by_seq[seq].draw
    assert found is not None
    return found


def test_luck_01_the_season_row_names_its_luck() -> None:
    begun = season_receipt(1, SECRET, NOW, luck=SeasonLuck(luck="beacon"))
    assert begun.inputs.endswith(',"luck":"beacon"}')
    assert begun.wiki.endswith(". Each request is decided by a round of the beacon drand quicknet.")
    plain = season_receipt(1, SECRET, NOW)
    assert "luck" not in plain.inputs
    assert plain.wiki == f"The SHA-256 of this season's secret is {SECRET.digest}."


def test_luck_02_a_ready_request_is_promised_a_round_in_five_minutes() -> None:
    wars = season()
    made = wars.run(before_round(123))

    assert made.rulings == ()
    ((id, status, text),) = messages(made)
    assert (id, status, text.splitlines()[0]) == ("W-1", "Waiting", PROMISED_123)
    assert made.awaited == QUICKNET.time_of(123)
    promise = wars.receipts.by_seq[2]
    assert (promise.kind, promise.request, promise.war, promise.time) == (
        "Promise",
        "W-1",
        "Quarrel",
        "2023-08-23T15:10:33Z",
    )
    assert promise.seed_source.startswith(f'{{"beacon":"{QUICKNET.hash}","round":123,"key":')
    assert promise.wiki == "Round 123 of the beacon drand quicknet decides this request. First promise."
    assert column(wars.book, "Nations", "Stability") == [None, None]
    again = wars.run(QUICKNET.time_of(123) - 1)
    assert not again.writes.changes
    assert not again.owes.wanted_rounds


def test_luck_03_the_promised_round_rules_by_key_inputs_and_randomness() -> None:
    wars = season()
    wars.run(before_round(123))
    (ruling,) = wars.run(QUICKNET.time_of(123)).rulings
    receipt = wars.receipts.by_seq[3]
    key = SECRET.key_of("W-1")

    assert receipt.seed == str(promised_seed(key, wars.receipts.by_seq[2].inputs, REAL[123].randomness))
    assert draw(wars.receipts, 3) == Draw(
        beacon=QUICKNET.hash,
        round=123,
        signature=REAL[123].signature,
        randomness=REAL[123].randomness,
        promise=2,
        key=key,
    )
    assert receipt.wiki == ruling.outcome.receipt.wiki() + (
        "\n=== Luck ===\n* Decided by round 123 of the beacon drand quicknet (2023-08-23 15:15:33 UTC), promised in"
        " receipt 2. First promise."
    )
    assert (kinds(wars), column(wars.book, "War Requests", "Status")) == (["Season", "Promise", "Ruling"], ["Done"])
    verdict = wars.verified("W-1")
    assert (verdict.differences, verdict.remarks) == ((), ())
    assert not wars.run(after_round(123)).writes.changes


def test_luck_03_a_plan_requests_only_the_rounds_that_it_needs() -> None:
    wars = season()
    assert wars.run(before_round(123), rounds=None).owes.wanted_rounds == {0}
    wars.run(before_round(123))
    assert wars.run(after_round(123), rounds=None).owes.wanted_rounds == {123}
    assert kinds(wars) == ["Season", "Promise"]


def test_luck_03_rounds_of_consecutive_wars_are_requested_in_one_poll() -> None:
    """The second war was called one whose round no host gives: nobody had asked for it."""
    wars = two_wars()
    wars.edit("War Requests", 3, "Ready", False)
    wars.run(before_round(123))
    wars.edit("War Requests", 3, "Ready", True)
    wars.run(before_round(1000), rounds=Rounds(REAL[123], {}))

    assert wars.run(after_round(1000), rounds=None).owes.wanted_rounds == {123, 1000}
    assert len(wars.run(after_round(1000)).rulings) == 2


def two_wars(**second: object) -> BeaconSeason:
    """Two wars of the same two nations, the second of which is fought with what the first leaves."""
    rows = war_rows()
    rows["War Requests"].append(rows["War Requests"][0] | {"Request": "W-2", "War": "Revenge"} | second)
    return BeaconSeason(rows)


def test_luck_05_a_missing_beacon_blocks_promises_and_rulings_with_one_message() -> None:
    wars = season()
    away = Rounds(trouble="the beacon does not answer (2 hosts asked)")
    made = wars.run(before_round(123), rounds=away)
    assert [status for _, status, _ in messages(made)] == ["Waiting"]
    assert problems(made) == [("Receipts", "LUCK-05")]
    assert kinds(wars) == ["Season"]
    assert not wars.run(before_round(123) + 15, rounds=away).writes.changes

    wars.run(before_round(123) + 3)
    late = wars.run(after_round(657413), rounds=away)
    assert messages(late)[0][2].startswith("Promised: round 124 of the beacon decides it, and no host gives that round")
    assert not wars.run(after_round(657413) + 15, rounds=away).writes.changes
    assert kinds(wars) == ["Season", "Promise"]


def test_luck_02_a_slow_clock_promises_no_published_round() -> None:
    """The beacon's latest round tells the time too."""
    wars = season()
    slow = before_round(123) - 3_600
    wars.run(slow, rounds=Rounds(latest=unsigned(QUICKNET.round_from(before_round(123)))))
    assert draw(wars.receipts, 2).round == 123


def lied_to() -> BeaconSeason:
    """Return a season whose promise is for the year 2974: a host lied, or a clock was wrong."""
    wars = season()
    wars.run(before_round(123) - 600, rounds=Rounds(latest=unsigned(10**10)))
    return wars


def test_luck_08_a_promise_for_a_round_too_far_away_is_dropped_and_counted() -> None:
    wars = lied_to()
    assert draw(wars.receipts, 2).round == 10**10 + 100
    made = wars.run(before_round(123))
    assert problems(made) == [("Receipts", "LUCK-08")]
    assert str(made.findings.of_tabs[0]) == (
        "Receipts: warning: receipt 2 promises round 10000000100, which comes on 2974-04-21 20:34:24 UTC: that is too"
        " far away, so another round is promised instead. Nothing is to be done: the receipts count the promise that"
        " was dropped. [LUCK-08]"
    )
    assert (draw(wars.receipts, 3).round, draw(wars.receipts, 3).far) == (123, (2,))
    assert not wars.run(before_round(123) + 15).writes.changes

    wars.run(after_round(123))
    assert kinds(wars) == ["Season", "Promise", "Promise", "Ruling"]
    counted = "Second promise; one dropped, for a round too far away (receipt 2)."
    assert wars.receipts.by_seq[3].wiki.endswith(counted)
    assert luck_line(wars.receipts.by_seq[4]).endswith(counted)
    assert wars.verified("W-1").differences == ()
    assert Promises(wars.receipts).summary() == (
        "Promises: 1 kept, 0 withdrawn before their round, 0 after, 1 dropped, for a round too far away, 0 open."
    )


def test_luck_08_nothing_is_dropped_before_a_host_has_reported_the_time() -> None:
    wars = lied_to()
    made = wars.run(before_round(123), rounds=Rounds(trouble="no host answers"))
    assert problems(made) == [("Receipts", "LUCK-05")]
    assert kinds(wars) == ["Season", "Promise"]


def test_luck_08_a_later_promise_does_not_make_an_earlier_one_far() -> None:
    """The count of a withdrawn promise is computed from times; a forged list changes nothing."""
    wars = season()
    wars.run(before_round(123))
    wars.edit("Militaries", 2, "Size", 9_100)
    wars.run(after_round(123))
    known = wars.receipts
    forged = msgspec.structs.replace(draw(known, 3), after=(), far=(2,))
    spoilt = Receipts({**known.by_seq, 3: replace(known.by_seq[3], seed_source=forged.text)})
    assert "0 withdrawn before their round, 1 after, 1 open." in Promises(spoilt).summary()


def ruled() -> BeaconSeason:
    wars = season()
    wars.run(before_round(123))
    wars.run(after_round(123))
    return wars


FORGED = {
    "another round": (3, {"round": 1000, "signature": REAL[1000].signature, "randomness": REAL[1000].randomness}),
    "another signature": (3, {"signature": REAL[1000].signature}),
    "another randomness": (3, {"randomness": REAL[1000].randomness}),
    "a promise less": (3, {"promise": 1}),
    "a promise more": (3, {"before": (1,)}),
    "a promise of another round": (2, {"round": 124}),
}


@pytest.mark.parametrize("name", FORGED)
def test_luck_06_verify_detects_a_forged_round(name: str) -> None:
    seq, change = FORGED[name]
    known = ruled().receipts
    forged = replace(known.by_seq[seq], seed_source=msgspec.structs.replace(draw(known, seq), **change).text)
    assert not checked(Receipts({**known.by_seq, seq: forged})).is_equal


def checked(receipts: Receipts):  # type: ignore[no-untyped-def]
    ruling = receipts.by_seq[3]
    fingerprint = pass_context().fingerprints["autoalgo"]
    return verify(ruling, war_form(), fingerprint, SECRET, receipts.options, Promises(receipts))


def test_luck_06_verify_detects_a_late_or_lost_promise() -> None:
    known = ruled().receipts
    late = replace(known.by_seq[2], time=at(QUICKNET.time_of(123)))
    assert checked(Receipts({**known.by_seq, 2: late})).differences == ("receipt 2 is not older than its round",)
    gone = checked(Receipts({1: known.by_seq[1], 3: known.by_seq[3]}))
    assert (gone.result, gone.reasons) == ("cannot be computed", ("its promise, receipt 2, is gone or was changed",))


def test_rcp_11_without_the_season_row_nothing_is_called_different() -> None:
    known = ruled().receipts
    found = checked(Receipts({seq: receipt for seq, receipt in known.by_seq.items() if seq > 1}))
    assert found.result == "cannot be computed"
    assert [missing.needs for missing in found.missing] == ["the row of Kind Season"]


@pytest.mark.parametrize(("inputs", "luck"), [("", "secret"), ('{"luck":"secret"}', "secret")])
def test_luck_01_a_season_s_luck_cannot_be_changed_after_the_first_ruling(inputs: str, luck: str) -> None:
    known = ruled().receipts
    changed = Receipts({**known.by_seq, 1: replace(known.by_seq[1], inputs=inputs)})
    for secret in (SECRET, None):
        assert season_trouble(changed, secret) == (
            f"The Season row says that the season has {luck} luck, and receipt 3 (W-1) was ruled otherwise: bring the"
            " row that was edited back from an older version."
        )
    assert season_trouble(known, SECRET) == ""


def test_luck_03_the_season_secret_is_part_of_the_seed() -> None:
    """Without it, players could not foresee; with another one, nothing is ruled."""
    known = ruled().receipts
    assert "was not ruled under the season secret at hand" in season_trouble(
        Receipts({**known.by_seq, 3: replace(known.by_seq[3], seed="1")}), SECRET
    )


def test_rcp_16_a_promise_damaged_by_hand_stops_the_pass() -> None:
    wars = season()
    wars.run(before_round(123))
    wars.edit("Receipts", 3, "Seed Source", "round 123")
    assert StoredReceipt(seq=2, kind="Promise", seed_source='{"more":' + "[" * 30_000).draw is None
    with pytest.raises(Exception, match=r"Receipts!.*Seed Source cannot be read .* changed by hand"):
        read_receipts(read(wars.book))


def test_luck_04_many_promises_are_counted_by_number() -> None:
    assert Draw(beacon="", round=1, before=tuple(range(13))).counted() == (
        "14th promise; 13 withdrawn before their round, none after."
    )
    stored = StoredReceipt(seq=1, kind="Promise", seed_source=Draw(beacon="", round=1).text)
    assert stored.draw == Draw(beacon="", round=1)


@pytest.mark.parametrize(
    ("name", "typed", "request_", "drawn", "rest"),
    [
        ("rounds", ("Round Requests", 2, "Notes", ""), "R-0001", "No round decided this: nothing is drawn.", ""),
        ("rounds", ("Round Requests", 3, "Die", 37), "R-0002", "No round decided this: people typed die 37.", ""),
        ("plots", ("Plot Requests", 3, "Die", 5), "P-0002", "No round decided this: people typed die 5.", ""),
        ("jousts", None, "J-0002", "No round decided this: people typed die 3; guard 4.", ""),
        ("jousts", None, "J-0003", "Decided by round 123", "guard 9"),
    ],
)
def test_luck_12_a_receipt_names_typed_values_in_place_of_luck(
    name: str, typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed(name, typed, request_, drawn, rest)


def test_luck_12_a_die_typed_afterwards_makes_another_receipt() -> None:
    orders = BeaconSeason(example("rounds"))
    orders.run(before_round(123))
    orders.run(after_round(123))
    drawn = orders.receipts.ruling_of("R-0002")
    assert luck_line(drawn).startswith("Decided by round 123")
    assert "People typed" not in luck_line(drawn)
    told = replace(drawn, wiki=drawn.wiki.replace("Decided by r", "No round decided this: nothing is drawn. R"))
    forged = BeaconSeason.of(Receipts({**orders.receipts.by_seq, drawn.seq: told}))
    assert not forged.verified("R-0002").is_equal
