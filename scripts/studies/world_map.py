#!/usr/bin/env python3
"""Measure the map of the game: CPU seconds and memory for a drawing of 4,000 x 2,000 pixels with 60 and 3,003 areas."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from engine.place_map import MapPlace
from sheets_algo.database.colours import nation_colours
from sheets_algo.pictures.areas import Pixels, areas_of
from sheets_algo.pictures.world_map import WorldScene, draw_world

WIDTH, HEIGHT, NATIONS = 4000, 2000, 24


def main() -> None:
    """Print a line for each number of areas; each is measured in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", type=int, default=[60, 3003], help="numbers of areas (default: 60 3003)")
    counts = parser.parse_args().areas
    if len(counts) == 1:
        measure(counts[0])
    else:
        for count in counts:
            subprocess.run([sys.executable, __file__, str(count)], check=True)


def measure(count: int) -> None:
    """Draw a map of so many areas, of which a tenth is occupied."""
    rows = max(1, round((count * HEIGHT / WIDTH) ** 0.5))
    columns = -(-count // rows)
    pixels = drawing(rows, columns)
    places = [
        MapPlace(f"Place {number}", *middle) for number, middle in enumerate(middles(rows, columns)) if number < count
    ]
    nations = [f"Nation {number}" for number in range(NATIONS)]
    holders = {
        place.name: (nations[number * NATIONS // count], nations[number % NATIONS] if number % 10 == 0 else "")
        for number, place in enumerate(places)
    }
    capitals = {nation: places[number * count // NATIONS].name for number, nation in enumerate(nations)}
    scene = WorldScene("A study", "1071", holders, nation_colours(dict.fromkeys(nations)), capitals)
    begin = time.process_time()
    areas = areas_of(pixels, places)
    filled = time.process_time()
    png = draw_world(pixels, areas, scene)
    end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(areas.names):,} areas, {len(areas.faults)} faults: filled in {filled - begin:.1f} CPU-s, drawn in"
        f" {end - filled:.1f} CPU-s, {memory:,.0f} MB at most, {len(png) / 1e6:.1f} MB of PNG"
    )


def middles(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return a pixel in each area, row by row."""
    return [
        ((2 * column + 1) * WIDTH // (2 * columns), (2 * row + 1) * HEIGHT // (2 * rows))
        for row in range(rows)
        for column in range(columns)
    ]


def drawing(rows: int, columns: int) -> Pixels:
    """Return a grid of areas whose borders, two pixels wide, wind a little."""
    wave = (8 * np.sin(np.arange(max(WIDTH, HEIGHT)) / 17)).astype(np.int64)
    pixels = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for column in range(columns + 1):
        x = np.clip(column * WIDTH // columns + wave[:HEIGHT] // 2, 0, WIDTH - 2)
        pixels[np.arange(HEIGHT), x] = pixels[np.arange(HEIGHT), x + 1] = 40
    for row in range(rows + 1):
        y = np.clip(row * HEIGHT // rows + wave[:WIDTH] // 2, 0, HEIGHT - 2)
        pixels[y, np.arange(WIDTH)] = pixels[y + 1, np.arange(WIDTH)] = 40
    return pixels


if __name__ == "__main__":
    main()
