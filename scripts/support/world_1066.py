"""The blank map of the example of 1066: Europe and the Near East from about 12° W to 52° E, drawn from rough coasts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float64]
Noise = Callable[[int, Field, Field], Field]

WIDTH, HEIGHT = 1600, 1200
WEST, NORTH, DEGREE = -12.0, 62.3, 35.0
"""Longitude of the left edge, latitude of the upper one, and pixels of a degree of latitude."""
ACROSS = WIDTH / 64
"""Pixels of a degree of longitude."""
BEND = 6.0
"""Pixels by which noise bends coasts and borders."""
REACH = 240
"""Pixels from its middle within which a province lies."""
SEA, LAND, LINE = (205, 222, 232), (255, 255, 255), (70, 72, 78)

COASTS = (
    # Continents, from Brittany round the north and the Near East to Africa, and back along the Mediterranean
    "-4.7 48.4 -1.6 48.6 -1.9 49.7 .2 49.6 1.6 50.8 3.5 51.4 4.7 52.9 6.9 53.4 8.7 53.9 8.2 55.5 8.5 57 10.6 "
    "57.7 10.3 56.5 10.9 54.4 12.5 54.4 14.2 53.9 18.5 54.7 19.8 54.4 21.1 55.5 21.2 57 22.6 57.7 24 57 24.4 "
    "58.3 23.5 59.2 28 59.6 30 60 27 60.5 22.9 59.9 21.4 61 21.5 63 53 63 53 28.5 50.8 28.5 50 30 48.5 30.2 48 "
    "29.3 49.5 26 33.9 26 33.6 28 32.6 29.9 32.9 27.8 34.5 26 -13 26 -12.5 28 -10 29 -9.8 31.5 -6.5 34 -5.3 "
    "35.8 -2 35.1 0 36 5 36.8 9.8 37.3 11 37 11 35.6 10.2 34.2 11.5 33.2 15.3 32.2 18 30.4 20 30.6 20.1 32.2 "
    "23 32.6 25 31.6 29.5 30.9 31 31.5 32.3 31.2 34.2 31.3 35 32.8 35.9 34.6 36 36.3 34.5 36.7 32.5 36.1 30.6 "
    "36.8 29.2 36.3 27.3 36.8 26.4 38.4 26.2 39.4 27 40.4 26.2 40.3 26 40.8 24 40.7 23.9 40.1 23 40.4 22.7 "
    "39.5 24 38 23.2 37.5 22.7 36.5 21.4 37.1 21 38.8 19.4 41 18.5 42.5 15.5 44 13.7 45.3 12.3 45.3 12.5 44.2 "
    "13.6 43.5 14.2 42.4 16 41.8 18.5 40.2 17 40.5 16.6 39.7 17.1 39 16 38 15.7 39.9 14.4 40.7 12.4 41.7 10.5 "
    "42.9 9 44.3 7.5 43.8 5 43.3 3.1 43 3.2 42 .7 40.7 -.2 38.8 -.7 37.7 -2.1 36.8 -5.4 36.1 -6.4 36.9 -8.9 37 "
    "-9.4 38.8 -8.8 42 -9.2 43.1 -1.8 43.4 -1.2 44.6 -1.2 46 -2.6 47.3 -4.7 48",
    # Scandinavia
    "4.6 63 5 61 5.3 59.3 7 58 8.5 58.4 10.6 59.3 11.3 58.8 12.5 56.3 12.9 55.4 14.3 55.5 16.4 56.6 16.8 58.6 "
    "18.9 59.9 17.2 61 17.5 63",
    # Great Britain
    "-5.7 50.1 -3.5 50.3 -1.9 50.6 .2 50.8 1.4 51.2 .7 51.5 1.7 52.6 .3 52.9 .1 53.5 -.2 54.4 -1.6 55.5 -2.2 "
    "56 -3.2 56 -2.6 56.3 -2 57.5 -4 57.6 -3.1 58.6 -5 58.6 -5.8 57.4 -6.2 56.7 -5.6 55.4 -4.8 55.6 -5 54.8 "
    "-3.4 54.9 -3.5 54.2 -2.9 53.5 -4.5 53.3 -4.2 52.8 -5.2 51.8 -3 51.4 -4.3 51",
    "-6 52.2 -6.1 53.4 -5.6 54.5 -7.3 55.3 -8.6 54.3 -10 54.2 -9.3 53.2 -10.3 52 -8.6 51.7",  # Ireland
    "11.1 55.3 11.3 55.8 12.4 56 12.3 55 11.4 54.9",  # Zealand
    "12.5 37.9 13.5 38.1 15.5 38.2 15.1 36.7 14 37.1",  # Sicily
    "8.3 39 8.3 41 9.7 41 9.6 39.2",  # Sardinia
    "8.6 42 9.4 43 9.4 41.6",  # Corsica
    "23.6 35.6 26.2 35.3 24.8 34.9",  # Crete
    "32.3 35 34.4 35.6 33.3 34.6",  # Cyprus
)
"""Longitude and latitude of the corners of each coast."""
LAKES = (
    "28.2 41.6 28 43.5 29.7 45.2 31.5 46.6 33.5 46 32.6 45.3 34 44.4 36.5 45.3 35 46.2 38.6 47 37.5 44.7 39.5 "
    "43.6 41.6 42 39.5 41.1 36 41.7 34 42 31.4 41.3 29.2 41.2",  # the Black Sea
    "49 46 47.5 45 47.5 43 49.5 40.5 49 38 52 36.8 54 37 54 46 51 46.8",  # the Caspian Sea
)
PROVINCES = (
    ".3 51.5 -1.3 54 -3 51 -1.8 52.6 -3.8 52.4 -3.4 55.6 -4.3 57.3 -7 53 -8 54.2 -8.6 52.3 6 60.7 8.2 59 9.5 "
    "61.5 12.3 60 14 57.5 16 59.2 13.8 55.9 14.5 62 11.8 55.5 9.3 56.3 .3 48.9 -2.9 48.2 -.5 46.8 2.4 48.7 3 "
    "50.6 4.7 49.3 2 47 0 44.6 2.7 45 1.7 43.5 4.5 47 4.8 44.5 6.6 46.5 6.8 49 5.5 52.2 8.5 50.5 9.3 52.7 9.5 "
    "48.4 12 50.3 12.3 53.2 11.7 48.3 14 47 14.5 50 17 51.3 17.7 53.2 20.5 52.3 20.5 50.2 18 47.2 20.6 47.4 24 "
    "46.7 16.3 45.3 18.5 44.2 -8 42.5 -5 42.5 -2 42.6 -8 39.5 -4.2 40 -.5 41.3 1.8 41.8 -5.5 37.7 -3 37.5 -1.2 "
    "38.8 7.8 45 10 45.3 11.9 45.9 11.3 43.7 13 42.9 12.6 42.1 14.5 41.2 16.5 41 16.4 39 13.3 37.6 14.9 37.6 9 "
    "40 9 42.2 21 44 25 44.4 24.8 42.5 22 42 27 42.3 20.3 41 22.5 40.7 25.4 41.3 28.4 41.2 21.8 39.3 22.2 37.3 "
    "23.6 38.4 24.9 35.2 29.5 40.2 28 38.3 31.5 39.7 30.5 37.4 33 40.8 34 38.6 33 37 36.3 40.2 36.5 38 39.5 "
    "40.6 39.5 38.4 43 39.1 42 41.5 33.2 35 36.6 36.3 36.5 34.6 38.7 36 36.4 33.2 35.2 31.7 34.8 30.3 38 32 "
    "40.5 34.3 43.2 36.2 44.3 33.2 46.5 31.2 45 41.3 48.5 40.8 46.8 38 50.5 36 49 34 51.5 32 31 30.8 30.7 29 "
    "27 30.5 23.5 31 18.5 29.5 13 31.8 10 35.8 9.5 32.5 6 35.9 2 35.5 3.5 32.5 -1 34.3 -4 34.3 -7.5 32 -5 31 0 "
    "31 24.5 56.8 24 54.3 26 58.5 28.5 56.3 31 59 28.5 53.5 26 50.5 30.5 50.5 33.5 52.8 34 56 38 57.5 39.5 "
    "54.5 37 50.5 33 48 28.3 47.2 41 48 44 45.3 46 49.5 50 49 45 54 49.5 56.5 44 59.5 36 61 26 62 50.5 61 34.2 "
    "45.3 40 45.3 41 30 45 29.5"
)
"""Longitude and latitude of the middle of each province."""


def world_1066(noise: Noise) -> NDArray[np.uint8]:
    """Return the map, shape (height, width, 3); `noise` is smooth, about -1 to 1, and the same on every machine."""
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    bent_x, bent_y = x + _winding(noise, 1, x, y), y + _winding(noise, 2, x, y)
    land = np.zeros(x.shape, np.bool_)
    for coast in COASTS:
        land |= _inside(coast, bent_x, bent_y)
    for lake in LAKES:
        land &= ~_inside(lake, bent_x, bent_y)
    province = np.where(land, _nearest(bent_x, bent_y), -1)
    line = np.zeros(land.shape, np.bool_)
    line[:, 1:] |= province[:, 1:] != province[:, :-1]
    line[1:] |= province[1:] != province[:-1]
    line[:, :-1] |= line[:, 1:]
    pixels = np.where(land[..., None], np.uint8(LAND), np.uint8(SEA))
    pixels[line] = LINE
    return pixels


def _winding(noise: Noise, seed: int, x: Field, y: Field) -> Field:
    shift: Field = BEND * (noise(seed, x / 34, y / 34) + 0.5 * noise(seed + 10, x / 15, y / 15))
    return shift


def _pixels(text: str) -> Field:
    degrees = np.array(text.split(), np.float64).reshape(-1, 2)
    return np.stack([(degrees[:, 0] - WEST) * ACROSS, (NORTH - degrees[:, 1]) * DEGREE], axis=1)


def _inside(coast: str, x: Field, y: Field) -> NDArray[np.bool_]:
    """Return which pixels are inside a polygon: a ray to the east crosses its sides an odd number of times."""
    corners = _pixels(coast)
    inside = np.zeros(x.shape, np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        first, last = (int(np.clip(edge, 0, HEIGHT)) for edge in (min(y0, y1) - 3 * BEND, max(y0, y1) + 3 * BEND + 1))
        band = y[first:last]
        inside[first:last] ^= ((band < y0) != (band < y1)) & (
            x[first:last] < x0 + (band - y0) * ((x1 - x0) / (y1 - y0))
        )
    return inside


def _nearest(x: Field, y: Field) -> NDArray[np.int64]:
    """Return the province of each pixel, that of the nearest middle, of those within `REACH`."""
    least, province = np.full(x.shape, np.inf), np.zeros(x.shape, np.int64)
    for number, (middle_x, middle_y) in enumerate(_pixels(PROVINCES)):
        near = (
            slice(max(0, int(middle_y) - REACH), max(0, int(middle_y) + REACH)),
            slice(max(0, int(middle_x) - REACH), max(0, int(middle_x) + REACH)),
        )
        far = (x[near] - middle_x) * (x[near] - middle_x) + (y[near] - middle_y) * (y[near] - middle_y)
        province[near][far < least[near]] = number
        least[near] = np.minimum(least[near], far)
    return province
