"""Pictures that players are shown: who fought and won, flags, ships, many flanks, and eyes that see few colours."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from engine.battle_map import Banner, Mark, Moment, Rgb, Scene
from sheets_algo.pictures import draw
from sheets_algo.pictures.ground import tinted
from sheets_algo.pictures.lettering import draw_text
from sheets_algo.pictures.strokes import (
    HEADING,
    INK,
    PAPER,
    SIDE_COLOURS,
    SMALL,
    STATUS_COLOURS,
    SUBTITLE,
    TEXT,
    TITLE,
    shaded,
)
from tests.helpers.real_terrain import LEGEND
from tests.pictures.test_pictures import BEFORE, BLUE, COPPER, MEADOW, areas, panels, pixels, signs, where


def scene(before: tuple[Mark, ...] = BEFORE, **more: object) -> Scene:
    """A battle of three moments: one tenth falls before the decision, and a quarter in all; the defender flees."""
    decision = tuple(replace(mark, size=mark.size * 9 // 10, status="Ready") for mark in before)
    after = tuple(
        replace(mark, size=mark.size * 3 // 4, status="Ready" if mark.side == "Attacker" else "Routed")
        for mark in before
    )
    moments = (Moment("Before", 0, before), Moment("Decision", 8, decision), Moment("After", 23, after))
    names = {"attacker": Banner("Normandy", "William's Army"), "defender": Banner("England", "Harold's Host")}
    war = Scene("Hastings, 1066", "Southeast England", MEADOW, LEGEND, 0.25, moments, **names, winner="Attacker")
    return replace(war, **more)


def shows(picture: NDArray[Any], text: str, size: int) -> bool:
    """Tell whether a picture shows a text at scale 2, in dark letters of a size of scale 1."""
    sample = Image.new("RGB", (12 * size * len(text), 6 * size), PAPER)
    draw_text(ImageDraw.Draw(sample), 2, 2, text, 2 * size, INK)
    letters = np.asarray(sample).sum(axis=2)
    wanted = letters < 700
    rows, columns = np.flatnonzero(wanted.any(axis=1)), np.flatnonzero(wanted.any(axis=0))
    letters = letters[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    tones = picture.sum(axis=2)
    height, width = (whole - part + 1 for whole, part in zip(tones.shape, letters.shape, strict=True))
    fits = np.ones((height, width), np.bool_)
    for tone, places in ((tones < 400, letters < 200), (tones > 450, letters > 720)):  # not the smoothed edges
        for down, across in np.argwhere(places):
            fits &= tone[down : down + height, across : across + width]
    return bool(fits.any())


def marks(side: str, y: float, count: int, **more: object) -> tuple[Mark, ...]:
    found = (Mark(side, f"Wing {number} of {side}", 156.5 + 8 * number, y, 1000, "Idle") for number in range(count))
    return tuple(replace(mark, **more) for mark in found)


def test_the_picture_names_nations_armies_winner_and_decision() -> None:
    picture = pixels(draw(scene()))

    assert shows(picture, "Hastings, 1066", TITLE)
    assert shows(picture, "Southeast England", SUBTITLE)
    assert shows(picture, "Attacker: Normandy, William's Army", HEADING)
    assert shows(picture, "Defender: England, Harold's Host", HEADING)
    for caption in ("Before", "Decision, hour 8", "After, hour 23"):
        assert shows(picture, caption, HEADING), caption
    assert not shows(picture, "Decision, hour 9", HEADING)


def test_the_winner_is_marked_at_the_right_side() -> None:
    """The mark is a dark box, so the rows of the two sides change places."""
    nobody, attacker, defender = (
        where(pixels(draw(scene(winner=winner))), INK)[60:200].sum(axis=1) for winner in ("", "Attacker", "Defender")
    )
    rows = [set(np.flatnonzero(found - nobody > 20)) for found in (attacker, defender)]

    assert all(rows)
    assert max(rows[0]) < min(rows[1])


def test_every_label_names_its_side() -> None:
    picture = pixels(draw(scene()))

    for label in ("Left · Normandy", "Centre · England"):
        assert shows(picture, label, TEXT), label
    assert shows(picture, "1,500 of 2,000, routed", SMALL)


def test_labels_leave_the_axes_free() -> None:
    """The band of numbers above and left of the map is the same, whatever the labels are."""
    long = tuple(replace(mark, label="The Royal Bodyguard of the Palace") for mark in BEFORE)
    short, wordy = (pixels(draw(scene(before)))[180:700, 24:60] for before in (BEFORE, long))
    above = [pixels(draw(scene(before)))[150:200, 24:580] for before in (BEFORE, long)]

    assert np.array_equal(short, wordy)
    assert np.array_equal(*above)
    assert (short.sum(axis=2) < 300).any()


def test_shapes_distinguish_the_sides() -> None:
    """A square fills its box, a circle 79 % of it."""
    panel = panels(replace(scene(), moments=scene().moments[:1]), "before")

    assert box_filled(signs(panel, BLUE)) == pytest.approx(0.79, abs=0.03)
    assert box_filled(signs(panel, COPPER)) > 0.98


def box_filled(mask: NDArray[np.bool_]) -> float:
    """The share of its box that the sign at the left edge of a mask fills."""
    columns = np.flatnonzero(mask.any(axis=0))
    last = columns[np.flatnonzero(np.diff(columns, append=10_000) > 1)[0]]
    sign = mask[:, columns[0] : last + 1]
    rows = np.flatnonzero(sign.any(axis=1))
    return float(sign[rows[0] : rows[-1] + 1].mean())


HULL = shaded(BLUE, 0.8)


def test_ships_are_drawn_and_counted_on_water_but_not_on_land() -> None:
    fleet = tuple(replace(mark, ships=40) for mark in BEFORE)
    naval, land = (pixels(draw(scene(before))) for before in (fleet, BEFORE))

    assert len(areas(where(naval[240:760, 60:580], HULL))) == 3
    assert not where(land, HULL).any()
    assert shows(naval, "40 ships", SMALL)
    assert shows(naval, "40 of 40 ships", SMALL)
    assert not shows(land, "40 ships", SMALL)


def test_nat_27_a_flag_gives_its_side_another_colour() -> None:
    purple = (106, 13, 173)
    picture = pixels(draw(scene().painted({"Normandy": purple, "Byzantium": (1, 2, 3)})))

    assert len(areas(where(picture, purple), at_least=100)) >= 9
    assert not where(picture, BLUE).any()
    assert len(areas(where(picture, COPPER), at_least=100)) >= 6


def test_twelve_flanks_a_side_have_numbers_and_a_table() -> None:
    before = (*marks("Attacker", 182.5, 12), *marks("Defender", 218.5, 12))
    picture = pixels(draw(scene(before)))
    first = picture[240:760, 60:580]
    negative = np.minimum(1.5 * (255 - first[:260].astype(float)), 255)  # white letters on blue become dark ones
    table = picture[-620:, 600:]

    assert len(areas(where(first, BLUE), at_least=300)) == 12
    assert len(areas(where(first, COPPER), at_least=200)) == 12
    for number in range(12):
        assert shows(negative, str(number + 1), SMALL), number + 1
        assert shows(table, f"Wing {number} of Attacker", SMALL), number
        assert shows(table, f"Wing {number} of Defender", SMALL), number


# Eyes

EYES: Mapping[str, list[list[float]]] = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What people who lack one kind of cone see, on linear red, green and blue (Machado, Oliveira and Fernandes 2009)."""
MEANINGS = {
    "sides": SIDE_COLOURS,
    "statuses": STATUS_COLOURS,
    "ground": {feature.name: tinted(feature.rgb) for feature in LEGEND},
}


def seen(colour: Rgb, eyes: str) -> NDArray[np.float64]:
    part = np.array(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    mixed = np.clip(np.array(EYES[eyes]) @ linear, 0, 1)
    found: NDArray[np.float64] = 255 * np.where(mixed <= 0.0031308, 12.92 * mixed, 1.055 * mixed ** (1 / 2.4) - 0.055)
    return found


def test_colours_with_different_meanings_differ_for_any_colour_vision() -> None:
    alike = [
        (kind, eyes, one, other)
        for kind, eyes in product(MEANINGS, EYES)
        for (one, first), (other, second) in combinations(MEANINGS[kind].items(), 2)
        if np.linalg.norm(seen(first, eyes) - seen(second, eyes)) <= 50
    ]
    assert alike == []


# Work


def test_a_picture_takes_one_byte_a_pixel_before_compression() -> None:
    """Packing takes most of the time; the true colours of the page, three bytes a pixel, take longer than all else."""
    packed, colours = draw(scene()), io.BytesIO()
    page = Image.open(io.BytesIO(packed))

    page.convert("RGB").save(colours, "PNG")

    assert page.mode == "P"
    assert len(packed) < 0.6 * len(colours.getvalue())
