"""Where credentials are looked for, what is said when they are no good, and that nothing of them is ever shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sheets_algo.workbook.errors import BadAddress, WorkbookUnavailable
from sheets_algo.workbook.google.address import spreadsheet_id
from sheets_algo.workbook.google.http import access
from sheets_algo.workbook.google.http.access import BadCredentials
from tests.helpers.rows import each
from tests.workbook.google.scripted import EMAIL, key_file, key_info, private_key

URL = "http://127.0.0.1:9"
HOW = "docs/google.md says how to make a service account and its key."
ID = "1AbC-dEf_1066aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """A home and a machine without any credentials."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "home" / ".config"))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    for name in ("GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


# Where


def test_a_named_file_takes_precedence(tmp_path, monkeypatch):
    named = key_file(folder(tmp_path / "named"), URL)
    monkeypatch.setenv(
        "GOOGLE_APPLICATION_CREDENTIALS", str(key_file(folder(tmp_path / "v"), URL, client_email="v@v.v"))
    )

    found = access.find(named)
    assert (found.email, found.kind, found.source) == (EMAIL, "service account key", str(named))


def test_the_variable_and_gspread_s_default_place_follow(tmp_path, monkeypatch):
    usual = key_file(folder(tmp_path / "home/.config/gspread"), URL).rename(
        tmp_path / "home/.config/gspread/service_account.json"
    )
    named = key_file(folder(tmp_path / "v"), URL, client_email="v@v.v")

    assert access.find(environment={}).source == f"{usual}, gspread's default place"
    found = access.find(environment={"GOOGLE_APPLICATION_CREDENTIALS": str(named)})
    assert (found.email, found.source) == ("v@v.v", f"{named}, named by GOOGLE_APPLICATION_CREDENTIALS")


def test_a_login_of_gcloud_follows(tmp_path, monkeypatch):
    login = {"type": "authorized_user", "client_id": "x", "client_secret": "y", "refresh_token": "z"}
    (folder(tmp_path / "gcloud") / "application_default_credentials.json").write_text(json.dumps(login))
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path / "gcloud"))
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "example-wars")

    found = access.find()
    assert (found.email, found.kind) == (None, "application default credentials")


def test_a_home_directory_is_expanded(tmp_path):
    file = key_file(folder(tmp_path / "home"), URL)

    assert access.find(Path("~") / file.name).email == EMAIL


def test_missing_credentials_name_every_place(tmp_path):
    with pytest.raises(BadCredentials) as caught:
        access.find(environment={})
    assert str(caught.value) == (
        "There are no Google credentials: neither --credentials FILE, nor GOOGLE_APPLICATION_CREDENTIALS, nor"
        f" {tmp_path}/home/.config/gspread/service_account.json, nor a login of gcloud, nor an identity of this"
        f" machine. {HOW}"
    )
    assert isinstance(caught.value, WorkbookUnavailable)


def test_workload_identity_names_its_account(tmp_path):
    """What the GitHub Actions step for Google makes, without a request to anyone."""
    file = tmp_path / "identity.json"
    file.write_text(
        json.dumps(
            {
                "type": "external_account",
                "audience": "//iam.googleapis.com/projects/1066/locations/global/workloadIdentityPools/p/providers/q",
                "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
                "token_url": "https://sts.googleapis.com/v1/token",
                "credential_source": {"url": "http://127.0.0.1:9/token"},
                "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
                f"{EMAIL}:generateAccessToken",
            }
        )
    )

    found = access.find(file)
    assert (found.email, found.kind) == (EMAIL, "workload identity federation")


# What is wrong with them


def said(file: Path) -> str:
    with pytest.raises(BadCredentials) as caught:
        access.find(file)
    return str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    assert said(tmp_path / "no.json") == (f"There is no credentials file {tmp_path}/no.json: check the path. {HOW}")


