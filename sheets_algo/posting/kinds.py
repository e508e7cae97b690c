"""The kinds of channels that come with the program; their modules are imported when a channel is opened."""

from __future__ import annotations

from sheets_algo.config.post_settings import ChannelKind

SECRET = ("secret_env", "secret_file")
NATIONS = ("nation_page", "nation_template", "nation_stability", "nation_war")

APPRISE = ChannelKind(opens="sheets_algo.posting.apprise_channel:AppriseChannel", optional=SECRET)
COMMAND = ChannelKind(opens="sheets_algo.posting.command:CommandChannel", needed=("command",), optional=("map",))
DISCORD = ChannelKind(
    opens="sheets_algo.posting.discord_bot:open_discord",
    optional=(*SECRET, "channel", "thread", "threads", "tags", "standing", "replay", "map"),
)
MEDIAWIKI = ChannelKind(
    opens="sheets_algo.posting.mediawiki:WikiChannel",
    needed=("address", "user", "page"),
    optional=(*SECRET, "bot", "picture", "map", *NATIONS),
)
