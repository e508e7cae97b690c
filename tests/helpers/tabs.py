"""Keys of tabs by their names, for tests that read and write them."""

from __future__ import annotations

from sheets_algo.workbook.tab_key import TabKey

key = TabKey.named


def keys(*names: str) -> list[TabKey]:
    return [*map(key, names)]
