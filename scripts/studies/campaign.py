#!/usr/bin/env python3
"""Campaigns of eight nations: 25 years and 30 wars in a new workbook, typed as a moderator types them.

Each luck has its own wars and its own secret. Printed are, for each luck, the hosts at the end, Stability, dead leaders
and typed cells, and which bars it meets. `--peace` lets a hundred years pass without a war.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIRST = 1600
AGES = ("Pike and shot", "Ottoman Empire 1600", "Muscovy and the Cossacks")
NATIONS: Mapping[str, tuple[int, int, int, float]] = {
    "Arvania": (2_600_000, 18_000, 1500, 110),
    "Belmark": (1_900_000, 15_000, 1460, 100),
    "Corvia": (1_500_000, 12_000, 1540, 95),
    "Dornland": (1_400_000, 11_000, 1480, 105),
    "Esteria": (1_200_000, 10_000, 1420, 100),
    "Falkmar": (1_000_000, 9_000, 1560, 90),
    "Galdor": (900_000, 8_000, 1510, 100),
    "Hestria": (700_000, 6_000, 1570, 105),
}
"""Population, army, Year Founded and Stability of each nation."""
PLACES = ("Capital of {}", "North {}", "South {}", "March of {}")
SMALLEST = 500
"""Men of the smallest army that goes to war."""


@dataclass
class Campaign:
    """One campaign in a workbook in memory."""

    luck: int
    context: Any
    book: Any
    has_years: bool
    typed: Counter[str] = field(default_factory=Counter)  # Cells by what they are for
    victories: Counter[str] = field(default_factory=Counter)
    defeats: Counter[str] = field(default_factory=Counter)
    shares: dict[str, list[float]] = field(default_factory=lambda: {"winner": [], "loser": []})  # Men lost of a war
    points: dict[str, list[float]] = field(default_factory=lambda: {"winner": [], "loser": []})  # Stability of a war
    course: dict[str, list[float]] = field(default_factory=dict)  # Stability of each nation at the end of each year
    beaten: dict[str, list[int]] = field(default_factory=dict)  # Years of the defeats of each nation
    heirs: int = 0
    stuck: list[str] = field(default_factory=list)

    def rows(self, tab: str) -> list[dict[str, Any]]:
        """Return the rows of a tab by header, each with its number."""
        head, *rows = self.book.rows(tab)
        named = (dict(zip(head, (*row, *[None] * len(head)), strict=False)) for row in rows)
        return [row | {"#": number} for number, row in enumerate(named, start=2)]

    def row(self, tab: str, name: str, header: str = "Name") -> dict[str, Any]:
        """Return the row of a name."""
        return next(row for row in self.rows(tab) if row[header] == name)

    def type_row(self, tab: str, purpose: str, cells: Mapping[str, Any]) -> None:
        """Type a row below the others."""
        number = max((row["#"] for row in self.rows(tab) if any(v for k, v in row.items() if k != "#")), default=1) + 1
        for header, value in cells.items():
            self.type_cell(tab, purpose, number, header, value)

    def type_cell(self, tab: str, purpose: str, number: int, header: str, value: Any) -> None:
        """Type a cell, and count it."""
        self.book.type_in(tab, number, list(self.book.rows(tab)[0]).index(header) + 1, value)
        self.typed[purpose] += 1

    def run(self) -> Any:
        """Run passes until nothing is left to write; return the rulings."""
        from scripts.support.workbooks import NOW, read
        from sheets_algo.ruling.passes.planner import plan_pass

        rulings = []
        for _ in range(9):
            snapshot = read(self.book)
            plan = plan_pass(snapshot, self.context, NOW)
            rulings += plan.rulings
            for answer in plan.findings.answers:
                if answer.cells.status in ("Invalid", "Failed"):
                    self.stuck.append(f"{answer.cells.request}: {answer.cells.message}{answer.failure}")
            if not plan.writes.changes:
                break
            self.book.commit(snapshot, plan.writes.changes)
            if not plan.owes.is_partial:
                break
        return rulings

    def war(self, number: int, year: int, draw: random.Random) -> None:
        """Type a war and rule it."""
        hosts = {row["Nation"]: row for row in self.rows("Militaries") if (row["Size"] or 0) >= SMALLEST}
        able = [name for name in NATIONS if name in hosts]
        if len(able) < 2:
            return
        attacker, defender = draw.sample(able, 2)
        if self.has_years:
            self.name_heirs(year, draw, (attacker, defender))
        place = PLACES[draw.choices(range(4), (1, 2, 2, 2))[0]].format(defender)
        before = {name: self.row("Nations", name)["Stability"] for name in (attacker, defender)}
        men = {name: hosts[name]["Size"] for name in (attacker, defender)}
        cells = {"War": f"War {number}", "Year": year, "Attacker": attacker, "Defender": defender}
        cells |= {"Attacker Military": hosts[attacker]["Name"], "Defender Military": hosts[defender]["Name"]}
        self.type_row("War Requests", "wars", cells | {"Location": place, "Motive": "Conquest", "Ready": True})
        for ruling in self.run():
            sides = {"Attacker": attacker, "Defender": defender}
            winner = sides[ruling.receipt.winner]
            loser = defender if winner == attacker else attacker
            self.victories[winner] += 1
            self.defeats[loser] += 1
            self.beaten.setdefault(loser, []).append(year)
            lost = ruling.form.ruleset.men_lost(ruling.outcome.figures)
            for side, name in (("winner", winner), ("loser", loser)):
                self.shares[side].append(lost[list(sides.values()).index(name)] / men[name])
                self.points[side].append(self.row("Nations", name)["Stability"] - before[name])
        if not self.has_years:
            self.name_heirs(year, draw, ())

    def name_heirs(self, year: int, draw: random.Random, nations: Sequence[str]) -> None:
        """Ask for an heir of each dead leader of some nations, all if none is named, and name him where he led."""
        dead = [row for row in self.rows("Leaders") if row["Status"] and row["Name"]]
        for leader in [row for row in dead if not nations or row["Nation"] in nations]:
            led = [
                (tab, row)
                for tab in ("Nations", "Militaries")
                for row in self.rows(tab)
                if row["Leader"] == leader["Name"]
            ]
            if not led:
                continue
            self.heirs += 1
            name = f"Heir {self.heirs} of {leader['Nation']}"
            cells = {"Leader": name, "Nation": leader["Nation"], "Year": year, "Age": draw.randint(20, 45)}
            trait = draw.choice(("Attack", "Defense", "Authority", "Martial"))
            self.type_row("Leader Requests", "heirs", cells | {"Strongest Trait": trait, "Ready": True})
            self.run()
            for tab, row in led:
                self.type_cell(tab, "heirs", row["#"], "Leader", name)

    def end_year(self, year: int) -> None:
        """Tick a year, and note the standings."""
        if self.has_years:
            row = next((row for row in self.rows("Years") if row["Year"] == year), None)
            if row is None:
                self.type_row("Years", "years", {"Year": year, "Ready": True})
            else:
                self.type_cell("Years", "years", row["#"], "Ready", True)
            self.run()
        for row in self.rows("Nations"):
            if row["Name"] in NATIONS:
                self.course.setdefault(row["Name"], []).append(row["Stability"])

    @property
    def killed(self) -> int:
        """Return the leaders who were killed in battle."""
        return sum(str(row["Status"] or "").startswith("killed") for row in self.rows("Leaders"))

    @property
    def died(self) -> int:
        """Return those who died otherwise."""
        return sum(str(row["Status"] or "").startswith("died") for row in self.rows("Leaders"))

    def hosts(self) -> dict[str, int]:
        """Return the men of each nation."""
        sizes = Counter[str]()
        for row in self.rows("Militaries"):
            sizes[row["Nation"]] += row["Size"] or 0
        return {name: sizes[name] for name in NATIONS}

    def verdicts(self) -> list[Any]:
        """Recompute all rulings; return the verdicts that are not equal."""
        from scripts.support.workbooks import SECRET, read
        from sheets_algo.replays.replay import verify
        from sheets_algo.ruling.promises.promises import Promises
        from sheets_algo.ruling.receipts.receipt_tab import read_receipts

        receipts = read_receipts(read(self.book))
        forms = {form.key: form for form in self.context.forms}
        known = receipts.options, Promises(receipts)
        verdicts = (verify(ruling, forms[ruling.ruleset], "", SECRET, *known) for ruling in receipts.rulings)
        return [verdict for verdict in verdicts if not verdict.is_equal]


def begin(luck: int, has_years: bool, context: Any) -> Campaign:
    """Return a campaign whose nations are typed in a new workbook."""
    from scripts.support.workbooks import workbook

    tabs: dict[str, list[dict[str, Any]]] = {"War Requests": [], "Leader Requests": [], "Flanks": [], "Units": []}
    tabs |= {"Nations": [], "Militaries": [], "Locations": [], "Leaders": []}
    tabs |= {"Years": []} if has_years else {}
    draw = random.Random(luck)
    for number, (name, (people, men, founded, stability)) in enumerate(NATIONS.items()):
        king, general = f"King of {name}", f"General of {name}"
        cells = {"Name": name, "Population": people, "Year Founded": founded, "Year Crisis": FIRST - 25 - 7 * number}
        cells |= {"Stability": stability, "Leader": king, "Capital": PLACES[0].format(name), "GDP": 20 * people}
        tabs["Nations"].append(cells | {"Age": AGES[number % len(AGES)], "Arable Land": people})
        army = {"Nation": name, "Name": f"Army of {name}", "Size": men, "Leader": general, "Budget": men * 40}
        tabs["Militaries"].append(army)
        for place in PLACES:
            land = {"Name": place.format(name), "Local Population": people // 8, "Climate": "Temperate"}
            tabs["Locations"].append(land)
        for leader in (king, general):
            skills = {skill: draw.randint(2, 8) for skill in ("Attack", "Defense", "Authority", "Cunning", "Martial")}
            born = FIRST - draw.randint(25, 55)
            tabs["Leaders"].append({"Name": leader, "Nation": name, "Birth Year": born, **skills})
    book = workbook(tabs, inputs="")
    return Campaign(luck, context, book, has_years)


def play(luck: int, years: int, wars: int, has_years: bool, context: Any) -> Campaign:
    """Play one campaign."""
    campaign, draw = begin(luck, has_years, context), random.Random(luck * 1_000 + 1)
    dates = sorted(draw.randrange(years) for _ in range(wars))
    for year in range(years):
        for number, date in enumerate(dates, start=1):
            if date == year:
                campaign.war(number, FIRST + year, draw)
        campaign.end_year(FIRST + year)
    return campaign


def bars(campaign: Campaign) -> dict[str, bool]:
    """Return which bars a campaign meets."""
    hosts, course = campaign.hosts(), campaign.course
    ranked = sorted(NATIONS, key=lambda name: -course[name][-1])
    best = max(NATIONS, key=lambda name: campaign.victories[name])
    worst = max(NATIONS, key=lambda name: campaign.defeats[name])
    most = max(campaign.victories.values(), default=0)
    grown = [name for name, men in hosts.items() if men > 3 * NATIONS[name][1]]
    total = sum(men for _, men, _, _ in NATIONS.values())
    return {
        "low": not any(_is_low(campaign, name) for name in NATIONS),
        "hosts": 0.5 <= sum(hosts.values()) / total <= 1.5,
        "best": ranked.index(best) < len(NATIONS) // 2,
        "worst": ranked.index(worst) >= len(NATIONS) // 2,
        "grown": all(campaign.victories[name] * 2 >= most for name in grown),
        "stuck": not campaign.stuck,
    }


def _is_low(campaign: Campaign, name: str) -> bool:
    """Return True if a nation was below 15 for more than ten years in which it lost fewer than three wars."""
    below = 0
    for year, stability in enumerate(campaign.course[name]):
        below = below + 1 if stability < 15 else 0
        since = FIRST + year - below + 1
        if below > 10 and sum(since - 10 <= lost <= FIRST + year for lost in campaign.beaten.get(name, ())) < 3:
            return True
    return False


def context_of(luck: int) -> Any:
    """Return the context of the passes of a luck, with the shipped tables."""
    from scripts.support.workbooks import SECRET
    from sheets_algo.config.loader import ConfigLoader
    from sheets_algo.forms.rulesets import open_forms
    from sheets_algo.ruling.plan import PassContext
    from sheets_algo.steps import STEPS

    forms = tuple(form for form in open_forms(ConfigLoader()) if form.ruleset_key == "autoalgo")
    return PassContext(forms=forms, fingerprints={"autoalgo": ""}, secret=SECRET, steps=STEPS)


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lucks", type=int, default=40, help="campaigns (40)")
    parser.add_argument("--first", type=int, default=1, help="the first luck (1)")
    parser.add_argument("--years", type=int, default=25, help="years of a campaign (25)")
    parser.add_argument("--wars", type=int, default=30, help="wars of a campaign (30)")
    parser.add_argument("--without", action="store_true", help="play without the tab Years")
    parser.add_argument("--peace", action="store_true", help="a hundred years without a war")
    parser.add_argument("--verify", action="store_true", help="recompute all rulings")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    context = context_of(args.first)
    years, wars = (100, 0) if args.peace else (args.years, args.wars)
    print("| Luck | Hosts | Stability (least, mean) | Below 5 | Men lost | Points | Deaths | Typed | Misses |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|---|", flush=True)
    met: list[Mapping[str, bool]] = []
    for luck in range(args.first, args.first + args.lucks):
        campaign = play(luck, years, wars, not args.without, context)
        met.append(bars(campaign))
        print(line(campaign, met[-1]), flush=True)
        for text in campaign.stuck[:3]:
            print(f"  stuck: {text}")
        for verdict in campaign.verdicts() if args.verify else ():
            print(f"  not equal: {verdict.receipt.request}: {verdict.reasons[:3]}")
    print("; ".join(f"{name} {sum(each[name] for each in met)} of {len(met)}" for name in met[0]))
    return 0


def line(campaign: Campaign, met: Mapping[str, bool]) -> str:
    """Return the row of a campaign."""
    last = [course[-1] for course in campaign.course.values()]
    lost, points = (
        ", ".join(f"{_mean(values):{form}}" for values in pairs.values())
        for pairs, form in ((campaign.shares, ".0%"), (campaign.points, ".1f"))
    )
    typed = ", ".join(f"{purpose} {count}" for purpose, count in campaign.typed.items())
    missed = ", ".join(name for name, is_met in met.items() if not is_met)
    cells = (
        campaign.luck,
        f"{sum(campaign.hosts().values()):,}",
        f"{min(last):.0f}, {mean(last):.0f}",
        sum(stability <= 5 for stability in last),
        lost,
        points,
        f"{campaign.killed} of {sum(campaign.victories.values())} wars, {campaign.died} in bed",
        typed,
        missed,
    )
    return f"| {' | '.join(map(str, cells))} |"


def _mean(values: Sequence[float]) -> float:
    return mean(values) if values else 0.0


if __name__ == "__main__":
    sys.exit(main())
