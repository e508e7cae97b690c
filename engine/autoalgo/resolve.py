"""One war from its inputs to its outcome: the rules' table of contents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.autoalgo.aftermath.decided import DecidedResults, decidable_results
from engine.autoalgo.aftermath.members import with_members
from engine.autoalgo.aftermath.result import aftermath_of
from engine.autoalgo.battle.draw_names import drawn_in, fixed_draws, refuse_late
from engine.autoalgo.battle.state import WINNER, Battle
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import PLAIN, Kernel, fortune
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import Names, army_names, members_of, side_names
from engine.autoalgo.report import log, log_text
from engine.autoalgo.report.account import account, chapters
from engine.autoalgo.report.aftermath_terms import AftermathTerms
from engine.autoalgo.report.armies import army_events, army_updates, casualties
from engine.autoalgo.report.battle_terms import BattleTerms
from engine.autoalgo.report.figures import (
    figures,
    flank_results,
    men_lost_by_member,
    men_lost_by_side,
    numbers,
    updates,
)
from engine.autoalgo.report.frames import recording
from engine.autoalgo.report.receipt import order_lines, receipt
from engine.autoalgo.report.scenes import battle_scene
from engine.autoalgo.report.stability_reasons import clause
from engine.autoalgo.report.why import why
from engine.autoalgo.series.chances import chances
from engine.autoalgo.series.compile import fastest
from engine.autoalgo.series.forecast import course, replicates_of
from engine.autoalgo.setup.army import army_places, belligerent
from engine.autoalgo.setup.deploy import longest_hours, variables_of_armies
from engine.autoalgo.setup.source import RULE_SETS, rules_events
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables, side_variables
from engine.decisions import UNDECIDED, DecidableResult, RulingDecisions
from engine.explained import Explanation, number
from engine.forecast import Replicates
from engine.receipt import counted, on_one_line
from engine.recording import Chances
from engine.rng import Rng
from engine.ruleset import Compiler, Event, LogSink, MachineCode, Outcome, Plain, Ruleset, no_op
from engine.settings import Setting, kept


@dataclass(frozen=True, slots=True)
class Autoalgo(Ruleset[WarInputs]):
    """The ruleset with the numbers it was built from."""

    rule_sets = RULE_SETS
    names_draws = True
    has_hours = True
    tables: Tables
    _having: dict[tuple[Setting, ...], Tables] = field(default_factory=dict, init=False, repr=False, compare=False)
    _deployed: dict[WarInputs, Battlefield] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[Autoalgo], tuple[Tables]]:
        """Pickle the numbers alone: arrays of a deployed war come back writable, a type that is compiled once more."""
        return Autoalgo, (self.tables,)

    def tables_having(self, settings: Sequence[Setting]) -> Tables:
        """Return the tables with the numbers of a workbook's settings (SET-03), built once for some such workbooks.

        Raises:
            TableError: A setting names no place of the tables, or they no longer fit together.
        """
        return kept(self._having, settings, self.tables.having)

    def resolve(self, inputs: WarInputs, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
        """Fight one war: the battle hour by hour, then its aftermath.

        `log_sink` receives the log during the ruling (LOG-01): the variables, each hour, the occupation, the result.

        Raises:
            ValueError: An invalid strategy (STRAT-07) or setting (SET-03); the checks of workbooks exclude both.
        """
        return self.decided(inputs, rng, UNDECIDED, log_sink)

    def results(self, inputs: WarInputs) -> tuple[DecidableResult, ...]:
        """Return winner, occupation, and each side's Stability, losses and commander's fate (OVR-12)."""
        return tuple(decidable_results(inputs, self.tables_having(inputs.settings)))

    def resolve_with(self, code: MachineCode, inputs: WarInputs, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
        """Fight one war as `resolve` does, as machine code if available."""
        return self.decided(inputs, rng, UNDECIDED, log_sink, code)

    def decided(
        self,
        inputs: WarInputs,
        rng: Rng,
        decisions: RulingDecisions,
        log_sink: LogSink = no_op,
        code: MachineCode | None = None,
    ) -> Outcome:
        """Fight one war as `resolve` does, with the draws and results that a moderator decided (OVR-11, OVR-12).

        Raises:
            ValueError: As in `resolve`.
            WrongDecision: A draw does not exist, or the losses exceed the men or ships present.
        """
        tables = self.tables_having(inputs.settings)
        settings = tuple(rules_events(self.tables.raw, inputs.settings))
        names = names_of(inputs, tables)
        field = self.deployed(inputs, rng.seed)  # VAR, OCCB, LEAD, DATE, MAX, STRAT, MAP
        variables, tunables = field.variables, field.tunables
        explained = explanation(inputs, variables, tables)
        title = f"{on_one_line(inputs.name)}, {log_text.place_and_year(inputs)}"
        log_sink(log.variables_section(title, explained, settings, tables.strategy.rules))  # LOG-02, SET-06
        fixed = fixed_draws(decisions.draws, names)
        refuse_late(fixed, longest_hours(inputs, tables))
        terms = BattleTerms(inputs, field.battle, tunables, variables, tables, names)
        diseases = (inputs.attacker.nation.endemic_disease, inputs.defender.nation.endemic_disease)
        events: list[Event] = []

        def add(new: Iterable[Event]) -> None:
            added = list(new)
            events.extend(added)
            log_sink(log.event_lines(added))

        kernel = _kernel(code)
        fought = RecordedBattle(field.recording(rng.replicate, kernel, fixed), kernel)
        battle = fought.battle
        for hour, happened in fought.hours():  # FLK, DEC, MOVE, ATK, ATT, SUP, SIEGE, DIS
            if hour == 0:
                add(log_text.opening(inputs, battle, terms, names))
            add(log_text.set_draws(drawn_in(fixed, hour), hour, names))
            add(log.hour_events(happened, names, diseases, terms))
        aftermath = aftermath_of(
            inputs,
            battle,
            variables,
            tables,
            rng,
            fought.is_naval,
            field.aftermath,
            fought.stage.ends,
            fought.stage.consequences,
            DecidedResults(decisions.results),
        )  # LEAD, OCC, STAB
        aftermath = with_members(aftermath, inputs, battle, variables, tables, rng)
        battle.tally[WINNER] = aftermath.winner
        after = AftermathTerms(inputs, field.aftermath, battle, tunables, variables, aftermath, tables, rng)
        add(log_text.ending(battle, tunables.ground, after, names))
        add(log_text.casualties(after, names))
        add(log_text.leaders(after, names))
        add(log_text.occupation(after, names))
        armies = tuple(army_updates(inputs, aftermath))
        add(army_events(armies, aftermath.hours + aftermath.occupation.rounds))
        add(log_text.stability(after, names))
        sentences = account(inputs, aftermath, fought, names, tables)  # RCPT-04
        reasons = [clause(after, party) for party in range(len(aftermath.parties))]
        orders = [tuple(order_lines(inputs, side, tables)) for side in (0, 1)]
        printed = receipt(inputs, aftermath, tables.strategy, rng.seed, settings, reasons, sentences, orders)
        log_sink(log.result_section(printed))
        return Outcome(
            winner=SIDES[aftermath.winner],
            summary=f"{printed.headline.removesuffix('.')} ({counted(aftermath.fight, 'hour')})",
            receipt=printed,
            figures=figures(inputs, aftermath),
            numbers=numbers(inputs, aftermath),
            updates=tuple(updates(inputs, aftermath)),
            losses=armies if inputs.commit_stability else (),
            casualties=tuple(casualties(inputs, aftermath)) if inputs.commit_stability else (),
            results=tuple(flank_results(inputs, battle, tunables.ground)),
            events=(*settings, *events),
            explanations=lambda: (*explained, *_fortunes(battle, names)),
            why=tuple(why(after)),
            scenes=(battle_scene(inputs, names, fought, tables.terrain),),
            recording=recording(inputs, names, fought, chapters(inputs, aftermath, fought, names, tables)),
        )

    def deployed(self, inputs: WarInputs, seed: int) -> Battlefield:
        """Return a deployed war; the last one is cached, for its ruling and its forecast.

        Raises:
            ValueError: A strategy that cannot run (STRAT-07).
        """
        field = self._deployed.get(inputs)
        if field is None:
            field = Battlefield.of(inputs, self.tables_having(inputs.settings), seed)
            self._deployed.clear()
            self._deployed[inputs] = field
        return replace(field, seed=seed)

    def rules_name(self, inputs: WarInputs) -> str:
        """Return `history` or `source` (R-98)."""
        return self.tables_having(inputs.settings).strategy.rules

    def sides(self, inputs: WarInputs) -> tuple[str, str]:
        """Return the names of the nations."""
        return side_names(inputs)

    def members(self, inputs: WarInputs) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the nations of both sides, the leaders' first (R-130)."""
        attackers, defenders = (members_of(side) for side in (inputs.attacker, inputs.defender))
        names = side_names(inputs)  # which tell two generic nations apart
        return attackers if len(attackers) > 1 else names[:1], defenders if len(defenders) > 1 else names[1:]

    def men_lost_by(self, member: str, figures: Mapping[str, Plain]) -> int | None:
        """Return the losses in men of one of several nations of a side, from the result columns."""
        return men_lost_by_member(member, figures)

    def men_lost(self, figures: Mapping[str, Plain]) -> tuple[int, int] | None:
        """Return the losses in men of attacker and defender, from the result columns."""
        return men_lost_by_side(figures)

    def explain(self, inputs: WarInputs) -> tuple[Explanation, ...]:
        """Yield the terms of each variable in the order of the log (LOG-02), and the range of the fortunes (R-28)."""
        tables = self.tables_having(inputs.settings)
        strategy = tables.strategy
        fortunes = {
            "side": (strategy.fortune_side, "killed and demoralised"),
            "flank": (strategy.fortune_flank, "killed and demoralised"),
            "panic": (strategy.fortune_panic, "demoralised"),
        }
        return (
            *explanation(inputs, variables_of(inputs, tables), tables),
            *(_fortune(f"Fortune of the day, {whose}", *fortune) for whose, fortune in fortunes.items() if fortune[0]),
        )

    def replicates(self, inputs: WarInputs, seed: int, first: int, count: int) -> Replicates:
        """Return the results of battles of a seed, from number `first`; number 0 is the ruling."""
        return self.series(inputs, seed)(first, count)

    def series(self, inputs: WarInputs, seed: int, code: MachineCode | None = None) -> Callable[[int, int], Replicates]:
        """Return `replicates` of one war and seed, deployed once.

        Raises:
            ValueError: A strategy that cannot run (STRAT-07).
        """
        tables = self.tables_having(inputs.settings)
        battlefield = self.deployed(inputs, seed)
        return lambda first, count: replicates_of(inputs, tables, battlefield.fight(first, count, _kernel(code)))

    def compile(self, inputs: WarInputs, compiler: Compiler, code: MachineCode) -> str:
        """Compile the battles of `series` to machine code from now on, if available and worthwhile."""
        kernel = fastest(self.deployed(inputs, seed=0), compiler)
        if kernel.is_compiled:
            code.kernel = kernel
        return kernel.why_not

    def chances(self, inputs: WarInputs, seed: int, code: MachineCode | None = None) -> Chances | None:
        """Return the attacker's chance to win hour by hour (FC-28)."""
        return chances(self.deployed(inputs, seed), _kernel(code))

    def course(self, inputs: WarInputs, results: Replicates) -> str:
        """Return the usual course of the favourite's victories."""
        return course(inputs, results)


