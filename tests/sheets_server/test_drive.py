"""Drive v3: files, permissions, comments, exports."""

from __future__ import annotations

import io

import openpyxl
import pytest
import requests

ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"
PERSON = "moderator@example.com"
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FOLDER = "application/vnd.google-apps.folder"


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


def test_a_new_file_is_described_like_by_drive(robot):
    made = robot("POST", json={"name": "Wars", "mimeType": SPREADSHEET})
    id = made.json()["id"]

    assert made.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert made.json() == {"kind": "drive#file", "id": id, "name": "Wars", "mimeType": SPREADSHEET}
    assert len(id) == 44
    assert robot("GET", f"/{id}", fields="name,owners(emailAddress),trashed").json() == {
        "name": "Wars",
        "trashed": False,
        "owners": [{"emailAddress": ROBOT}],
    }
    assert robot("GET", f"/{id}", fields="*").json()["capabilities"]["canDelete"] is True


@pytest.mark.parametrize("asked", [{}, {"name": ""}])
def test_a_file_without_a_name_gets_one(robot, asked):
    assert robot("POST", json={"mimeType": SPREADSHEET, **asked}).json()["name"] == "Untitled"


def test_a_spreadsheet_s_name_is_its_title_in_both_apis(server, robot):
    id = robot.make("Wars")
    robot("PATCH", f"/{id}", json={"name": "Peace"})
    assert server.show(id)["properties"]["title"] == "Peace"
    properties = {"properties": {"title": "Wars again"}, "fields": "title"}
    server.user(id, [{"updateSpreadsheetProperties": properties}])
    assert robot("GET", f"/{id}").json()["name"] == "Wars again"


def test_the_time_of_the_last_write_is_recorded(server, robot):
    server.control("clock", {"stop": True, "set": 1_700_000_000})
    id = robot.make("Wars")
    server.advance(60.5)
    cell = f"{server.url}/v4/spreadsheets/{id}/values/A1"
    robot.session.put(cell, params={"valueInputOption": "RAW"}, json={"values": [["x"]]}, timeout=60)
    server.advance(60)
    robot.session.put(cell, params={"valueInputOption": "RAW"}, json={"values": "x"}, timeout=60)  # refused

    assert robot("GET", f"/{id}", fields="createdTime,modifiedTime").json() == {
        "createdTime": "2023-11-14T22:13:20.000Z",
        "modifiedTime": "2023-11-14T22:14:20.500Z",
    }


def test_files_are_found_by_kind_name_folder_and_owner(robot):
    folder = robot.make("Season", FOLDER)
    robot.make("Wars of the Roses", parents=[folder])
    robot.make("Nations")
    robot.make("O'Brien's war")
    binned = robot.make("Old")
    robot("PATCH", f"/{binned}", json={"trashed": True})

    assert robot.names(f"mimeType='{SPREADSHEET}' and trashed=false") == [
        "Nations",
        "O'Brien's war",
        "Wars of the Roses",
    ]
    assert robot.names(f'mimeType="{FOLDER}"') == ["Season"]
    assert robot.names("name = 'O\\'Brien\\'s war'") == ["O'Brien's war"]
    assert robot.names(f"'{folder}' in parents") == ["Wars of the Roses"]
    assert robot.names(f'parents in "{folder}"') == ["Wars of the Roses"]
    assert robot.names("'root' in parents and not trashed") == ["Nations", "O'Brien's war", "Season"]
    assert robot.names("name contains 'war' or trashed = true") == ["O'Brien's war", "Old", "Wars of the Roses"]
    assert robot.names(f"'{ROBOT}' in owners and (name = 'Nations' or name = 'Old')") == ["Nations", "Old"]
    assert refused(robot("GET", q="name ! 'x'")) == (400, "invalid", "Invalid Value")


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


def test_a_file_moves_between_folders(robot):
    first, second = robot.make("A", FOLDER), robot.make("B", FOLDER)
    id = robot.make("Wars", parents=[first])
    moved = robot("PATCH", f"/{id}", json={}, addParents=second, removeParents=first, fields="parents")

    assert moved.json() == {"parents": [second]}
    assert robot("PATCH", f"/{id}", json={"parents": [first]}).status_code == 403


def test_a_copy_has_the_cells_without_the_permissions(server, robot):
    id = server.make("Wars", {"T": [["x", 1]]}, shares=[ROBOT, "otto@example.com"])
    copied = robot("POST", f"/{id}/copy", json={"name": None, "mimeType": SPREADSHEET}).json()
    named = robot("POST", f"/{id}/copy", json={"name": "Twin"}).json()

    assert (copied["name"], named["name"]) == ("Copy of Wars", "Twin")
    assert server.tab(copied["id"], "T") == [["x", 1]]
    server.type(id, "T!A1", [["changed"]])
    assert server.tab(copied["id"], "T") == [["x", 1]]
    rights = robot("GET", f"/{copied['id']}/permissions", fields="permissions(emailAddress,role)").json()
    assert rights == {"permissions": [{"emailAddress": ROBOT, "role": "owner"}]}


def test_only_the_owner_can_delete(server, robot):
    mine, theirs = robot.make("Mine"), server.make("Theirs")

    gone = robot("DELETE", f"/{mine}", supportsAllDrives=True)
    assert (gone.status_code, gone.headers["Content-Type"], gone.text) == (204, "text/html", "")
    assert refused(robot("GET", f"/{mine}")) == (404, "notFound", f"File not found: {mine}.")
    assert refused(robot("DELETE", f"/{theirs}"))[:2] == (403, "insufficientFilePermissions")


