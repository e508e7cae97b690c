"""A moderator with a pocket calculator: the numbers of a receipt from `explain --json` alone (VAR-05).

Nothing of the program is imported. Every number is pressed again from its keys; where a key enters a number that was
computed before, both must agree; men and morale of every flank are booked from the first hour on, and the book says who
fights, retreats or is routed. What does not agree is a `Mismatch`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SIDES = ("Attacker", "Defender")
READY, RETREATING, OUT = "ready", "retreating", "out"
BREAKING = ("starts to rout", "fully routed")
TYPES = ("infantry", "cavalry", "artillery", "ship")
BOUND = re.compile("begins at$|draw|^a round that|^hours after which")
"""Numbers on one side of which the result stays the same."""
VARIABLES = ("Limitation", "Effectiveness", "Efficiency")


class Mismatch(Exception):
    """Two numbers that should agree and do not, or one that is missing."""


def agree(found: float, expected: float, what: str) -> float:
    """Return a number that agrees with another one up to rounding errors."""
    if not math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9):
        raise Mismatch(f"{what}: {found!r} is not {expected!r}")
    return found


def insist(holds: bool, what: str) -> None:
    if not holds:
        raise Mismatch(what)


def press(keys: Sequence[Mapping[str, Any]]) -> float:
    """Press keys from left to right; keys in brackets are pressed first."""
    shown = 0.0
    for key in keys:
        entered = press(key["keys"]) if "keys" in key else key.get("value", math.nan)
        match key["key"]:
            case "":
                shown = entered
            case "+":
                shown += entered
            case "−":
                shown -= entered
            case "×":
                shown *= entered
            case "÷":
                shown /= entered
            case "at most":
                shown = min(shown, entered)
            case "at least":
                shown = max(shown, entered)
            case "√":
                shown = math.sqrt(shown)
            case "log":
                shown = math.log10(shown)
            case "rounded up":
                shown = float(math.ceil(shown - 1e-9))
            case "rounded down":
                shown = float(math.floor(shown + 1e-9))
            case "without its fraction":
                shown = float(math.trunc(shown + math.copysign(1e-9, shown)))
            case "to one decimal":
                shown = round(shown, 1)
            case unknown:
                raise Mismatch(f"no such key: {unknown}")
    return shown


def entered(keys: Sequence[Mapping[str, Any]], what: str) -> float | None:
    """Return the number that is entered under a name, also in brackets; None if there is none."""
    for key in keys:
        if "keys" in key:
            found = press(key["keys"]) if key.get("what") == what else entered(key["keys"], what)
            if found is not None:
                return found
        elif key.get("what") == what:
            return float(key["value"])
    return None


@dataclass
class Sums:
    """The calculations of an event, pressed one by one."""

    event: Mapping[str, Any]
    rest: list[Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.rest = list(self.event["calculations"])

    def next(self, name: str, **linked: float) -> float:
        """Return the next calculation's result; `linked` are numbers that it must enter, by name."""
        insist(bool(self.rest), f"{self.event['text']}: {name} is missing")
        sum_ = self.rest.pop(0)
        insist(sum_["name"] == name, f"{self.event['text']}: {sum_['name']} in place of {name}")
        self.keys = sum_["keys"]
        for what, number in linked.items():
            found = entered(self.keys, what.replace("_", " "))
            insist(found is not None, f"{name}: {what} is missing")
            assert found is not None
            agree(found, number, f"{self.event['text']}, {name}: {what}")
        value = float(sum_["value"])
        return agree(press(self.keys), value, f"{self.event['text']}, {name}") if self.keys else value

    def peek(self) -> str:
        return str(self.rest[0]["name"]) if self.rest else ""

    def done(self) -> None:
        insist(not self.rest, f"{self.event['text']}: {[sum_['name'] for sum_ in self.rest]} is too much")


@dataclass
class Flank:
    side: int
    men: int
    start: float
    morale: float
    status: str = READY


