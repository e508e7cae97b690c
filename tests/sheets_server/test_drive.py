"""Drive v3: copies, exports, changes."""

from __future__ import annotations

import io

import openpyxl
import pytest
import requests

ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"
PERSON = "moderator@example.com"
SPREADSHEET = "application/vnd.google-apps.spreadsheet"


class Account:
    """Drive as one account calls it."""

    def __init__(self, server, email):
        self.base = f"{server.url}/drive/v3/files"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {email}"

    def __call__(self, method, path="", json=None, **params):
        return self.session.request(method, f"{self.base}{path}", params=params, json=json, timeout=60)

    def make(self, name, mime=SPREADSHEET, **more):
        return self("POST", json={"name": name, "mimeType": mime, **more}).json()["id"]

    def names(self, q=None, **params):
        return [file["name"] for file in self("GET", q=q, orderBy="name", **params).json()["files"]]


@pytest.fixture
def accounts(server):
    made = []

    def account(email):
        made.append(Account(server, email))
        return made[-1]

    yield account
    for opened in made:
        opened.session.close()


@pytest.fixture
def robot(accounts):
    return accounts(ROBOT)


def refused(answer):
    error = answer.json()["error"]
    return answer.status_code, error["errors"][0]["reason"], error["message"]


def test_a_long_list_comes_in_pages(robot):
    for number in range(5):
        robot.make(f"W{number}")
    found, token = [], None
    while True:
        page = robot("GET", pageSize=2, pageToken=token, orderBy="name", fields="nextPageToken,files(name)").json()
        found.append([file["name"] for file in page["files"]])
        if not (token := page.get("nextPageToken")):
            break

    assert found == [["W0", "W1"], ["W2", "W3"], ["W4"]]
    assert refused(robot("GET", pageSize=5000))[:2] == (400, "invalidParameter")


def test_a_copy_has_the_cells_without_the_permissions(server, robot):
    id = server.make("Wars", {"T": [["x", 1]]}, shares=[ROBOT, "otto@example.com"])
    copied = robot("POST", f"/{id}/copy", json={"name": None, "mimeType": SPREADSHEET}).json()
    named = robot("POST", f"/{id}/copy", json={"name": "Twin"}).json()

    assert (copied["name"], named["name"]) == ("Copy of Wars", "Twin")
    assert server.tab(copied["id"], "T") == [["x", 1]]
    server.type(id, "T!A1", [["changed"]])
    assert server.tab(copied["id"], "T") == [["x", 1]]
    rights = robot("GET", f"/{copied['id']}", fields="permissions(emailAddress,role)").json()
    assert rights == {"permissions": [{"emailAddress": ROBOT, "role": "owner"}]}


def test_a_protected_range_stops_editors_and_not_the_owner(server, robot):
    id = server.make("Wars", {"T": [["x"]]})
    tab = server.tabs(id)["T"]
    protected = {"range": {"sheetId": tab}, "editors": {"users": [PERSON]}}
    server.user(id, [{"addProtectedRange": {"protectedRange": protected}}])
    cell = f"{server.url}/v4/spreadsheets/{id}/values/T!A1"
    how = {"params": {"valueInputOption": "RAW"}, "json": {"values": [["y"]]}, "timeout": 5}

    said = robot.session.put(cell, **how)
    assert said.status_code == 400
    assert "You are trying to edit a protected cell or object." in said.json()["error"]["message"]
    owner = {"Authorization": f"Bearer {PERSON}"}
    assert robot.session.put(cell, headers=owner, **how).status_code == 200


def test_files_are_exported_in_their_formats(server, robot):
    id = server.make("Wars", {"First": [["a,b", 'say "x"'], [1.5]], "Second": [["z", "=no formula"]]})

    def export(kind):
        return robot("GET", f"/{id}/export", mimeType=kind)

    plain = export("text/csv")
    assert (plain.headers["Content-Type"], plain.content) == ("text/csv", b'"a,b","say ""x"""\r\n1.5,')
    assert export("text/tab-separated-values").content == b'a,b\tsay "x"\r\n1.5\t'
    book = openpyxl.load_workbook(
        io.BytesIO(export("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet").content)
    )
    assert book.sheetnames == ["First", "Second"]
    assert book["First"]["A2"].value == 1.5
    assert (book["Second"]["B1"].value, book["Second"]["B1"].data_type) == ("=no formula", "s")
    assert refused(export("image/png")) == (400, "badRequest", "The requested conversion is not supported.")


