"""Posts to a wiki over real HTTP: each receipt is there exactly once, whatever is lost or comes late."""

from __future__ import annotations

import io
import re
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests
from localwiki.server import LocalWiki
from PIL import Image

from scripts.support.posting import post
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NationNow, NotSent, Post, PostRefused, RemarkedPost, Unanswered
from sheets_algo.posting.mediawiki import WikiChannel, title_of
from sheets_algo.workbook.findings import State
from tests.helpers.real_wiki import PASSWORD, USER, real_wiki

pytestmark = pytest.mark.extra

PAGE = "Talk:Season 3"


@pytest.fixture
def wiki() -> Iterator[LocalWiki]:
    with LocalWiki(silence_s=2) as server:
        assert isinstance(server, LocalWiki)
        yield server


def settings(folder: Path, address: str, user: str, password: str, **more: Any) -> ChannelSettings:
    file = folder / "bot.txt"
    file.write_text(password, "utf-8")
    file.chmod(0o600)
    given: dict[str, Any] = {"page": PAGE, "secret_file": file} | more
    return ChannelSettings(name="wiki", to="mediawiki", address=address, user=user, **given)


@pytest.fixture
def channel(wiki: LocalWiki, tmp_path: Path) -> WikiChannel:
    return WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password), timeout_s=5)


def receipt(number: int, war: str = "Hastings, é 𓀀", **more: Any) -> Post:
    wiki = f"== {war} ==\n* '''Motive:''' Conquest\n=== Result ===\n* '''Winner:''' {number}"
    return post(war, number=number, mark=f"R-{number:04d} aa{number}", wiki=wiki, **more)


def taken_back(number: int, ruling: Post, **more: Any) -> Post:
    return post(number=number, mark=f"R-{number:04d} bb", kind="Undo", wiki="It is undone.", undoes=ruling, **more)


def test_receipts_become_consecutive_sections_once_each(wiki, channel):
    wiki.put(PAGE, "Welcome.\n\n== Rules ==\nBe é kind.")
    for number in (8, 9, 8, 9):
        assert channel.send(receipt(number)) == PAGE

    assert wiki.pages[PAGE].text == (
        "Welcome.\n\n== Rules ==\nBe é kind."
        "\n\n== Hastings, é 𓀀 ==\n<!-- sheets-algo R-0008 aa8 -->\n* '''Motive:''' Conquest"
        "\n=== Result ===\n* '''Winner:''' 8"
        "\n\n== Hastings, é 𓀀 ==\n<!-- sheets-algo R-0009 aa9 -->\n* '''Motive:''' Conquest"
        "\n=== Result ===\n* '''Winner:''' 9"
    )
    assert wiki.edits == 2


def test_a_page_for_each_receipt_is_created_once_and_never_overwritten(wiki, tmp_path):
    each = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, page="Wars/{request} {war}"))
    assert each.send(receipt(8)) == each.send(receipt(8)) == "Wars/W-0007 Hastings, é 𓀀"
    assert wiki.edits == 1

    with pytest.raises(PostRefused, match="is there already, and not by this receipt"):
        each.send(receipt(9))
    each.correct(taken_back(10, receipt(8)), "")
    (text,) = {page.text for page in wiki.pages.values()}
    assert text.startswith(
        "<!-- sheets-algo R-0008 aa8 -->\n: '''It is undone.''' <!-- sheets-algo R-0010 bb -->\n\n== Hastings"
    )


def test_a_hostile_name_leads_to_no_other_page():
    cases = {
        "User:Admin/common.js": "Wars/User Admin common.js",
        "../../Main Page": "Wars/.. .. Main Page",
        "[[x]] {{y}} <b>#z|a_b~~~~": "Wars/x y b z a b",
        "%41&amp;": "Wars/41 amp;",
        "é" * 2_000: "Wars/" + "é" * 125,
    }
    assert {war: title_of("Wars/{war}", receipt(1, war)) for war in cases} == cases