@dataclass
class Side:
    name: str = ""
    capacity: float = 0.0
    people: float = 0.0
    men: int = 0
    killed: int = 0
    died: int = 0
    captured: int = 0
    wounded: int = 0
    missing: int = 0
    in_flight: int = 0
    sunk: int = 0

    @property
    def left(self) -> int:
        return self.men - self.killed - self.died - self.captured - self.wounded - self.missing

    @property
    def losses(self) -> str:
        wounded = f"wounded {self.wounded:,}, " if self.wounded else ""
        missing = f", missing {self.missing:,}" if self.missing else ""
        return f"killed {self.killed:,}, {wounded}died {self.died:,}, captured {self.captured:,}{missing}"


FROM_THE_TOP = ("sally", "siege lifted", "siege relieved")
"""Events of a siege that the greatest draws decide."""


class PocketCalculator:
    """A receipt computed from what `explain --json` prints."""

    def __init__(self, explained: Mapping[str, Any]) -> None:
        self.variables = {found["name"]: variable(found) for found in explained["variables"]}
        self.events = [event for event in explained["timeline"] if event["kind"] != "setting"]
        self.sides = (Side(), Side())
        self.flanks: list[Flank] = []
        self.shares: dict[tuple[int, str], float] = {}
        self.averages: dict[int, float] = {}  # Defense of the flanks of several types
        self.decided = 0
        self.siege = (0, 1.0)
        self.fallen: list[float] = []  # shares of both sides who fall in the last fight of a siege
        self.is_lifted = False
        self.lines: dict[str, dict[str, str]] = {side: {} for side in (*SIDES, "Result")}

    def receipt(self) -> dict[str, dict[str, str]]:
        """Return the numbers of the receipt by side, and of its result."""
        places = [place for place, event in enumerate(self.events) if event["kind"] == "battle ends"]
        insist(len(places) == 1, "the battle does not end once")
        self.opening(self.events[: places[0]])
        hours = [event for event in self.events[: places[0]] if event["hour"] and event["kind"] != "fortune"]
        for hour in dict.fromkeys(event["hour"] for event in hours):
            self.hour(hour, [event for event in hours if event["hour"] == hour])
        self.ending(self.events[places[0]])
        after = self.events[places[0] + 1 :]
        for event in after:
            if event["kind"] == "flank at the end":
                self.flank_at_the_end(event)
        for event in after:
            if event["kind"] == "casualties":
                self.casualties(event)
        self.leaders([event for event in after if event["kind"].startswith("leader ")])
        result = self.occupation([event for event in after if event["rule"].startswith("OCC")])
        stability = [event for event in after if event["kind"] == "stability"]
        insist(len(stability) == 2, "two nations have Stability")
        for side, event in enumerate(stability):
            self.stability(side, event, result)
        for name, side in zip(SIDES, self.sides, strict=True):
            self.lines[name] |= {"Losses": f"{side.losses}, ships sunk {side.sunk:,}"}
        return self.lines

    def of_side(self, side: int, name: str) -> float:
        """Return a variable of a side."""
        found = self.variables.get(f"{SIDES[side]}: {name}")
        insist(found is not None, f"no variable {name}")
        assert found is not None
        return found

    def opening(self, events: Sequence[Mapping[str, Any]]) -> None:
        sums = Sums(events[0])
        self.retreats = sums.next("share of its morale at the start below which a flank retreats")
        self.routed = sums.next("share below which it is routed")
        for number, side in enumerate(self.sides):
            side.name = sums.peek().removeprefix("people who feed ")
            side.people = sums.next(f"people who feed {side.name}")
            side.capacity = sums.next(f"Capacity of {side.name}", Capacity=self.of_side(number, "Capacity"))
        of = [flank["side"] for flank in self.events if flank["kind"] == "flank at the end"]
        self.names = []
        for side_name in of:
            number = SIDES.index(side_name)
            self.names.append(sums.peek().removeprefix("morale of "))
            morale = sums.next(sums.peek(), Morale_Bonus=self.of_side(number, "Morale Bonus"))
            men = entered(sums.keys, "men")
            self.a_man = entered(sums.keys, "a man")
            assert men is not None
            self.flanks.append(Flank(number, round(men), morale, morale, READY if men else OUT))
            if sums.peek() == f"Speed of {self.names[-1]}":
                for variable in ("Speed", "Shock", "Defense"):
                    self.averages[len(self.names) - 1] = sums.next(f"{variable} of {self.names[-1]}")
            if sums.peek() == f"ground of {self.names[-1]}":
                sums.next(sums.peek())
            self.sides[number].men += round(men)
        sums.done()
        self.begin = [side.capacity for side in self.sides]

    def hour(self, hour: int, events: Sequence[Mapping[str, Any]]) -> None:
        """Book the events of an hour."""
        self.now = hour
        self.told = [(event["flanks"][0], event["kind"]) for event in events if event["kind"] in BREAKING]
        self.broken: list[tuple[int, str]] = []
        self.hungry: dict[int, int] = {}
        for event in events:
            match event["kind"]:
                case "siege begins":
                    self.besiege(event, hour)
                case "side's supply cut off":
                    side = SIDES.index(event["side"])
                    self.begin[side] *= Sums(event).next("share of its Capacity left")
                case "attack":
                    self.attack(event, events)
                case "panic":
                    self.panic(event)
                case "natural attrition":
                    self.attrition(event)
                case "disease outbreak":
                    self.outbreak(event)
                case "fully routed" if event["rule"] == "MOVE-07":
                    flank = event["flanks"][0]
                    self.flanks[flank].status = OUT
                    self.broken.append((flank, "fully routed"))
                case "starved out" | "terms" | "taken with the works":
                    self.capture(event)
                case "siege lifted" | "siege relieved" | "storm" | "sally" | "relief":
                    self.day_of_siege(event)
                case "killed in the siege" | "killed in the sally" | "killed by the relief":
                    self.fall_in_siege(event)
                case "killed of the relief":
                    agree(float(event["amount"]), Sums(event).next("killed", share=self.fallen[1]), event["text"])
                case "ships lost":
                    self.sides[SIDES.index(event["side"])].sunk += round(event["amount"])
                case "wiped out by attrition":
                    insist(self.flanks[event["flanks"][0]].men == 0, "men are left of who is wiped out")
        for number in range(len(self.flanks)):
            self.check(number)
        insist(sorted(self.told) == sorted(self.broken), f"hour {hour}: {self.told} is not {self.broken}")
        decides = any(event["kind"] == "battle decided" for event in events)
        fighting = [any(flank.side == side and flank.status == READY for flank in self.flanks) for side in (0, 1)]
        if not self.decided and not all(fighting):
            self.decided = hour
            insist(decides, f"hour {hour} decides the battle")

    def check(self, number: int) -> None:
        """Let a flank retreat or rout by its morale."""
        flank = self.flanks[number]
        if flank.status == OUT:
            return
        if flank.morale < self.routed * flank.start or flank.morale <= 0:
            flank.status = OUT
            self.broken.append((number, "fully routed"))
        elif flank.morale < self.retreats * flank.start and flank.status == READY:
            flank.status = RETREATING
            self.broken.append((number, "starts to rout"))

    def attack(self, event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> None:
        """Book an attack: the blow of each type, the fallen, the hearts lost, the target's morale."""
        number, aim = event["flanks"]
        own, target = self.flanks[number], self.flanks[aim]
        insist(own.status == READY and target.status != OUT, f"{event['text']}: who is out neither attacks nor falls")
        sums = Sums(event)
        fortunes = self.changing(
            fortune_of_the_side=self.variables.get(f"Fortune of the day, {self.sides[own.side].name}", 1.0),
            fortune_of_the_flank=self.variables.get(f"Fortune of the day, {self.names[number]}", 1.0),
        )
        panic = self.changing(panic=self.variables.get(f"Panic before {self.sides[own.side].name}", 1.0))
        defenses = re.compile(f"{SIDES[target.side]}: Defense, ")
        guards = [0.0, *(value for name, value in self.variables.items() if defenses.match(name))]
        if aim in self.averages:  # at sea the ships' is more
            guards = [self.averages[aim], self.variables[f"{SIDES[target.side]}: Defense, ship"]]
        blows: dict[str, float] = {}
        outflanks = sums.peek() == "getting round"
        gets_round = sums.next("getting round") if outflanks else 1.0
        while sums.peek() not in ("fall", ""):
            kind = sums.peek()
            linked = {name: self.of_side(own.side, f"{name}, {kind}") for name in VARIABLES}
            blows[kind] = sums.next(kind, **linked, **fortunes)
            insist(entered(sums.keys, "Defense") in guards, f"{event['text']}: Defense of nobody")
            insist(entered(sums.keys, "die") is not None, f"{event['text']}: no die")
            agree(entered(sums.keys, "getting round") or 1.0, gets_round, f"{event['text']}: getting round")
            insist((entered(sums.keys, "getting round") is not None) == outflanks, f"{event['text']}: R-88")
            if kind != "ship":
                men = entered(sums.keys, "men")
                assert men is not None
                share = (entered(sums.keys, "share of the flank") or 1.0) * men / own.men
                agree(share, self.shares.setdefault((number, kind), share), f"{event['text']}: men")
        fall = round(sums.next("fall", **blows))
        struck = [kind for kind in TYPES if entered(sums.keys, kind) is not None]
        insist(struck == list(blows), f"{event['text']}: {struck} fall by {list(blows)}")
        is_spared = entered(sums.keys, "spared by Mercy") is not None
        insist(is_spared == (target.status == RETREATING), f"{event['text']}: Mercy is for who retreats")
        hearts = sums.next("lose heart", **blows, **panic)
        side = self.sides[target.side]
        if fall < target.men:
            sums.next(f"morale of {self.names[aim]}", before=target.morale, fall=fall, lose_heart=hearts)
            agree(float(event["amount"]), fall, event["text"])
            target.men -= fall
            side.killed += fall
            side.in_flight += fall if target.status == RETREATING else 0
            target.morale = max(0.0, target.morale - (fall + hearts) * self.a_man)
            self.check(aim)
        else:
            sums.next(f"no more than the men of {self.names[aim]}")
            place = next(place for place, other in enumerate(events) if other is event)
            end = events[place + 1]
            if end["kind"] == "ships sunk":
                side.killed += target.men
                side.sunk += round(end["amount"])
            else:
                insist(end["kind"] == "captured", f"{event['text']}: and then?")
                agree(float(end["amount"]), target.men, end["text"])
                side.captured += target.men
            target.men, target.morale, target.status = 0, 0.0, OUT
        sums.done()

    def panic(self, event: Mapping[str, Any]) -> None:
        """Book what a flank loses that sees another of its side break."""
        number, broken = event["flanks"]
        sums = Sums(event)
        points = sums.next(f"morale taken beyond that of {self.names[broken]}")
        insist(points > 0 and self.flanks[number].status == READY, f"{event['text']}: nobody loses heart")
        self.flanks[number].morale = max(0.0, self.flanks[number].morale - points)
        self.check(number)
        sums.done()

    @staticmethod
    def changing(**factors: float) -> dict[str, float]:
        """Return the factors that a formula names: one that changes nothing is left out."""
        return {name: factor for name, factor in factors.items() if factor != 1.0}

    def attrition(self, event: Mapping[str, Any]) -> None:
        """Book the dead of hunger and hardship of a flank."""
        number = event["flanks"][0]
        flank = self.flanks[number]
        side = self.sides[flank.side]
        men = self.hungry.setdefault(flank.side, side.left)
        sums = Sums(event)
        if sums.peek() == "overcrowding":
            capacity = self.capacity(flank.side)
            load = sums.next("overcrowding", men_of_the_side=men, Capacity=capacity, people_who_feed_it=side.people)
        else:
            sums.next("want")
            load = sums.next("overcrowding of a camp")
            insist(load > 1, f"{event['text']}: nobody is hungry")
        dead = round(sums.next("dead", overcrowding=load, men=flank.men))
        agree(float(event["amount"]), dead, event["text"])
        self.waste(number, dead, sums)
        sums.done()

    def besiege(self, event: Mapping[str, Any], hour: int) -> None:
        """Press what a siege is about, or book the Capacity that it leaves."""
        sums, garrison = Sums(event), self.sides[1]
        if sums.peek() == "share of its Capacity left each hour":
            self.siege = (hour, sums.next(sums.peek()))
            return
        men = sum(flank.men for flank in self.flanks if flank.side == 1 and flank.status != OUT)
        capacity = self.begin[1]
        sums.next("days of food in the works", people_who_feed_it=garrison.people, Capacity=capacity, men=men)
        besiegers = sum(flank.men for flank in self.flanks if flank.side == 0 and flank.status != OUT)
        sums.next("share of the garrison whom nothing that comes in feeds", garrison=men, besiegers=besiegers)
        people, capacity = self.sides[0].people, self.begin[0]
        told = {"people_who_feed_them": people, "Capacity": capacity}
        sums.next("share of the besiegers whom the country does not feed", men=besiegers, **told)
        while sums.rest:
            sums.next(sums.peek())

    def capture(self, event: Mapping[str, Any]) -> None:
        """Book a flank that lays down its arms, for hunger or on terms, or is taken with its works."""
        number = event["flanks"][0]
        flank = self.flanks[number]
        side = self.sides[flank.side]
        captives = flank.men
        if event["kind"] != "taken with the works":
            captives = round(self.day_of_siege(event)["captured"])
        agree(float(event["amount"]), captives, event["text"])
        side.captured += captives
        flank.men, flank.morale, flank.status = flank.men - captives, 0.0, OUT

    def day_of_siege(self, event: Mapping[str, Any]) -> dict[str, float]:
        """Press the chances of a day of a siege, and insist that the draw decided so."""
        sums, found = Sums(event), {}
        while sums.rest:
            name = sums.peek()
            found[name] = sums.next(name)
        chance, mind = found["chance in a day"], found["the draw of the day"]
        is_due = mind >= 1 - chance if event["kind"] in FROM_THE_TOP else mind < chance
        insist(is_due or event["kind"] == "relief", f"{event['text']}: the draw decides otherwise")
        self.fallen = [found[name] for name in found if name.endswith(" who fall")]
        is_driven_off = event["kind"] == "sally" and found["the draw of the fight"] >= found["chance of the besiegers"]
        self.is_lifted = is_driven_off or event["kind"] in ("siege lifted", "siege relieved")
        return found

    def fall_in_siege(self, event: Mapping[str, Any]) -> None:
        """Book the men of a flank who fall in a storm, a sally or a fight against a relief."""
        sums, flank = Sums(event), self.flanks[event["flanks"][0]]
        killed = round(sums.next("killed", men=flank.men, share=self.fallen[flank.side]))
        agree(float(event["amount"]), killed, event["text"])
        self.waste(event["flanks"][0], killed, sums)
        self.sides[flank.side].died -= killed
        self.sides[flank.side].killed += killed
        sums.done()

    def capacity(self, side: int) -> float:
        """Return what is left of a side's Capacity."""
        begun, factor = self.siege
        return self.begin[side] * (factor ** (self.now - begun + 1) if side == 1 and begun else 1.0)

    def outbreak(self, event: Mapping[str, Any]) -> None:
        """Book the dead of a disease."""
        side = SIDES.index(event["side"])
        exposed = sum(flank.men for flank in self.flanks if flank.side == side and flank.status != OUT)
        sums = Sums(event)
        most = self.of_side(side, "Maximum military")
        resistance = self.of_side(side, "Resistance to disease")
        chance = sums.next("chance of an outbreak", men=exposed, maximum_military=max(most, 1.0), resistance=resistance)
        insist(sums.next("the draw below it") < chance, f"{event['text']}: it did not break out")
        share = sums.next("share of the men who die")
        total = 0
        while sums.rest:
            number = self.names.index(sums.peek().removeprefix("dead of "))
            dead = round(sums.next(sums.peek(), men=self.flanks[number].men, share=share))
            total += dead
            self.waste(number, dead, sums)
        agree(float(event["amount"]), total, event["text"])

    def waste(self, number: int, dead: int, sums: Sums) -> None:
        flank = self.flanks[number]
        cost = sums.next(f"morale lost by {self.names[number]}", dead=dead, a_man=self.a_man)
        flank.men -= dead
        flank.morale = max(0.0, flank.morale - cost)
        self.sides[flank.side].died += dead
        if not flank.men:
            flank.morale, flank.status = 0.0, OUT

    def ending(self, event: Mapping[str, Any]) -> None:
        """Find the winner by the book, and tell how long the battle took."""
        hours, sums = event["hour"], Sums(event)
        self.hours = hours
        day = round(sums.next("hours a day"))
        most = sums.next("hours after which an attack is abandoned")
        stand = [any(flank.side == side and flank.status != OUT for flank in self.flanks) for side in (0, 1)]
        is_abandoned = all(stand)
        if is_abandoned:
            insist(hours == most or self.is_lifted, "the battle ends while both stand")
            self.winner = 1
        else:
            self.winner = self.steadier() if not any(stand) else stand.index(True)
        insist(event["side"] == SIDES[self.winner], "the winner is another")
        blows = [event["hour"] for event in self.events if event["kind"] == "attack"]
        decisions = [event["hour"] for event in self.events if event["kind"] == "battle decided"]
        is_siege = any(event["kind"] == "siege begins" for event in self.events)
        first, last = min(blows, default=0), min([*decisions, hours])
        fight = hours if is_siege or not first else max(last - first + 1, 0)
        march = first - 1 if fight < hours else 0
        ended = counted(fight, "hour")
        if fight >= day:
            ended += f" ({duration(fight, day)}, {day} hours a day)"
        ended += f"; march {counted(march, 'hour')}" if march else ""
        pursuit = hours - fight - march
        ended += f"; pursuit {counted(pursuit, 'hour')}" if pursuit else ""
        self.lines["Result"] |= {"Battle": ended}

    def steadier(self) -> int:
        """Return the side with the larger share of its morale, then of its men, then the defender."""
        shares = []
        for number, side in enumerate(self.sides):
            own = [flank for flank in self.flanks if flank.side == number]
            full, men = sum(flank.start for flank in own), side.men
            left = sum(flank.morale for flank in own)
            shares.append((left / full if full else 0.0, sum(flank.men for flank in own) / men if men else 0.0))
        return 0 if shares[0] > shares[1] else 1

    def flank_at_the_end(self, event: Mapping[str, Any]) -> None:
        insist(round(event["amount"]) == self.flanks[event["flanks"][0]].men, event["text"])

    def casualties(self, event: Mapping[str, Any]) -> None:
        """Press what became of the men of a side who were hit (R-125)."""
        number = SIDES.index(event["side"])
        side, sums, is_loser = self.sides[number], Sums(event), number != self.winner
        share = sums.next("share not killed")
        fled = {"hit_in_flight": side.in_flight} if is_loser and side.in_flight else {}
        wounded = round(sums.next("wounded", hit=side.killed, share_not_killed=share, **fled))
        stopped = round(sums.next("stopped in flight", share_not_killed=share, **fled)) if fled else 0
        left = round(sums.next("left on the field", wounded=wounded)) if is_loser else 0
        halted = {"stopped_in_flight": stopped} if stopped else {}
        side.missing = round(sums.next("missing", left_on_the_field=left, **halted)) if is_loser else 0
        sums.done()
        side.killed -= wounded + stopped
        side.wounded = wounded - left
        side.captured += stopped + left - side.missing

    def leaders(self, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events:
            side = self.sides[SIDES.index(event["side"])]
            sums = Sums(event)
            is_printed = entered(sums.rest[0]["keys"], "men left") is not None
            own = {"men_left": side.left} if is_printed else {"killed": side.killed}
            chance = sums.next("chance to survive", men=side.men, **own)
            lives = sums.next("the draw that must be below it") < chance
            sums.done()
            told = re.match(r"(.+), (military leader|military and national leader) of ", event["text"])
            assert told is not None
            self.lines[event["side"]][told[2].capitalize()] = f"{told[1]}, {'alive' if lives else 'killed'}"

    def occupation(self, events: Sequence[Mapping[str, Any]]) -> float:
        """Compute the occupation round by round; return its result."""
        side = self.sides[self.winner]
        start, *rounds, end = events
        sums = Sums(start)
        base = {"Occupation_Base": self.of_side(self.winner, "Occupation Base")}
        base |= {"Occupation_Base_of_the_loser": self.of_side(1 - self.winner, "Occupation Base")}
        score = sums.next("score", **base)
        own = [flank for flank in self.flanks if flank.side == self.winner]
        full = sum(flank.start for flank in own)
        left = sum(flank.morale for flank in own)
        morale = first = sums.next("morale", morale_left=left, morale_of_all_flanks_at_the_start=full)
        efficiency = sums.next(sums.peek())
        of_types = [self.of_side(self.winner, f"Efficiency, {kind}") for kind in TYPES]
        insist(efficiency in (*of_types, 0.0), "Efficiency of nobody")
        if sums.peek() == "overcrowding":
            people = {"people_who_feed_them": side.people, "Capacity": self.capacity(self.winner)}
            load = sums.next("overcrowding", men=side.left, **people)
        else:
            load = sums.next("overcrowding without any supplies")
        sums.done()
        sums = Sums(end)
        least = sums.next("a round that adds less ends the occupation:")
        number = 0
        grown = math.inf
        while rounds:
            insist(grown >= least, "a round after the last")
            number += 1
            told = [event for event in rounds if event["hour"] == rounds[0]["hour"]]
            rounds = rounds[len(told) :]
            lost = {"hunger": 0.0, "disease": 0.0}
            for event in told[1:]:
                costs = Sums(event)
                if event["kind"] == "natural attrition":
                    eaten = {"overcrowding": load, "men": side.left, "a_man": self.a_man}
                    lost["hunger"] = costs.next("morale lost by hunger", **eaten, morale_before=morale)
                else:
                    resistance = self.of_side(self.winner, "Resistance to disease")
                    chance = costs.next("chance of an outbreak", resistance=resistance)
                    insist(costs.next("the draw below it") < chance, "no outbreak")
                    lost["disease"] = costs.next("morale lost by disease", hunger=lost["hunger"], morale_before=morale)
                costs.done()
            turn = Sums(told[0])
            before, score = score, turn.next("score", Efficiency=efficiency, score_before=score)
            grown = score - before
            if morale > 0:
                worn = {"morale_before": morale, "itself": morale, "morale_at_the_start": full}
                worn_down = turn.next("morale", **worn, **lost)
                efficiency = turn.next(
                    "Efficiency", **worn, morale_after_the_battle=first, Efficiency_before=efficiency
                )
                morale = worn_down
            else:
                morale = efficiency = 0.0  # nobody is left to hold the country
            turn.done()
        insist(grown < least, "the occupation ends too soon")
        result = sums.next("result", score=score)
        band = "nothing is taken" if self.winner else self.band(sums, result, 2)
        self.lines["Result"]["Occupation"] = f"{band} ({result:.2f})"
        return result

    def stability(self, number: int, event: Mapping[str, Any], result: float) -> None:
        sums = Sums(event)
        weighs = self.weighed if sums.peek() == "half stake" else self.printed
        after = weighs(number, sums, result)
        before = entered(sums.keys, "before")
        assert before is not None
        band = self.band(sums, after, 1)
        self.lines[SIDES[number]]["Stability"] = f"{round(before, 1):g} → {after:g} ({band})"

    def printed(self, number: int, sums: Sums, result: float) -> float:
        """Return a nation's Stability as STAB-04 has it."""
        side = self.sides[number]
        most = self.of_side(number, "Maximum military")
        lost = {"killed_and_captured": side.killed + side.captured, "maximum_military": most}
        casualties = sums.next("casualties", **lost)
        felt = {} if number == self.winner else {"occupation": result}
        hardship = sums.next("hardship", casualties=casualties, **felt, Economy=self.of_side(number, "Economy"))
        return sums.next("Stability", hardship=hardship, Innate_Stability=self.of_side(number, "Innate Stability"))

    def weighed(self, number: int, sums: Sums, result: float) -> float:
        """Return a nation's Stability as R-110 weighs it."""
        side = self.sides[number]
        bears = {name.replace(" ", "_"): self.of_side(number, name) for name in ("Innate Stability", "Economy")}
        most = self.of_side(number, "Maximum military")
        felt = {
            "half_stake": sums.next("half stake", maximum_military=most),
            "sensitivity": sums.next("sensitivity", **bears),
        }
        gained, smaller = {}, min(one.men for one in self.sides)
        if number == self.winner:
            gained["gain"] = sums.next("gain", men_of_the_smaller_army=smaller, **felt)
        weight = {"weight_of_the_war": sums.next("weight of the war", men=side.men, **felt)}
        costs = {"losses": sums.next("losses", lost=side.men - side.left, men=side.men)}
        if number != self.winner:
            at_stake = max(one.men for one in self.sides) if number else side.men
            costs["hold_of_the_winner"] = sums.next(
                "hold of the winner", occupation=result, men_at_stake=at_stake, **felt
            )
        costs["length"] = sums.next("length", hours=self.hours, men_of_the_smaller_army=smaller, **felt)
        return sums.next("Stability", **gained, cost=sums.next("cost", **weight, **costs))

    def band(self, sums: Sums, value: float, decimals: int) -> str:
        """Return the name of the band that a value falls into."""
        limits = []
        while sums.rest:
            limits.append((sums.peek().removesuffix(" begins at"), sums.next(sums.peek())))
        insist(bool(limits), "no bands")
        return [name for name, first in limits if first <= round(value, decimals)][-1]


def variable(found: Mapping[str, Any]) -> float:
    """Return a variable from its terms; one without terms as it is found."""
    terms, bonus = found["terms"], found["bonus"]
    if not terms:
        return float(found["value"])
    match found["how"]:
        case "average":
            value = sum(term["value"] * term["weight"] for term in terms) / sum(term["weight"] for term in terms)
            value += bonus["value"] if bonus else 0.0
        case "sum":
            value = sum(term["value"] for term in terms) + (bonus["value"] if bonus else 0.0)
        case "product":
            value = math.prod(term["value"] for term in terms) * (bonus["value"] if bonus else 1.0)
        case unknown:
            raise Mismatch(f"no such way: {unknown}")
    if limits := re.search(r"kept within (\S+) to ([\d.]+)", found["note"]):
        value = min(max(value, float(limits[1])), float(limits[2]))
    return agree(value, float(found["value"]), found["name"])


def counted(number: int, noun: str) -> str:
    """Return `1 hour`, `1,200 hours`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def duration(hours: int, day: int) -> str:
    """Return hours in days and hours."""
    days, rest = divmod(hours, day)
    parts = [(days, "day")] if days else []
    parts += [(rest, "hour")] if rest or not days else []
    return " ".join(f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in parts)


def numbers(explained: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every place of a number that is entered and is no bound: the object that holds it, and its name there."""
    for found in explained["variables"]:
        yield from ((term, "value") for term in (*found["terms"], *([found["bonus"]] if found["bonus"] else [])))
    for event in explained["timeline"]:
        for sum_ in event["calculations"]:
            if not sum_["keys"] and not BOUND.search(sum_["name"]):
                yield sum_, "value"
            yield from _of_keys(sum_["keys"])


def _of_keys(keys: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    for key in keys:
        if key["key"] not in ("at most", "at least") and (key["key"], key.get("what")) != ("−", "draw"):
            yield from _of_keys(key.get("keys", ()))
            if "value" in key:
                yield key, "value"
