"""Posts by Apprise, to a service on this machine: at most once, and nobody is notified by a name."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from faulty.server import Answer, Asked, FaultyServer

from scripts.support.posting import post
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.apprise_channel import AppriseChannel
from sheets_algo.posting.channel import PostRefused, Unanswered
from sheets_algo.workbook.findings import State

pytestmark = pytest.mark.extra


class Receiver(FaultyServer):
    """A service that takes the JSON of Apprise's scheme json://."""

    def carry_out(self, asked: Asked) -> Answer:
        return Answer(200, b"{}")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        assert isinstance(server, Receiver)
        yield server


@pytest.fixture
def channel(receiver: Receiver, tmp_path: Path) -> AppriseChannel:
    file = tmp_path / "apprise.txt"
    file.write_text(receiver.url.replace("http:", "json:") + "/hush-hush", "utf-8")
    file.chmod(0o600)
    return AppriseChannel(ChannelSettings(name="phone", to="apprise", secret_file=file))


def test_a_receipt_is_sent_as_plain_text_without_mentions(receiver, channel):
    assert channel.send(post("@everyone", text=lambda number: "@here")) == ""

    (asked,) = receiver.asked
    sent = json.loads(asked.body)
    assert sent["title"] == "@\u200beveryone"
    assert sent["message"].splitlines()[:4] == ["@\u200beveryone", "", "Result", "  Item 0: @\u200bhere"]


@pytest.mark.parametrize("kind", ["reset", "500"])
def test_an_uncertain_post_is_unsure_and_no_log_shows_the_address(receiver, channel, kind, caplog):
    caplog.set_level(logging.DEBUG)
    receiver.fail(kind, "after")
    with pytest.raises(Unanswered, match="Apprise says that it failed"):
        channel.send(post())
    assert len(receiver.asked) == 1
    assert "hush" not in caplog.text


def test_an_unknown_address_is_reported_by_doctor_too(channel):
    assert [finding.state for finding in channel.examine()] == [State.OK]
    channel.settings.secret_file.write_text("nonsense://hush-hush", "utf-8")
    assert [finding.state for finding in channel.examine()] == [State.WARN]
    with pytest.raises(PostRefused, match="does not know this kind of address"):
        channel.send(post())