def _kernel(code: MachineCode | None) -> Kernel:
    return code.kernel if code is not None and isinstance(code.kernel, Kernel) else PLAIN


def names_of(war: WarInputs, tables: Tables) -> Names:
    """Return the names of the sides and flanks for the log, in the order of the battle's arrays."""
    plans = [(side, plan) for side in (0, 1) for plan in flank_table(war, side, tables)]
    armies = tuple(army_names(war, side)[plan.army] for side, plan in plans)
    return Names(side_names(war), tuple(side for side, _ in plans), tuple(plan.label for _, plan in plans), armies)


def variables_of(war: WarInputs, tables: Tables) -> tuple[SideVariables, SideVariables]:
    """Return the variables of the attacker and of the defender."""
    return side_variables(war, 0, tables), side_variables(war, 1, tables)


def explanation(
    war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables
) -> tuple[Explanation, ...]:
    """Return the attacker's and defender's variables and the maximum-military ratio, each with its side (LOG-02).

    The variables of a side are its leader's, followed by the own variables of its other armies (R-130).
    """
    explained = []
    of_armies = zip(army_places(war), variables_of_armies(war, variables, tables), strict=True)
    for (side, place), own in sorted(of_armies, key=lambda army: army[0]):
        leader = belligerent(war, side)
        army = f", {army_names(war, side)[place]}" if leader.allies else ""
        ratio = _military_ratio(leader.military.size, own)
        of_side = (*own.of_leader(), ratio) if leader.allies else ()
        for variable in own.of_army() if place else (*own.all(), ratio):
            whose = f"{SIDES[side]}{army}{' for its side' if variable in of_side else ''}"
            explained.append(replace(variable, name=f"{whose}: {variable.name}"))
    return tuple(explained)