def test_a_variable_with_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadCredentials, match=r"no\.json, named by GOOGLE_APPLICATION_CREDENTIALS: check the path"):
        access.find(environment={"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / "no.json")})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused(tmp_path):
    file = key_file(tmp_path, URL)
    file.chmod(0)

    assert said(file) == f"The credentials file {file} cannot be read (Permission denied)."


def test_a_folder_is_refused(tmp_path):
    assert said(tmp_path) == f"The credentials file {tmp_path} cannot be read (Is a directory)."


@each("content", ["", "{", "[]", '"key"', "\x00\x01", private_key()])
def test_a_file_without_a_json_object_is_refused(tmp_path, content):
    file = tmp_path / "key.json"
    file.write_text(content)

    assert said(file) == f"The credentials file {file} is not JSON as Google makes it: download it again. {HOW}"


def test_a_binary_file_is_refused(tmp_path):
    file = tmp_path / "key.p12"
    file.write_bytes(b"\x30\x82\xff\xfe")

    assert "is not JSON as Google makes it" in said(file)


@each("kind", ["installed", "web"])
def test_an_oauth_client_file_is_refused(tmp_path, kind):
    file = tmp_path / "credentials.json"
    file.write_text(json.dumps({kind: {"client_id": "x", "client_secret": "s3cret"}}))

    assert said(file) == (
        f"The credentials in {file} are those of an OAuth client, for programs that log a person in; the key of a"
        f" service account is needed. {HOW}"
    )


@each("content", [{}, {"type": "gadget"}, {"type": ["service_account"]}, {"type": None}])
def test_json_without_a_key_is_refused(tmp_path, content):
    file = tmp_path / "key.json"
    file.write_text(json.dumps(content))

    assert said(file) == f'The file {file} holds no key of a service account (no known "type"). {HOW}'


@each(
    "changed",
    [
        {"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBg\n-----END PRIVATE KEY-----\n"},
        {"private_key": private_key()[:900]},
        {"private_key": private_key().replace("\n", "\\n")},
        {"private_key": ""},
        {"private_key": None},
        {"private_key": 1066},
        {"client_email": None},
        {"token_uri": None},
    ],
    ids=["short", "cut", "escaped twice", "blank", "null", "number", "no e-mail", "no token address"],
)
def test_a_damaged_key_is_refused(tmp_path, changed):
    info = {name: value for name, value in (key_info(URL) | changed).items() if value is not None}
    file = tmp_path / "key.json"
    file.write_text(json.dumps(info))

    assert said(file) == (f"The key in {file} is damaged or not complete: download it again, or make a new one. {HOW}")


@each("name", ["token_uri", "token_url", "service_account_impersonation_url"])
def test_a_key_with_an_unencrypted_token_address_is_refused(tmp_path, name):
    file = key_file(tmp_path, URL, **{name: "http://oauth2.example.org/token"})

    assert said(file) == (
        f"The credentials in {file} ask http://oauth2.example.org/token for tokens ({name}), in the open: an address"
        f" has to begin with https:// unless it is this machine's own. {HOW}"
    )


def test_a_login_without_its_secret_is_damaged(tmp_path):
    file = tmp_path / "login.json"
    file.write_text(json.dumps({"type": "authorized_user", "client_id": "x"}))

    assert "is damaged or not complete" in said(file)


def test_no_part_of_a_key_is_shown(tmp_path):
    lines = [line for line in private_key().splitlines() if "-----" not in line]
    shown = [repr(access.find(key_file(tmp_path, URL)))]
    for text in (private_key()[:900], private_key()[:-40]):
        with pytest.raises(BadCredentials) as caught:
            access.find(key_file(tmp_path, URL, private_key=text))
        shown += [str(caught.value), repr(caught.value), repr(caught.value.__cause__)]
    file = tmp_path / "cut.json"
    file.write_text(json.dumps(key_info(URL))[:-40])
    shown.append(said(file))

    assert not [line for line in lines for text in shown if line in text]


# Addresses


def test_the_id_of_a_spreadsheet_is_read_from_its_address():
    cases = [
        ID,
        f" {ID}\n",
        f"https://docs.google.com/spreadsheets/d/{ID}",
        f"https://docs.google.com/spreadsheets/d/{ID}/edit#gid=0",
        f"https://docs.google.com/spreadsheets/d/{ID}/edit?usp=sharing&gid=7#gid=7",
        f"https://docs.google.com/spreadsheets/d/{ID}?usp=sharing",
        f"https://docs.google.com/spreadsheets/d/{ID}#gid=0",
        f"https://docs.google.com/spreadsheets/u/0/d/{ID}/edit",
        f"https://docs.google.com/a/example.org/spreadsheets/d/{ID}/edit",
        f"http://docs.google.com/spreadsheets/d/{ID}/htmlview",
        f"docs.google.com/spreadsheets/d/{ID}/edit",
        f"//docs.google.com/spreadsheets/d/{ID}/edit",
        f"HTTPS://DOCS.GOOGLE.COM/spreadsheets/d/{ID}/edit",
    ]
    assert [(text, spreadsheet_id(text)) for text in cases if spreadsheet_id(text) != ID] == []


def test_text_without_a_google_address_has_no_id():
    cases = [
        "wars.xlsx",
        "./wars.xlsx",
        "wars",
        "W-0007",
        "/home/clerk/spreadsheets/d/wars.xlsx",
        "a_name_of_a_file_that_is_long.xlsx",
        "folder/a_name_of_a_file_that_is_long",
        f"https://example.org/spreadsheets/d/{ID}",
        f"https://docs.google.com.example.org/spreadsheets/d/{ID}",
        "",
    ]
    assert [(text, spreadsheet_id(text)) for text in cases if spreadsheet_id(text) is not None] == []


@each(
    ("text", "what"),
    [
        (f"https://docs.google.com/document/d/{ID}/edit", "this is a text document, not a spreadsheet"),
        (f"https://docs.google.com/presentation/d/{ID}/edit", "this is a presentation, not a spreadsheet"),
        (f"https://docs.google.com/forms/d/{ID}/edit", "this is a form, not a spreadsheet"),
        (f"https://drive.google.com/drive/folders/{ID}", "this is a Drive folder, not a spreadsheet"),
        (f"https://drive.google.com/file/d/{ID}/view", "this is a file in Drive, not a spreadsheet"),
        (
            "https://docs.google.com/spreadsheets/d/e/2PACX-1vAAAAAAAAAAAA/pubhtml",
            "this is a page published to the web, which cannot be written to",
        ),
        ("https://docs.google.com/spreadsheets/u/0/", "this address names no spreadsheet"),
        ("https://docs.google.com/spreadsheets/d/", "this address names no spreadsheet"),
        ("docs.google.com", "this address names no spreadsheet"),
    ],
)
def test_an_address_of_another_file_is_named(text, what):
    with pytest.raises(BadAddress) as caught:
        spreadsheet_id(text)
    assert str(caught.value) == (
        f"{text}: {what}. Open the spreadsheet in a browser and copy its address"
        " (https://docs.google.com/spreadsheets/d/...)."
    )
