"""Templates: what they may say, what is told of a broken one, and that they reach nothing else."""

from __future__ import annotations

import re
import resource
import subprocess

import pytest
from localdiscord.server import LocalDiscord

from scripts.support.posting import post
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import PostRefused
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.open_channels import open_channels, with_text
from sheets_algo.workbook.errors import BadSetting


def channel(folder, text: str, **more: object) -> ChannelSettings:
    (folder / "post.j2").write_text(text, "utf-8")
    return ChannelSettings(name="a", to="command", template=folder / "post.j2", **more)  # type: ignore[arg-type]


def test_a_template_gets_the_data_of_a_post_and_escaping_filters(tmp_path):
    text = (
        "{{ war|markdown }} ({{ number }}): {{ lines['Item 1'] }}\n{% if kind == 'Undo' %}no{% endif %}{{ war|wiki }}"
    )

    made = with_text(post("[[@x]] *b*"), channel(tmp_path, text))

    assert made.text == "\\[\\[@\u200bx\\]\\] \\*b\\* (8): 1\n&#91;&#91;@x&#93;&#93; *b*"


def test_a_file_beside_the_workbook_is_not_imported_as_a_module(tmp_path, monkeypatch):
    """A `json.py` there ended the process, and the template was said to take too much memory."""
    (tmp_path / "json.py").write_text("raise SystemExit(1)", "utf-8")
    monkeypatch.chdir(tmp_path)

    assert with_text(post(), channel(tmp_path, "{{ number }}")).text == "8"


def test_an_undo_has_a_struck_through_text_for_its_ruling_too(tmp_path):
    settings = channel(tmp_path, "**{{ title|markdown }}**\n\n{{ kind }}")
    made = with_text(post(kind="Undo", undoes=post()), settings)
    with LocalDiscord() as discord:
        (tmp_path / "webhook.txt").write_text(discord.webhook, "utf-8")
        discord_channel = DiscordChannel(ChannelSettings(name="d", to="discord", secret_file=tmp_path / "webhook.txt"))
        discord_channel.correct(made, discord_channel.send(made.undoes))
        (message,) = discord.messages
    assert message.data["embeds"][0]["description"].splitlines()[1:] == ["~~**Hastings, 1066**~~", "", "~~Ruling~~"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\n{% if %}", "post.j2, line 2: Expected an expression, got 'end of statement block'."),
        ("a\n\n{{ war", "post.j2, line 3: unexpected end of template, expected 'end of print statement'."),
    ],
)
def test_a_broken_template_is_reported_with_line_and_reason_before_any_post(tmp_path, text, says):
    with pytest.raises(BadSetting) as raised:
        open_channels([channel(tmp_path, text, command=("true",))])
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\n{{ wor }}", "post.j2, line 2: 'wor' is undefined."),
        ("{{ war / 2 }}", "post.j2, line 1: unsupported operand type"),
        (
            "a\n\n{{ ''.__class__.__mro__ }}",
            "post.j2, line 3: access to attribute '__class__' of 'str' object is unsafe.",
        ),
        ("{% include 'x' %}", "post.j2, line 1: no loader for this environment specified."),
        ("{% for i in range(90000) %}xxxx{% endfor %}", "makes a text of more than 100,000 characters."),
        ("a\n{{ 'x' * 10 ** 10 }}", "post.j2, line 2: ** is not allowed."),
        ("{{ 'x' * 9999999999 }}", "post.j2, line 1: * is for numbers alone."),
        ("a\n{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "post.j2, line 2: maximum recursion depth exceeded"),
        ("{% if false %}x{% endif %}", "the template makes an empty text."),
    ],
)
def test_a_failing_template_refuses_its_post_and_has_no_access_to_python(tmp_path, text, says):
    with pytest.raises(PostRefused) as raised:
        with_text(post(), channel(tmp_path, text))
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{{ 'x'|center(9999999999) }}", "post.j2, line 1: the template takes too much memory."),
        (
            "a\n{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
            "too much me",
        ),
        ("{{ range(99999)|list|string|list|sort|join|replace('1', range(99999)|list|string) }}", "too much memory"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "more memory or time than"),
        (f"{{{{ {'(' * 3000}1{')' * 3000} }}}}", "maximum recursion depth exceeded"),
    ],
)
def test_a_template_that_takes_all_memory_or_time_is_refused_alone(tmp_path, text, says):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(PostRefused, match=re.escape(says)):
        with_text(post(), channel(tmp_path, text))

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kB


def test_a_template_has_no_secrets_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("WAR_ROOM", "a-secret")
    seen = []
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *words, **how: (seen.append(how["env"]), run(*words, **how))[1])

    assert with_text(post(), channel(tmp_path, "{{ war }}")).text == "Hastings, 1066"
    assert [name for name in seen[0] if name not in ("PATH", "PYTHONPATH", "SYSTEMROOT")] == []


@pytest.mark.parametrize(
    ("name", "markdown", "wiki"),
    [
        ("* x", "\\* x", "&#42; x"),
        ("1. FC", "1\\. FC", "1. FC"),
        ("+ more", "\\+ more", "+ more"),
        ("1.5 km", "1.5 km", "1.5 km"),
        ("#REDIRECT [[A]]", "\\#REDIRECT \\[\\[A\\]\\]", "&#35;REDIRECT &#91;&#91;A&#93;&#93;"),
        (": in", "\\: in", "&#58; in"),
        ("; term", "; term", "&#59; term"),
        ("== A ==", "== A ==", "&#61;= A =="),
        ("----", "\\-\\-\\-\\-", "&#45;---"),
        ("mailto:a@b.c", "mailto\\:a@\u200bb.c", "mailto&#58;a@b.c"),
        ("News:x tel:1", "News\\:x tel\\:1", "News&#58;x tel&#58;1"),
        ("hotel:x", "hotel\\:x", "hotel:x"),
    ],
)
def test_a_name_at_the_beginning_of_a_line_makes_no_list_heading_or_link(tmp_path, name, markdown, wiki):
    made = with_text(post(name), channel(tmp_path, "{{ war|markdown }}\n{{ war|wiki }}"))
    assert made.text.splitlines() == [markdown, wiki]
