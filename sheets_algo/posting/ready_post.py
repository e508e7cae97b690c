"""The final post of a row of the tab Posts: by the channel's template, or a standing."""

from __future__ import annotations

from contextlib import suppress

from sheets_algo.config.maps import BadMap
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Post
from sheets_algo.posting.content import PostExtras, post_of
from sheets_algo.posting.open_channels import with_text
from sheets_algo.posting.standing_post import standing_post
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.runtime.session.world import open_world, world_rows
from sheets_algo.steps.posts.post_row import PostEntry, read_posts


def ready_post(
    session: Session, workbook: OpenWorkbook, entry: PostEntry, settings: ChannelSettings, *, is_whole: bool = True
) -> Post:
    """Return the post of a row.

    Args:
        is_whole: False to leave out picture and replay page.

    Raises:
        BadSetting: The template of the channel is invalid.
        PostRefused: Its contents are missing in the workbook, or the template fails on it.
    """
    if entry.is_standing:
        return standing_post(workbook, read_posts(workbook.snapshot, after=workbook.receipts.forked), settings)
    world = None
    with suppress(BadMap):
        world = open_world(session, world_rows(workbook)) if is_whole and settings.map else None
    extras = PostExtras(is_whole, is_whole and settings.replay, settings.site, world)
    return with_text(post_of(workbook, entry, extras), settings)
