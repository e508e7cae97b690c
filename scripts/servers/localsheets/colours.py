"""Colours as Google stores them: 8-bit steps, each with its style twin, zeros left out."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from typing import Any

THEME: Mapping[str, tuple[int, int, int]] = {
    "TEXT": (0, 0, 0),
    "BACKGROUND": (255, 255, 255),
    "ACCENT1": (66, 133, 244),
    "ACCENT2": (234, 67, 53),
    "ACCENT3": (251, 188, 4),
    "ACCENT4": (52, 168, 83),
    "ACCENT5": (255, 109, 1),
    "ACCENT6": (70, 189, 198),
    "LINK": (17, 85, 204),
}
"""The theme of a new spreadsheet."""

PARTS = ("red", "green", "blue")


def colour(steps: tuple[int, int, int]) -> dict[str, float]:
    """Return a Color from 8-bit steps."""
    return {part: _single(step) for part, step in zip(PARTS, steps, strict=True) if step}


def normal(record: Any) -> Any:
    """Return a record with every colour in it as Google would return it."""
    if isinstance(record, list):
        return [normal(item) for item in record]
    if not isinstance(record, Mapping):
        return record
    found: dict[str, Any] = {}
    for name, item in record.items():
        if name.endswith("olorStyle") or name == "colorStyle":
            if style := _style(item):  # an empty style removes the colour
                found[name] = style
                found[name.removesuffix("Style")] = _plain(style)
        elif name.endswith("olor"):
            if f"{name}Style" not in record:
                found[name] = _quantised(item)
                found[f"{name}Style"] = {"rgbColor": found[name]}
        else:
            found[name] = normal(item)
    return found


def _style(item: Mapping[str, Any]) -> dict[str, Any]:
    if "themeColor" in item:
        return {"themeColor": item["themeColor"]}
    return {"rgbColor": _quantised(item["rgbColor"])} if "rgbColor" in item else {}


def _plain(style: Mapping[str, Any]) -> dict[str, float]:
    return colour(THEME[style["themeColor"]]) if "themeColor" in style else style["rgbColor"]


def _quantised(item: Mapping[str, float]) -> dict[str, float]:
    """Return a colour with each part rounded down to a step of 255, allowing for its rounding error."""
    red, green, blue = (min(255, max(0, int(item.get(part, 0) * 255 + 1e-4))) for part in PARTS)
    return colour((red, green, blue))


@cache
def _single(step: int) -> float:
    """Return step / 255 with the fewest digits that single precision needs."""
    exact = struct.pack("f", step / 255)
    (single,) = struct.unpack("f", exact)
    texts = (f"{single:.{digits}g}" for digits in range(1, 10))
    return min(1, float(next(text for text in texts if struct.pack("f", float(text)) == exact)))
