"""The colours of the two sides on pictures and pages, distinct for any colour vision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.battle_map import Rgb, Scene
from sheets_algo.pictures.strokes import SIDE_COLOURS, banner_of

APART_LEAST = 50
"""Minimum distance of two distinct colours, in red, green and blue."""
EYES = np.array(
    [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ]
)
"""Colour perception with all cones, and without one kind, on linear colours (Machado, Oliveira and Fernandes 2009)."""


def side_colours(scene: Scene) -> dict[str, Rgb]:
    """Return the colour of each side: that of its flag, unless both sides would look alike (MAP-07)."""
    colours = {side: banner_of(scene, side).colour or colour for side, colour in SIDE_COLOURS.items()}
    return colours if are_told_apart(*colours.values()) else SIDE_COLOURS


def coloured(scene: Scene) -> Scene:
    """Return a battle with the colours of its sides for drawing."""
    colours = side_colours(scene)
    attacker, defender = (replace(banner_of(scene, side), colour=colour) for side, colour in colours.items())
    return replace(scene, attacker=attacker, defender=defender)


def are_told_apart(one: Rgb, other: Rgb) -> bool:
    """Return True if two colours are distinct for any colour vision."""
    part = np.array([one, other]) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    perceived = np.clip(np.einsum("eij,cj->eci", EYES, linear), 0, 1)
    encoded = 255 * np.where(perceived <= 0.0031308, 12.92 * perceived, 1.055 * perceived ** (1 / 2.4) - 0.055)
    return bool(np.all(np.linalg.norm(encoded[:, 0] - encoded[:, 1], axis=1) >= APART_LEAST))