def test_an_undo_follows_its_receipt_or_ends_the_page_once(wiki, channel):
    first, second = receipt(8), receipt(9)
    for each in (first, second):
        channel.send(each)
    for _ in range(2):
        channel.correct(taken_back(10, first), PAGE)
    assert wiki.pages[PAGE].text.splitlines()[1:3] == [
        "<!-- sheets-algo R-0008 aa8 -->",
        ": '''It is undone.''' <!-- sheets-algo R-0010 bb -->",
    ]
    assert wiki.edits == 3

    wiki.put(PAGE, wiki.pages[PAGE].text.replace("<!-- sheets-algo R-0009 aa9 -->\n", ""))
    channel.correct(taken_back(11, second), PAGE)
    assert wiki.pages[PAGE].text.endswith("* '''Winner:''' 9\n\n: '''It is undone.''' <!-- sheets-algo R-0011 bb -->")


def test_a_moved_page_is_followed(wiki, channel):
    channel.send(receipt(8))
    wiki.pages["Talk:Archive"] = wiki.pages.pop(PAGE)
    wiki.moved[PAGE] = "Talk:Archive"

    for number in (8, 9):
        with pytest.raises(RemarkedPost, match=r'^"Talk:Season 3" was moved to "Talk:Archive": correct page') as raised:
            channel.send(receipt(number))
        assert raised.value.reference == "Talk:Archive"
    assert wiki.pages["Talk:Archive"].text.count("sheets-algo") == 2


@pytest.mark.parametrize(
    "kind", ["maxlag", "ratelimited", "readonly", "badtoken", "articleexists", "missingtitle", "500", "503"]
)
def test_a_temporary_error_sends_nothing(wiki, channel, kind):
    wiki.fail_at(kind, 2, match="POST")  # the first is the login
    with pytest.raises((NotSent, Unanswered)):
        channel.send(receipt(8))


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("protectedpage", "The page is protected: let the account edit it, or name another page (protectedpage: This"),
        ("abusefilter-disallowed", "A filter of the wiki refuses the text: ask an administrator to leave the account"),
        ("blocked", "The account is blocked: ask an administrator of the wiki (blocked: You have been blocked"),
    ],
)
def test_a_refusal_of_the_wiki_gives_a_sentence_with_a_remedy(wiki, channel, kind, says):
    channel.send(receipt(8))
    wiki.fail(kind, match="POST", times=2)  # the first is the login
    with pytest.raises(PostRefused, match=f"^{re.escape(says)}"):
        channel.send(receipt(9))


def test_a_rate_limit_is_reported_and_the_receipt_is_written_later(wiki, channel):
    wiki.fail("ratelimited", match="POST", times=2)
    with pytest.raises(NotSent, match=r"^The wiki limits how often the account may edit, so it is written later"):
        channel.send(receipt(8))
    wiki.faults.clear()
    assert channel.send(receipt(8)) == PAGE


MAP = b"\x89PNG of the battle"


@pytest.mark.parametrize("when", ["before", "after", "late"])
@pytest.mark.parametrize("number", [2, 3])  # 1 is the login, 2 the upload, 3 the edit
def test_a_picture_is_uploaded_once_despite_lost_answers(wiki, tmp_path, when, number):
    channel = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, picture=True), timeout_s=5)
    wiki.fail_at("reset", number, when, match="POST")
    with pytest.raises((NotSent, Unanswered)):
        channel.send(receipt(8, picture=MAP))
    wiki.faults.clear()
    channel.send(receipt(8, picture=MAP))
    channel.send(receipt(9, picture=MAP))

    (name,) = wiki.files
    assert (wiki.uploads, wiki.files[name]) == (1, MAP)
    assert len(re.findall(rf"aa\d -->\n\[\[File:{name}\|thumb\]\]\n\* ", wiki.pages[PAGE].text)) == 2
    assert wiki.pages[PAGE].text.startswith("== Hastings, é 𓀀 ==\n<!-- sheets-algo R-0008 aa8 -->\n")


def test_a_refused_picture_delays_no_receipt(wiki, tmp_path):
    channel = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, picture=True), timeout_s=5)
    wiki.refuses_uploads = True
    with pytest.raises(
        RemarkedPost, match=r"^The picture: The wiki takes no pictures: write picture = false"
    ) as raised:
        channel.send(receipt(8, picture=MAP))
    assert raised.value.reference == PAGE
    assert wiki.pages[PAGE].text.count("R-0008 aa8") == 1


