"""A war of several battles through the installed command: standings, and the pages of the season's site (REQ-19)."""

from __future__ import annotations

import re

from scripts.support.moderator import only, season, write
from tests.helpers.sites import pages_of

WAR = "The <b>year</b> 1066"


def test_req_19_standings_and_site_show_the_score_of_a_long_war(moderator):
    rows = only(season(), "W-0001", "W-0003", "W-0004")
    for row in rows["War Requests"]:
        if row["Request"] in ("W-0001", "W-0003"):
            row["Part of"] = WAR
            row["Ends War"] = row["Request"] == "W-0003"
    rows["Wars"] = [{"War": WAR, "Side A": "England", "Side B": "Norway + Normandy", "Winner": "Side B"}]
    write(moderator.book, rows)
    assert moderator.types("run", moderator.book).code == 0

    said = moderator.types("season", moderator.book, "--site", "site")
    assert said.code == 0, said
    state = r"[\d,]+ men lost; over, won by Norway \+ Normandy"
    (told,) = re.findall(
        rf"^{re.escape(WAR)}: England \d : \d Norway \+ Normandy, ({state}); sides by receipt 2$", said.out, re.M
    )

    site = moderator.folder / "site"
    pages = pages_of(site)
    (address,) = (path for path in pages if path.startswith("long-wars/"))
    text = (site / address).read_text("utf-8")
    assert f"{told}." in text
    assert re.findall(r'class="(card[^"]*)">.*?<bdi>(.*?)</bdi>', text) == [
        ("card", "England"),
        ("card winner", "Norway + Normandy"),
    ]
    lost = [
        int(number.replace(",", "")) for number in re.findall(r'<td class="n">\d+</td><td class="n">([\d,]+)', text)
    ]
    assert (len(lost), f"{sum(lost):,} men lost") == (3, told.partition(";")[0])
    assert "The &lt;b&gt;year&lt;/b&gt; 1066" in text
    assert [link for link in pages[address].links if "wars/w-" in link] == [
        "../wars/w-0001.html",
        "../wars/w-0003.html",
    ]
    assert f"../{address}" in pages["wars/w-0001.html"].links
    assert not [link for link in pages["wars/w-0004.html"].links if "long-wars" in link]
    assert address in pages["index.html"].links

    assert moderator.types("undo", moderator.book, "W-0003").code == 0
    moderator.types("season", moderator.book, "--site", "site")
    assert pages_of(site)[address].links.count("../wars/w-0003.html") == 0