def _military_ratio(size: int, variables: SideVariables) -> Explanation:
    maximum = variables.maximum_military.value
    note = f"{size:,} of {number(maximum)}"
    return Explanation("Size / maximum military", "MAX-01", size / maximum, note=note)


def _fortunes(battle: Battle, names: Names) -> Iterator[Explanation]:
    """Yield the fortunes of each side and each flank, except neutral ones (R-28)."""
    flanks = [names.flank_of(flank) for flank in range(len(names.flanks))]
    for drawn, title, owners, what in (
        (battle.fortune_side, "Fortune of the day, {}", names.sides, "killed and demoralised"),
        (battle.fortune_panic, "Panic before {}", names.sides, "demoralised"),
        (battle.fortune_flank, "Fortune of the day, {}", flanks, "killed and demoralised"),
    ):
        note = f"drawn for this battle; multiplies {what}"
        for owner, value in zip(owners, map(float, drawn), strict=True):
            if value != 1.0:
                yield Explanation(title.format(owner), "R-28", value, note=note)


def _fortune(name: str, doublings: float, what: str) -> Explanation:
    least, most = (number(fortune(draw, doublings)) for draw in (0.0, 1.0))
    return Explanation(name, "R-28", 1.0, note=f"drawn once a battle from {least} to {most}; multiplies {what}")
