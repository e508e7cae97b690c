"""Errors of a wiki as sentences with a remedy, without the secret of the channel.

Codes: https://www.mediawiki.org/wiki/API:Errors_and_warnings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests

from sheets_algo.config.installation import missing
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotReady, NotSent, PostRefused, Unanswered
from sheets_algo.posting.secret import ChannelSecret
from sheets_algo.workbook.redact import one_line

READ_AGAIN = "Somebody made, moved or deleted the page in the same moment, so it is read again"
ASKS_AGAIN = "The wiki asks for another attempt"
LATER = {
    "ratelimited": "The wiki limits how often the account may edit, so it is written later",
    "actionthrottledtext": "The wiki limits how often the account may edit, so it is written later",
    "readonly": "The wiki cannot be edited now, so it is written later",
    "maxlag": "The wiki is busy, so it is written later",
    "editconflict": "Somebody edited the page in the same moment, so it is read again",
    "articleexists": READ_AGAIN,
    "missingtitle": READ_AGAIN,
    "badtoken": ASKS_AGAIN,
    "unknownerror": ASKS_AGAIN,
}
"""Codes of temporary errors, with the sentence for each."""
NO_PASSWORD = ("NeedToken", "WrongToken", "Throttled", "Aborted")
"""Results of a login that do not concern the password."""
REFUSALS = {
    "protected": "The page is protected: let the account edit it, or name another page",
    "cascadeprotected": "The page is protected: let the account edit it, or name another page",
    "titleblacklist": "The wiki forbids this title: name another page",
    "abusefilter": "A filter of the wiki refuses the text: ask an administrator to leave the account out of it",
    "spam": "A filter of the wiki refuses the text: ask an administrator to leave the account out of it",
    "blocked": "The account is blocked: ask an administrator of the wiki",
    "autoblocked": "The account is blocked: ask an administrator of the wiki",
    "captcha": "The wiki asks for a captcha: ask an administrator to give the account the right skipcaptcha",
    "contenttoobig": 'The page is full: archive sections, or write a page for each receipt: page = "Wars/{request}"',
    "confirmemail": "The wiki wants a confirmed e-mail address: confirm it in the account's preferences",
    "cantcreate": "The account may not make pages: tick Create, edit, and move pages in Special:BotPasswords",
    "assert": "The account is not logged in as it should be: check its right bot, or write bot = false",
    "uploaddisabled": "The wiki takes no pictures: write picture = false",
    "permissiondenied": "The account lacks a right: tick it in Special:BotPasswords, or ask an administrator",
}
"""Prefixes of error codes, with the sentence for each."""


def refused_edit(reply: Mapping[str, Any]) -> PostRefused:
    """Return the error of an edit that the wiki silently refused, by a captcha or a filter."""
    code = next((name for name in reply if name in REFUSALS), "")
    says = one_line(str(reply.get("info") or reply.get("code") or ", ".join(reply)))[:200]
    return PostRefused(f"{REFUSALS[code] if code else 'The wiki refuses the edit'} ({says}).")


def wiki_error(
    error: Exception, settings: ChannelSettings, secret: ChannelSecret
) -> NotSent | PostRefused | Unanswered:
    """Return the error of a channel for one of a library, in a sentence without the secret."""
    if isinstance(error, NotSent | PostRefused | Unanswered):
        return error
    if isinstance(error, ImportError):
        return NotReady(f"{settings.name}: {missing('What talks to wikis', 'wiki')}")
    from mwclient import errors

    if isinstance(error, errors.LoginError) and error.code in NO_PASSWORD:
        return NotSent(f"The wiki asks for another login ({one_line(str(error.code))[:50]}).")
    if isinstance(error, errors.LoginError):
        return PostRefused(f"The wiki refuses the login of {settings.user}: check user and bot password.")
    if isinstance(error, errors.APIError):
        code, says = str(error.code or ""), secret.without(one_line(str(error.info or "")))[:200]
        if code in LATER or code.startswith("internal_api_error"):
            return NotSent(f"{LATER.get(code, ASKS_AGAIN)} ({code}: {says}).")
        advice = next((advice for start, advice in REFUSALS.items() if code.startswith(start)), "The wiki refuses it")
        return PostRefused(f"{advice} ({code}: {says}).")
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return NotSent(f"The wiki answered with the status {error.response.status_code}.")
    return Unanswered(f"The answer of the wiki broke off, or was none ({type(error).__name__}).")