ENGLAND = (
    "{{Nation\n| name = England\n| stability = 110 \n|last war=[[Stamford Bridge]]\n}}\n"
    "A '''kingdom''' {{flag|x}}.\n(gap)"
    "== History ==\n{{Nation of old|stability=1}}\n\n=== Kings ===\nHarold.\n"
)


@pytest.mark.parametrize("gap", ["", "\n", "\n\n"])
def test_only_the_parameters_on_a_nation_s_page_are_written(wiki, tmp_path, gap):
    more = {"nation_page": "Nations/{nation}", "nation_war": "last war"}
    channel = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, **more), timeout_s=5)
    before = ENGLAND.replace("(gap)", gap)
    wiki.put("Nations/England", before)
    england = NationNow("England", "46.8", "[[Hastings]] {{x}} | 1066")

    for _ in range(2):
        channel.send(receipt(8, nations=(england,)))
    after = before.replace("stability = 110 ", "stability = 46.8 ").replace(
        "last war=[[Stamford Bridge]]", "last war=&#91;&#91;Hastings&#93;&#93; &#123;&#123;x&#125;&#125; &#124; 1066"
    )
    assert wiki.pages["Nations/England"].text.rstrip() == after.rstrip()
    assert wiki.edits == 2
    channel.correct(taken_back(9, receipt(8), nations=(replace(england, stability="110"),)), PAGE)
    assert "| stability = 110 \n" in wiki.pages["Nations/England"].text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, '^The page "England" is not there: nothing was written there.'),
        ("{{nation|a}} {{Nation|b}}", '^The page "England" does not have {{Nation}} exactly once: nothing'),
        ("<nowiki>{{Nation|stability=1}}</nowiki>", '^The page "England" does not have {{Nation}} exactly once'),
    ],
)
def test_a_nation_without_its_template_is_reported_and_delays_no_receipt(wiki, tmp_path, text, says):
    channel = WikiChannel(settings(tmp_path, wiki.api, wiki.user, wiki.password, nation_page="{nation}"), timeout_s=5)
    if text:
        wiki.put("England", text)
    with pytest.raises(RemarkedPost, match=says) as raised:
        channel.send(receipt(8, nations=(NationNow("England", "1", "War"),)))
    assert raised.value.reference == PAGE
    assert wiki.edits == 1


def test_a_wrong_password_is_reported_and_never_shown(wiki, channel):
    channel.settings.secret_file.write_text("hush-hush", "utf-8")
    with pytest.raises(PostRefused, match=r"refuses the login of Herald@post") as raised:
        channel.send(receipt(8))
    assert "hush" not in "".join(traceback.format_exception(raised.value))


def test_doctor_edits_nothing_and_names_a_missing_right(wiki, channel):
    assert [finding.state for finding in channel.examine()] == [State.OK]
    wiki.rights = ["edit"]
    (finding,) = channel.examine()
    assert "lacks the right createpage and bot" in finding.text
    assert wiki.edits == 0
    with pytest.raises(PostRefused, match="assertbotfailed"):
        channel.send(receipt(8))