class Feed:
    """Drive's changes as one account asks for them."""

    def __init__(self, account):
        self.base = account.base.replace("/files", "/changes")
        self.session = account.session
        self.token = self.get("/startPageToken")["startPageToken"]

    def get(self, path="", **params):
        return self.session.get(f"{self.base}{path}", params=params, timeout=60).json()

    def news(self, **params):
        """Ids that are reported since the last question, and whether the file is removed."""
        said = self.get(pageToken=self.token, **params)
        self.token = said.get("newStartPageToken") or said["nextPageToken"]
        return [(change["fileId"], change["removed"]) for change in said["changes"]]


def test_changes_list_the_last_one_of_each_file_in_order(server, robot):
    early = server.make("Early")
    feed = Feed(robot)
    assert feed.news() == []

    later, another = server.make("Later"), server.make("Another", shares=[])
    server.type(later, "A1", [[1]])
    server.type(early, "A1", [[1]])
    server.type(another, "A1", [[1]])
    assert feed.news() == [(later, False), (early, False)]
    assert feed.news() == []

    cell = f"{server.url}/v4/spreadsheets/{early}/values/A1"
    robot.session.put(cell, params={"valueInputOption": "RAW"}, json={"values": [["x"]]}, timeout=60)
    server.type(later, "A1", [[2]])
    said = feed.get(
        pageToken=feed.token, pageSize=1, fields="changes(fileId,file(lastModifyingUser(me))),nextPageToken"
    )
    assert said["changes"] == [{"fileId": early, "file": {"lastModifyingUser": {"me": True}}}]
    said = feed.get(pageToken=said["nextPageToken"])
    assert [change["file"]["lastModifyingUser"]["me"] for change in said["changes"]] == [False]
    assert (said["changes"][0]["fileId"], "nextPageToken" in said) == (later, False)


def test_an_unshared_or_deleted_file_is_removed_for_its_former_readers(server, robot, accounts):
    unshared, deleted = server.make("Unshared"), server.make("Deleted")
    feed = Feed(robot)
    server.control(f"share/{unshared}", {"email": ROBOT, "role": None})
    accounts(PERSON)("DELETE", f"/{deleted}")
    assert feed.get(pageToken=feed.token, includeRemoved="false")["changes"] == []
    assert feed.news() == [(unshared, True), (deleted, True)]

    server.type(unshared, "A1", [[1]])
    server.control(f"share/{unshared}", {"email": ROBOT, "role": "reader"})
    assert feed.news() == [(unshared, False)]


def test_changes_can_be_late_repeated_lost_or_behind_an_expired_token(server, robot):
    id = server.make("Season")
    feed = Feed(robot)
    server.control("clock", {"stop": True, "advance": 180})
    server.control("changes", {"late_s": 180})
    server.type(id, "A1", [[1]])
    assert feed.news() == []
    server.control("clock", {"advance": 179})
    server.type(id, "A1", [[1.5]])  # is reported with the one before
    assert feed.news() == []
    server.control("clock", {"advance": 1})
    server.type(id, "A1", [[1.7]])  # comes after the report is due, and before it is asked for
    assert feed.news() == [(id, False)]
    server.control("clock", {"advance": 179})
    assert feed.news() == []
    server.control("clock", {"advance": 1})
    assert feed.news() == [(id, False)]

    server.control("changes", {"again": 1})
    server.type(id, "A1", [[2]])
    assert [feed.news(), feed.news()] == [[(id, False)]] * 2
    server.control("changes", {"silent": True})
    feed.news()
    server.type(id, "A1", [[3]])
    assert feed.news() == []

    server.control("changes", {"expire": True})
    refusal = robot.session.get(feed.base, params={"pageToken": feed.token}, timeout=60)
    assert refused(refusal) == (400, "invalid", "Invalid Value")
    assert Feed(robot).news() == []
