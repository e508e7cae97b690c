"""An XML part as bytes: finding tags and attributes and changing them, without changing any other byte.

A parser would lose quotes, prefixes, spaces and the order of attributes, so tags are found in the bytes themselves.
Comments, CDATA sections and processing instructions are masked in a view of the same length, in which only tags start
with `<`; offsets are the same in both. Parts are in UTF-8; others are converted first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from io import BytesIO
from operator import itemgetter
from typing import NamedTuple

from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.text import attribute, plain

_REST = rb"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>"""
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*+"|'[^']*+')""")
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*+:)?([A-Za-z_][\w.-]*+)(?=[\s/>])" + _REST)
_ANY = re.compile(rb"<(/?)([^\s/>]++)" + _REST)
_NOT_TAG = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_ENCODING = re.compile(rb"""^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_BOM = b"\xef\xbb\xbf"


class Unscannable(ValueError):
    """A part that cannot be edited as bytes; the message gives the reason."""


class Tag(NamedTuple):
    """A start tag."""

    start: int  # Offset of its `<` in the part as read
    end: int  # Offset after its `>` in the part as read
    text: bytes  # Bytes of the tag, possibly changed

    @property
    def is_empty(self) -> bool:
        """True if the tag closes itself."""
        return self.text.endswith(b"/>")

    def get(self, name: bytes) -> str | None:
        """Return the value of an attribute, None if it is absent."""
        for match in _ATTRIBUTE.finditer(self.text):
            if match[1] == name:
                return plain(match[2][1:-1])
        return None

    def attributes(self) -> dict[str, str]:
        """Return names, prefixes included, and values of all attributes."""
        return {match[1].decode("utf-8", "replace"): plain(match[2][1:-1]) for match in _ATTRIBUTE.finditer(self.text)}

    def with_attribute(self, name: bytes, value: str) -> Tag:
        """Return the tag with an attribute set, in its old place and quotes if it exists, else at the end."""
        for match in _ATTRIBUTE.finditer(self.text):
            if match[1] == name:
                quote = match[2][:1]
                quoted = quote + attribute(value).replace(b"'", b"&apos;") + quote
                return self._with_text(self.text[: match.start(2)] + quoted + self.text[match.end(2) :])
        body, end = (self.text[:-2], b"/>") if self.is_empty else (self.text[:-1], b">")
        return self._with_text(body.rstrip() + b" " + name + b'="' + attribute(value) + b'"' + end)

    def without(self, *names: bytes) -> Tag:
        """Return the tag without some attributes."""
        return self._with_text(_ATTRIBUTE.sub(lambda match: b"" if match[1] in names else match[0], self.text))

    def _with_text(self, text: bytes) -> Tag:
        return Tag(self.start, self.end, text)

    def start_tag(self) -> Tag:
        """Return the tag as one that does not close itself."""
        return self._with_text(self.text[:-2].rstrip() + b">") if self.is_empty else self

    def empty_tag(self) -> Tag:
        """Return the tag as one that closes itself."""
        return self if self.is_empty else self._with_text(self.text[:-1].rstrip() + b"/>")


class Markup:
    """An XML part for editing.

    Raises:
        Unscannable: The encoding is unknown, the part is not well-formed, or its elements have different prefixes for
            one namespace.
    """

    def __init__(self, content: bytes) -> None:
        data = as_utf8(content)
        try:
            # The patterns used for scanning can take forever on input that is not well-formed.
            prefixes = xml.root_prefixes(data)
        except xml.Refused as refused:
            raise Unscannable(str(refused)) from refused
        self.data = data
        self.view = masked(data)
        root = _ROOT.search(self.view)
        if root is None:
            raise Unscannable("it holds no XML element")
        self.prefix: bytes = root[1] or b""
        self.root = self._tag_at(root.start(), root.end())
        self.root_name = root[2].decode()
        if len(prefixes) > 1:
            self._refuse_if_mixed(prefixes)

    def _refuse_if_mixed(self, prefixes: Collection[str]) -> None:
        """Refuse elements, extensions aside, of several of the prefixes of the root's namespace."""
        view = without_extensions(self.view, self.name(b"extLst"))
        used = {tag[2].rpartition(b":")[0].decode() or "(none)" for tag in _ANY.finditer(view)}
        if len(used.intersection(prefixes)) > 1:
            raise Unscannable(f"it spells one namespace with two prefixes, {' and '.join(sorted(prefixes))}")

    def name(self, local: bytes) -> bytes:
        """Return an element's name with the prefix of the root."""
        return self.prefix + local

    def tags(self, local: bytes, start: int = 0, end: int | None = None) -> Iterator[Tag]:
        """Yield the start tags of a name between two offsets, in order; the root's prefix is put before the name."""
        end = len(self.view) if end is None else end
        for match in opening(self.name(local)).finditer(self.view, start, end):
            yield self._tag_at(match.start(), match.end())

    def first(self, local: bytes, start: int = 0, end: int | None = None) -> Tag | None:
        """Return the first tag that `tags` yields, None if there is none."""
        return next(self.tags(local, start, end), None)

    def children(self, start: int) -> Iterator[tuple[bytes, Tag]]:
        """Yield local name and start tag of each element from an offset to the end of the enclosing element."""
        depth = 0
        for match in _ANY.finditer(self.view, start):
            if match[1]:
                depth -= 1
                if depth < 0:
                    return
                continue
            tag = self._tag_at(match.start(), match.end())
            if depth == 0:
                yield match[2].rpartition(b":")[2], tag
            depth += not tag.is_empty

    def close(self, local: bytes, start: int) -> tuple[int, int]:
        """Return start and end of the next end tag of that name.

        Raises:
            Unscannable: There is no such end tag.
        """
        name, pattern = b"</" + self.name(local), closing(self.name(local))
        offset = self.view.find(name, start)
        while offset >= 0:
            if match := pattern.match(self.view, offset):
                return offset, match.end()
            offset = self.view.find(name, offset + 1)
        raise Unscannable(f"its element {local.decode()} is not closed")

    def after(self, tag: Tag, local: bytes) -> int:
        """Return the offset after the whole element that a tag opens."""
        return tag.end if tag.is_empty else self.close(local, tag.end)[1]

    def after_last(self, *locals: bytes) -> int:
        """Return the offset after the last of some elements, of each of which the first counts."""
        return max(self.after(tag, local) for local in locals if (tag := self.first(local)))

    def content(self, tag: Tag, local: bytes) -> str:
        """Return the text of an element without children."""
        return "" if tag.is_empty else plain(self.data[tag.end : self.close(local, tag.end)[0]])

    def _tag_at(self, start: int, end: int) -> Tag:
        return Tag(start, end, self.data[start:end])

    def prefix_of(self, *namespaces: bytes) -> bytes | None:
        """Return the prefix, with colon, that the root declares for one of some namespaces, None if there is none."""
        for match in _ATTRIBUTE.finditer(self.root.text):
            if match[1].startswith(b"xmlns:") and match[2][1:-1] in namespaces:
                return match[1][6:] + b":"
        return None


class MarkupEdits:
    """Changes to a part's bytes, noted in any order and applied together; no two may overlap."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, int, bytes]] = []

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def replace(self, start: int, end: int, new: bytes) -> None:
        """Note the replacement of the bytes from `start` to `end` by `new`."""
        self._pieces.append((start, end, new))

    def insert(self, at: int, new: bytes) -> None:
        """Note the insertion of `new` before the byte at `at`; insertions at one place stay in their order."""
        self._pieces.append((at, at, new))

    def apply(self, data: bytes) -> bytes:
        """Return the part with all changes."""
        file = BytesIO()  # joined pieces would be held beside the whole
        at = 0
        for start, end, new in sorted(self._pieces, key=itemgetter(0, 1)):
            file.write(memoryview(data)[at:start])
            file.write(new)
            at = end
        file.write(memoryview(data)[at:])
        return file.getvalue()


@lru_cache(maxsize=256)
def opening(name: bytes) -> re.Pattern[bytes]:
    """Return a pattern that matches a whole start tag of that name, whatever its attribute values contain."""
    return re.compile(b"<" + re.escape(name) + rb"(?=[\s/>])" + _REST)


def opening_or_closing(name: bytes) -> re.Pattern[bytes]:
    """Return a pattern that matches start tags and end tags of that name; the group 1 of an end tag is a slash."""
    return re.compile(b"<(/?)" + re.escape(name) + rb"(?=[\s/>])" + _REST)


@lru_cache(maxsize=256)
def any_tag(name: bytes) -> re.Pattern[bytes]:
    """Return a pattern of the beginning of an element of that name."""
    return re.compile(rb"<%b(?=[\s/>])" % re.escape(name))


@lru_cache(maxsize=256)
def closing(name: bytes) -> re.Pattern[bytes]:
    """Return a pattern that matches an end tag of that name."""
    return re.compile(b"</" + re.escape(name) + rb"\s*>")


def as_utf8(content: bytes) -> bytes:
    """Return the part in UTF-8; one that is in UTF-8 is returned unchanged, byte order mark included.

    Raises:
        Unscannable: The encoding is unknown, or the bytes are not in the stated encoding.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif content.startswith((b"<\0", b"\0<")):
        encoding = "utf-16-le" if content[0] else "utf-16-be"
    else:
        stated = _ENCODING.match(content.removeprefix(_BOM)[:256])
        encoding = stated[1].decode().lower() if stated else "utf-8"
        if encoding in ("utf-8", "utf8", "us-ascii", "ascii"):
            return content
    try:
        text = content.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise Unscannable(f"its encoding {encoding} cannot be read") from error
    return re.sub(r"""(<\?xml[^>]*?\sencoding\s*=\s*)(["'])[^"']*\2""", r"\1\2UTF-8\2", text, count=1).encode()


def masked(data: bytes) -> bytes:
    """Return the part with all overwritten that starts with `<` and is not a tag; CDATA with text becomes `x`."""
    start = data.find(b"?>", 0, 512) + 2 if data.removeprefix(_BOM).startswith(b"<?xml") else 0
    if data.find(b"<!", start) < 0 and data.find(b"<?", start) < 0:
        return data
    return _NOT_TAG.sub(_mask, data)


def _mask(match: re.Match[bytes]) -> bytes:
    has_text = match[0].startswith(b"<![CDATA[") and len(match[0]) > 12
    return (b"x" if has_text else b" ") * len(match[0])


def without_extensions(view: bytes, name: bytes) -> bytes:
    """Return the view with the content of every `extLst` blanked: its rows and cells are not those of the sheet."""
    if b"<" + name not in view:
        return view
    pieces, at, depth = list[bytes](), 0, 0
    for match in opening_or_closing(name).finditer(view):
        if match[1]:
            depth -= 1
            if depth == 0:
                pieces.append(b" " * (match.start() - at))
                at = match.start()
        elif not match[0].endswith(b"/>"):
            if depth == 0:
                pieces.append(view[at : match.end()])
                at = match.end()
            depth += 1
    return b"".join([*pieces, view[at:]])