def test_a_real_mediawiki_accepts_a_whole_season(tmp_path):
    """Sections, a page each, an undo, doctor's question, a picture, and pages of nations with nothing else changed."""
    with real_wiki(tmp_path) as address:
        channel = WikiChannel(settings(tmp_path, address, USER, PASSWORD, picture=True, nation_page="{nation}"))
        gaps = {"England": "", "Norway": "\n", "Normandy": "\n\n"}
        for nation, gap in gaps.items():
            write_on(address, nation, ENGLAND.replace("(gap)", gap))
        assert [str(finding) for finding in channel.examine() if finding.state is not State.OK] == []
        png = dot()
        nations = tuple(NationNow(nation, "46.8", "Hastings, 1066") for nation in gaps)
        first, second = receipt(8, picture=png, nations=nations), receipt(9, picture=png, nations=nations)
        for each in (first, second, first, second):
            channel.send(each)
        for nation, gap in gaps.items():
            after = (
                ENGLAND.replace("(gap)", gap).replace("110", "46.8").replace("[[Stamford Bridge]]", "Hastings, 1066")
            )
            assert text_on(address, nation) == after.rstrip()
        for _ in range(2):
            channel.correct(taken_back(10, first), PAGE)
        each = WikiChannel(settings(tmp_path, address, USER, PASSWORD, page="Wars/{war}"))
        assert each.send(first) == each.send(first) == "Wars/Hastings, é 𓀀"
        with pytest.raises(PostRefused, match="is there already"):
            each.send(second)

        text = text_on(address, PAGE)
        assert re.findall(r"<!-- sheets-algo (R-\d+)", text) == ["R-0008", "R-0010", "R-0009"]
        (name,) = set(re.findall(r"\[\[File:(.*?)\|thumb\]\]", text))
        found = requests.get(
            address, params={"action": "query", "list": "allimages", "aiprop": "size", "format": "json"}
        )
        assert [(file["name"], file["size"]) for file in found.json()["query"]["allimages"]] == [
            (name.replace(" ", "_"), len(png))
        ]
        assert text.count("=== Result ===\n* '''Winner:''' 8") == text.count("=== Result ===\n* '''Winner:''' 9") == 1


CAPTCHA = """
wfLoadExtensions(["ConfirmEdit", "ConfirmEdit/QuestyCaptcha"]);
$wgCaptchaClass = "QuestyCaptcha";
$wgCaptchaQuestions = ["Who won at Hastings?" => "Normandy"];
$wgCaptchaTriggers["edit"] = $wgCaptchaTriggers["create"] = true;
$wgGroupPermissions["bot"]["skipcaptcha"] = $wgGroupPermissions["sysop"]["skipcaptcha"] = false;
"""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (CAPTCHA, "The wiki asks for a captcha: ask an administrator to give the account the right skipcaptcha"),
        ("$wgMaxArticleSize = 0;", "The page is full: archive sections, or write a page for each receipt"),
        ("$wgEmailConfirmToEdit = true;", "The wiki wants a confirmed e-mail address: confirm it in the account's"),
        (
            '$wgGroupPermissions["*"]["edit"] = $wgGroupPermissions["user"]["edit"] = false;',
            "The account lacks a right",
        ),
        (
            '$wgGroupPermissions["*"]["createtalk"] = $wgGroupPermissions["user"]["createtalk"] = false;',
            "The account may not make pages: tick Create, edit, and move pages in Special:BotPasswords",
        ),
    ],
    ids=["captcha", "full", "e-mail", "edit", "create"],
)
def test_a_refusal_of_a_real_wiki_gives_a_sentence_with_a_remedy(tmp_path, refusing_wiki, line, says):
    address, more = refusing_wiki
    more.write_text(line, "utf-8")
    with pytest.raises(PostRefused, match=f"^{re.escape(says)}"):
        WikiChannel(settings(tmp_path, address, USER, PASSWORD)).send(receipt(8))


@pytest.fixture(scope="module")
def refusing_wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("wiki")
    with real_wiki(folder) as address:
        more = folder / "more.txt"
        with (folder / "LocalSettings.php").open("a", encoding="utf-8") as settings_file:
            settings_file.write(f'eval(file_get_contents("{more}"));\n')  # which PHP reads anew each time
        yield address, more


def dot() -> bytes:
    """Return a picture of one dot, as PNG."""
    made = io.BytesIO()
    Image.new("RGB", (1, 1)).save(made, "PNG")
    return made.getvalue()


def write_on(address: str, title: str, text: str) -> None:
    """Write a page as somebody who is not logged in."""
    asked = {"action": "edit", "title": title, "text": text, "token": "+\\", "format": "json"}
    assert requests.post(address, data=asked, timeout=60).json()["edit"]["result"] == "Success"


def text_on(address: str, title: str) -> str:
    asked = {"action": "query", "prop": "revisions", "rvprop": "content", "rvslots": "main", "titles": title}
    found = requests.get(address, params={**asked, "format": "json", "formatversion": "2"}, timeout=60).json()
    return str(found["query"]["pages"][0]["revisions"][0]["slots"]["main"]["content"])