def test_sharing_grants_and_revokes_access(server, robot, accounts):
    otto = accounts("otto@example.com")
    id = robot.make("Wars")
    cell = f"{server.url}/v4/spreadsheets/{id}/values/A1"
    assert otto("GET", f"/{id}").status_code == 404

    given = robot(
        "POST", f"/{id}/permissions", json={"type": "user", "role": "reader", "emailAddress": "otto@example.com"}
    )
    assert {name: given.json()[name] for name in ("kind", "type", "role")} == {
        "kind": "drive#permission",
        "type": "user",
        "role": "reader",
    }
    permission = f"/{id}/permissions/{given.json()['id']}"
    assert otto.session.get(cell, timeout=60).status_code == 200
    assert otto.session.post(f"{cell}:clear", timeout=60).status_code == 403
    robot("PATCH", permission, json={"role": "writer"})
    assert otto.session.post(f"{cell}:clear", timeout=60).status_code == 200
    assert robot("DELETE", permission).status_code == 204
    assert otto("GET", f"/{id}").status_code == 404
    assert refused(robot("DELETE", permission))[:2] == (404, "notFound")


def test_anyone_and_a_domain_can_be_granted_access(robot, accounts):
    id = robot.make("Wars")
    robot("POST", f"/{id}/permissions", json={"type": "domain", "role": "reader", "domain": "example.com"})
    assert accounts("otto@example.com")("GET", f"/{id}").status_code == 200
    assert accounts("otto@example.org")("GET", f"/{id}").status_code == 404
    given = robot("POST", f"/{id}/permissions", json={"type": "anyone", "role": "reader", "withLink": True})
    assert given.json()["id"] == "anyoneWithLink"
    assert accounts("otto@example.org")("GET", f"/{id}").status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"type": "user", "emailAddress": "otto"},
        {"type": "group", "emailAddress": "otto@example"},
        {"type": "anyone", "emailAddress": "otto@example.com"},
        {"type": "domain", "domain": "example.com", "emailAddress": "otto@example.com"},
    ],
)
def test_an_address_that_cannot_be_shared_with_is_refused(robot, asked):
    id = robot.make("Wars")

    said = refused(robot("POST", f"/{id}/permissions", json={"role": "reader", **asked}))

    message = "The specified emailAddress is invalid or not applicable for the given permission type."
    assert said == (400, "invalid", message)
    assert len(robot("GET", f"/{id}/permissions").json()["permissions"]) == 1


def test_ownership_is_offered_and_taken(robot, accounts):
    otto = accounts("otto@example.com")
    id = robot.make("Wars")
    given = robot(
        "POST", f"/{id}/permissions", json={"type": "user", "role": "writer", "emailAddress": "otto@example.com"}
    )
    there = f"/{id}/permissions/{given.json()['id']}"

    assert refused(robot("PATCH", there, json={"role": "owner"}))[:2] == (403, "forbidden")
    offered = robot("PATCH", there, json={"role": "writer", "pendingOwner": True}, fields="pendingOwner")
    assert offered.json() == {"pendingOwner": True}
    assert otto("PATCH", there, json={"role": "owner"}, transferOwnership=True).json()["role"] == "owner"
    roles = robot("GET", f"/{id}/permissions", fields="permissions(emailAddress,role)").json()["permissions"]
    assert {right["emailAddress"]: right["role"] for right in roles} == {ROBOT: "writer", "otto@example.com": "owner"}


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


def test_a_service_account_can_lack_storage(server, robot, accounts):
    shared = server.make("Wars")
    server.control("storage", {"full": True})
    full = (403, "storageQuotaExceeded", "The user's Drive storage quota has been exceeded.")

    assert refused(robot("POST", json={"name": "x", "mimeType": SPREADSHEET})) == full
    assert refused(robot("POST", f"/{shared}/copy", json={})) == full
    made = robot.session.post(f"{server.url}/v4/spreadsheets", json={}, timeout=60)
    assert made.json()["error"]["message"] == "The caller does not have permission"
    assert accounts(PERSON)("POST", json={"name": "x", "mimeType": SPREADSHEET}).status_code == 200


def test_comments_are_kept_in_order(robot):
    id = robot.make("Wars")
    for text in ("first", "second"):
        robot("POST", f"/{id}/comments", json={"content": text, "anchor": "kix.1"}, fields="id")
    listed = robot("GET", f"/{id}/comments", fields="comments/content,comments/anchor,nextPageToken", pageSize=100)

    assert listed.json() == {
        "comments": [{"content": "first", "anchor": "kix.1"}, {"content": "second", "anchor": "kix.1"}]
    }
    assert refused(robot("GET", f"/{id}/comments")) == (
        400,
        "required",
        "The 'fields' parameter is required for this method.",
    )


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


def test_an_uploaded_csv_replaces_all_content(server, robot):
    id = server.make("Wars", {"First": [["a"]], "Second": [["z"]]})
    said = robot.session.put(
        f"{server.url}/upload/drive/v2/files/{id}",
        params={"uploadType": "media", "convert": True},
        data=b"Name,Size\nNormandy,7000\n",
        headers={"Content-Type": "text/csv"},
        timeout=60,
    )

    assert said.json()["id"] == id
    (title,) = server.tabs(id)
    assert server.tab(id, title) == [["Name", "Size"], ["Normandy", 7000]]


def test_an_unreadable_body_is_refused_in_drive_s_words(server, robot):
    said = robot.session.post(f"{server.url}/drive/v3/files", data="{", timeout=60)
    assert refused(said)[:2] == (400, "badRequest")


def test_about_names_the_caller(server, robot):
    said = robot.session.get(f"{server.url}/drive/v3/about", params={"fields": "user/emailAddress"}, timeout=60)
    assert said.json() == {"user": {"emailAddress": ROBOT}}


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

    robot("PATCH", f"/{early}", json={"name": "Renamed"})
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
