"""What a host sees of a watcher from outside: the page, the counters, the check of health."""

from __future__ import annotations

import json
import re

import requests
from prometheus_client.parser import text_string_to_metric_families

from scripts.support.moderator import only, season


def test_the_host_page_lists_failures_without_credentials(online):
    well, broken = online.make(only(season(), "W-0004"), "<b>Well"), online.make(only(season()), "Broken")
    with online.watches(well, broken, "--port", "0") as watcher:
        url = re.findall(r"http://\S+(?=\.)", watcher.hears("How they are doing is on"))[0]
        watcher.hears("Broken: Watched")
        watcher.hears("W-0004 (Manzikert, 1071)")
        online.server.control(f"private/{broken}", {})
        watcher.hears("is not shared with")

        page = requests.get(url, timeout=30).text
        first, second = re.findall(r"<tr class.*</tr>", page)
        assert re.match(r'<tr class="failing"><td>Broken</td><td>failing</td><td>20\S+Z</td><td>The spreadsheet', first)
        assert "is not shared with" in first
        assert second.startswith('<tr class="well"><td>&lt;b&gt;Well</td><td>well</td><td></td><td></td>')
        assert "<td>1</td><td>0</td>" in second

        metrics = {
            (sample.name, sample.labels["key"]): sample.value
            for family in text_string_to_metric_families(requests.get(f"{url}metrics", timeout=30).text)
            for sample in family.samples
        }
        assert metrics["sheets_algo_rulings_total", well] == 1
        assert [metrics["sheets_algo_healthy", id] for id in (well, broken)] == [1, 0]
        assert 0 < metrics["sheets_algo_reads_left", well] < 45

        health = requests.get(f"{url}healthz", timeout=30)
        assert (health.status_code, health.json()["workbooks"]) == (200, {"failing": 1, "well": 1})

        assert requests.get(url, headers={"Host": "evil.example"}, timeout=30).status_code == 421
        assert requests.get(f"{url}secret", timeout=30).status_code == 404
        assert requests.post(url, timeout=30).status_code == 501
        key = json.loads(online.server.key_file(online.moderator.folder).read_text())
        for said in (page, health.text, str(metrics)):
            assert "Bearer" not in said
            assert key["private_key_id"] not in said


def test_an_occupied_port_is_reported(online):
    taken = int(online.server.url.rpartition(":")[2])
    said = online.types("watch", online.make(only(season())), "--port", str(taken))
    assert said.code == 2
    assert f"--port: {taken} cannot be used (Address already in use)." in said.err
