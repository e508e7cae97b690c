"""Link previews: title, sentence and picture of a page, as the tags that chats read (Open Graph)."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sheets_algo.pages.site_page import shortened_name

MOST = 300
"""Maximum number of characters of title and text; chats show fewer."""


def picture_address(site: str, page: str, picture: str) -> str:
    """Return the address of a picture of a site.

    Args:
        site: The address of the site; blank if unknown, for the path from the page.
    """
    return f"{site}/{picture}" if site else f"{'../' * page.count('/')}{picture}"


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a page."""

    title: str
    text: str  # A sentence, or a few
    picture: str = ""  # The address of its picture; blank for none. Most chats want all of it, not only the path.

    def tags(self) -> Markup:
        """Return the tags for the head of the page."""
        title, text = (shortened_name(text, MOST) for text in (self.title, self.text))
        card = "summary_large_image" if self.picture else ""
        named = [
            ("name", "description", text),
            ("property", "og:title", title),
            ("property", "og:description", text),
            ("property", "og:image", self.picture),
            ("name", "twitter:card", card),
        ]
        return Markup("\n").join(Markup('<meta {}="{}" content="{}">').format(*tag) for tag in named if tag[2])
