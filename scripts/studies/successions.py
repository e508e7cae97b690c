#!/usr/bin/env python3
"""Arms against those that they replaced: where the later one loses (UNIT-16).

Each line of CHAINS is a succession of units that the same armies or fleets had one after the other, or that others beat
them with; a unit meets every earlier one of its line. Both armies are 10,000 men alike (ships: 50 of each, guns with
foot), and each attacks in half of the battles. Prints how many pairs there are of each arm, and those that the later
unit wins in less than 45 %.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BELOW = 0.45
CHAINS = {
    "foot": """
        Hoplite > Pike phalanx > Legionary (manipular) > Legionary > Late Roman foot (comitatenses) > Skutatos infantry
            > Byzantine and Genoese foot
        Greek mercenary hoplite > Thureophoros > Legionary (manipular)
        Hypaspist > Legionary (manipular)
        Mixed African, Gallic and Iberian foot > Legionary (manipular)
        Persian archer-spearman > Pike phalanx
        Auxiliary foot > Late Roman foot (comitatenses)
        Varangian guard > Byzantine and Genoese foot
        Tribal swordsmen > Frankish foot > Norman foot and archers > Crusader foot
            > Communal spear and crossbow militia > Landsknecht > Pike and shot > Line infantry (flintlock)
            > Rifle-musket infantry > Breech-loader infantry > Magazine-rifle infantry
        Viking raider > Huscarl > English foot and archers > Longbow and man-at-arms > Pike and shot
        Huscarl and fyrd > English foot and archers > Dismounted man-at-arms and foot > Landsknecht
        Schiltron pikemen > Pikeman > Pike and shot
        Swiss pike and halberd > Tercio > Line infantry (flintlock)
        Flemish goedendag and pike > Landsknecht
        Halberdier > Landsknecht
        Genoese Crossbowman > Arquebus infantry > Matchlock infantry > Line infantry (flintlock)
        Longbowman > Tercio Arquebusier > Musketeer Line > Rifled Infantry
        Arab spearmen and archers > Fatimid infantry > Ayyubid foot > Janissary and azap > Janissary arquebus and azap
            > Janissary matchlock infantry > Redif infantry
        Mujahid > Janissary and azap
        Samurai > Ashigaru spear and bow > Ashigaru arquebus and spear > Magazine-rifle infantry
        Joseon bow and spear foot > Magazine-rifle infantry
        Chinese crossbow and spear infantry > Ming firearm and spear infantry > Magazine-rifle infantry
        Indian longbow foot > Mughal matchlock and bow foot > Sepoy
        Maratha infantry > Sepoy
        Rus druzhina and militia > Streltsy > Line infantry (flintlock)
        Colonial militia > Rifle-musket infantry
        Grenadier > Rifle-musket infantry
        Breech-loader infantry > Machine-gun section
        Zulu Impi > Breech-loader infantry
        Warriors on foot > Breech-loader infantry
        Mahdist spearmen and swordsmen > Magazine-rifle infantry
        Aztec warrior > Tlaxcalan and conquistador foot
        Inca sling and club warrior > Sword-and-buckler and arquebus
        Songhai foot archers and spearmen > Arquebus infantry
    """,
    "horse": """
        Chariot > Persian horse > Companion cavalry > Horse archer and cataphract > Sasanian heavy cavalry (Savaran)
            > Seljuk horse archer > Sipahi and akinji > Sipahi > Sipahi/Mamluk cavalry > Sabre cavalry
        Thessalian horse > Companion cavalry
        Roman and allied horse > Auxiliary horse > Cataphract > Byzantine cavalry
        Gallic horse > Frankish heavy horse > Norman Knight > French knight > Gendarme > Cuirassier and harquebusier
            > Sabre cavalry > Carbine cavalry
        Gothic lancer > Frankish heavy horse
        Norman Knight > Crusader knight > Gendarme
        Norman Knight > English knight > Gendarme
        French and Hungarian knight > Gendarme
        Spanish lancer > Reiter > Cuirassier and harquebusier
        Teutonic knight > Polish and Lithuanian horse > Winged hussar
        Arab light horse > Fatimid cavalry > Mamluk and horse archer > Sipahi/Mamluk cavalry
        Mamluk > Sipahi/Mamluk cavalry
        Rus druzhina cavalry > Cossack horse
        Hunnic horse archer > Magyar horse archer > Mongol horse archer
        Hunnic horse archer > Mongol horse archer and lancer
        Dragoon > Carbine cavalry
        Hussar > Carbine cavalry
    """,
    "guns": """
        Stone-throwing catapult > Traction trebuchet > Trebuchet > Bombard > Siege gun > Heavy siege howitzer
        Ballista > Bombard
        Early field gun > Smoothbore field gun > Rifled field gun (muzzle-loader) > Rifled field gun (breech-loader)
            > Quick-firing field gun
        Falconet > 12-pdr Cannon > Rifled field gun (muzzle-loader)
        Organ gun > Gatling gun
        Howitzer > Heavy siege howitzer
        Mortar > Heavy siege howitzer
    """,
    "ships": """
        Bireme > Trireme > Heavy polyreme
        Trireme > Quinquereme
        Liburnian and trireme > Dromon > Galley > Galley and galiot > Galley and galleass
        Longship > Cog > Carrack > Galleon > Ship of the Line > Steam frigate > Steam Ironclad
            > Pre-dreadnought battleship > Dreadnought
        Caravel > Galleon
        Frigate > Steam frigate > Protected cruiser
        Monitor > Pre-dreadnought battleship
        Junk > Steam frigate
        Atakebune > Steam frigate
        Panokseon > Steam frigate
        Dhow > Steam frigate
    """,
}
"""Successions of units by arm, one a line; a line that begins with > goes on."""


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=1000, help="battles of each pair (1000)")
    parser.add_argument("--seed", type=int, default=0, help="the luck (0)")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.adapter import adapter_numbers
    from plausibility.ages import duels
    from plausibility.fights import Arena, machine

    arena = Arena(kernel=machine())
    raw, numbers = arena.library.raw("autoalgo"), adapter_numbers()
    count = below = 0
    for arm in CHAINS:
        odds = duels(arena, raw, numbers, replaced(arm), args.battles, args.seed)
        lost = sorted((share, pair) for pair, share in odds.items() if share < BELOW)
        print(f"{arm}: {len(odds)} pairs, in {len(lost)} the later one wins less than {BELOW}", flush=True)
        for share, (later, earlier) in lost:
            print(f"  {share:.2f}  {later} against {earlier}")
        count, below = count + len(odds), below + len(lost)
    print(f"all: {count} pairs, {below} below, {below / count:.1%}")
    return 0


def replaced(arm: str) -> list[tuple[str, str]]:
    """Return each unit of an arm with every one that it replaced, the later one first."""
    lines = re.sub(r"\s*\n\s*>", " >", CHAINS[arm].strip()).splitlines()
    chains = [[unit.strip() for unit in line.split(">")] for line in lines]
    return sorted({(later, earlier) for chain in chains for earlier, later in combinations(chain, 2)})


if __name__ == "__main__":
    sys.exit(main())
