// A board: its data, what is on it now, and what is placed of each army. It knows no rule: the program checks what it gives.
// Everything else reads this and calls its changes.

import { theme } from "../shared/marks.js";
import { apportion, splitEvenly } from "./divide.js";
import { groundOf } from "./ground.js";
import { loosely } from "./rows.js";
import { COUNTS, cellsFor, countsOfAll } from "./shares.js";
import { keyed, createStore } from "./store.js";

export function createBoard() {
  const store = createStore();
  let fought = []; // the flanks as they went into the battle, if the war is ruled
  const board = {
    store, data: null, shown: [], names: [], ground: null, map: 0, isAfter: false,
    wrong: new Set(), // the keys of flanks that the program has refused

    // Show the data of a war; the side that was shown stays so if it is the same war.
    load(data) {
      const shown = data.sides.map(side => (side.flanks ? side : null)), { side } = store.state;
      const isSame = board.data && board.data.request.id === data.request.id && shown[side];
      Object.assign(board, { data, shown, names: data.maneuvers.map(({ name }) => name), ground: null, map: data.map, isAfter: false });
      store.begin(shown.map(own => own && own.flanks), isSame ? side : shown.findIndex(Boolean));
      fought = store.state.sides;
    },
    get own() { return board.shown[store.state.side]; },
    get isWater() { return (x, y) => Boolean(board.ground && board.ground.at(x, y).is_water); },
    get ahead() { return board.own.role === 0 ? 1 : -1; },
    // The numbers of the armies of a side.
    armies(name) { return [...board.shown.keys()].filter(number => board.shown[number]?.name === name); },
    // The most flanks of the shown army beside those of its allies.
    get room() {
      const { name, most } = board.own, allies = board.armies(name).filter(number => number !== store.state.side);
      return allies.reduce((left, number) => left - store.state.sides[number].length, most);
    },

    async choose(map) {
      board.ground = await groundOf(board.data.maps[map], board.data.terrain, board.data.pixels, theme.isDark);
      board.map = map;
    },

    // The flanks of each army as they are drawn, with their men and their status.
    seen() {
      return board.shown.map((side, number) => {
        if (!side) return [];
        const own = (board.isAfter && side.after ? fought : store.state.sides)[number], men = menOf(side, own);
        return own.map((flank, place) => {
          const then = board.isAfter && side.after ? side.after[place] : null;
          const now = { ...flank, ...then, men: then ? then.men : men[place], colour: side.colour, role: side.role };
          now.status = then ? then.status : now.men ? "Idle" : "Inactive";
          now.isAtSea = board.isWater(now.x, now.y);
          return now;
        });
      });
    },

    // The men of each slot and the ships that are placed, beside those of the whole side, and how many are too many; of too
    // few, fewer than 0.
    placed(number) {
      const side = board.shown[number], whole = wholeOf(side);
      return COUNTS.map((name, at) => {
        const placed = sum(store.state.sides[number], name), excess = placed - whole[at];
        return { header: side.units[at].header, placed, whole: whole[at], excess: Math.abs(excess) > side.tolerances[at] ? excess : 0 };
      });
    },

    // The flanks of an army with what is typed for their counts.
    typed(number) {
      const side = board.shown[number], flanks = store.state.sides[number];
      const columns = cellsFor(flanks, wholeOf(side), side.ships_by_men, board.placed(number).every(({ excess }) => !excess));
      return flanks.map((flank, place) => ({ ...flank, ...part(columns, place) }));
    },

    // --- Changes

    add() {
      const { new: place } = board.own;
      const flank = keyed({ label: "", ...place, infantry: 0, cavalry: 0, artillery: 0, ships: 0, maneuver: board.own.default[0].maneuver });
      return board.enlarge([...store.flanks, flank], [flank.key]);
    },
    remove() { store.change(store.flanks.filter(flank => !store.state.chosen.includes(flank.key)), { chosen: [] }); },
    reset() { store.change(board.own.default.map(keyed), { chosen: [] }); },
    // Replace the flanks of the shown side by others that were read from rows or a link.
    put(flanks) {
      const armies = board.armies(board.own.name), own = flanksOf(armies.map(number => board.shown[number]), flanks);
      store.replace(store.state.sides.map((before, number) => (armies.includes(number) ? own[armies.indexOf(number)].map(keyed) : before)), { chosen: [] });
    },
    // Let the shown army have more flanks, unless they are too many; return why.
    enlarge(flanks, chosen) {
      if (flanks.length > board.room) return `A side has at most ${board.own.most} flanks.`;
      store.change(flanks, { chosen });
      return "";
    },
    // Add copies beside the flanks that were copied.
    addCopies(flanks) {
      const copies = flanks.map(flank => keyed({ ...flank, x: flank.x + 4, y: flank.y + 4 })), all = [...store.flanks, ...copies];
      return board.enlarge(all, copies.map(flank => flank.key));
    },
    // Make a number of even flanks of the whole force.
    make(number) {
      const counts = counted(board.own, number);
      store.change(Array.from({ length: number }, (_, place) => keyed({
        label: "", ...board.own.new, ...part(counts, place), maneuver: board.own.default[0].maneuver,
      })), { chosen: [] });
    },
    // Give the men whom no other flank has to the chosen flanks, or take those that are too many from them.
    evenOut() {
      const chosen = store.chosen.length ? store.chosen : store.flanks, keys = chosen.map(flank => flank.key);
      const others = store.flanks.filter(flank => !keys.includes(flank.key));
      const whole = wholeOf(board.own);
      const counts = COUNTS.map((name, at) => splitEvenly(Math.max(0, whole[at] - sum(others, name)), keys.length));
      store.change(store.flanks.map(flank => (keys.includes(flank.key) ? { ...flank, ...part(counts, keys.indexOf(flank.key)) } : flank)));
    },
    split(parts) {
      const flanks = store.flanks.flatMap(flank => {
        if (!store.state.chosen.includes(flank.key)) return [flank];
        const counts = COUNTS.map(name => splitEvenly(flank[name], parts));
        return counts[0].map((_, place) => keyed({ ...flank, ...part(counts, place), x: Math.min(flank.x + 4 * place, board.data.pixels - 1) }));
      });
      const before = new Set(store.flanks.map(flank => flank.key));
      return board.enlarge(flanks, flanks.filter(flank => !before.has(flank.key)).map(flank => flank.key));
    },
    merge() {
      const [first, ...others] = store.chosen, keys = others.map(flank => flank.key);
      const sums = Object.fromEntries(COUNTS.map(name => [name, sum(store.chosen, name)]));
      const flanks = store.flanks.filter(flank => !keys.includes(flank.key));
      store.change(flanks.map(flank => (flank.key === first.key ? { ...flank, ...sums } : flank)), { chosen: [first.key] });
    },
    // Put the chosen flanks, or all, at places; undone as one with changes of the same `merge`.
    place(places, merge) {
      const keys = (store.chosen.length ? store.chosen : store.flanks).map(flank => flank.key);
      store.change(store.flanks.map(flank => {
        const at = keys.indexOf(flank.key);
        return at < 0 ? flank : { ...flank, x: places[at][0], y: places[at][1] };
      }), { merge });
    },
  };
  let last = null;
  store.subscribe(({ sides }) => { // a change is one of the strategy, which is what stands before the battle
    if (sides !== last) board.isAfter = false;
    last = sides;
  });
  return board;
}

function part(counts, place) { return Object.fromEntries(COUNTS.map((name, at) => [name, counts[at][place]])); }

// The men of each slot and the ships of a whole army.
export function wholeOf(side) { return [...side.counts, side.ships]; }

// The men of each flank: those of its slots, and its share of the crews.
function menOf({ crew }, flanks) {
  const crews = apportion(crew, flanks.map(flank => flank.ships));
  return flanks.map((flank, place) => flank.infantry + flank.cavalry + flank.artillery + crews[place]);
}

function sum(flanks, name) { return flanks.reduce((total, flank) => total + flank[name], 0); }

function counted(side, number) { return wholeOf(side).map(total => splitEvenly(total, number)); }

// The flanks of each army of a side among those of rows or of a link: its own, or else those of no army there.
export function flanksOf(armies, flanks) {
  const isOf = (army, { military }) => army.names.some(name => loosely(name) === loosely(military ?? ""));
  const free = flanks.filter(flank => !armies.some(army => isOf(army, flank)));
  return armies.map(army => {
    const own = flanks.filter(flank => isOf(army, flank)), all = own.length ? own : free;
    return all.length ? completed(army, all) : army.default;
  });
}

// Flanks of rows or of a link: their counts, blank or shares, are those of this army; a blank place is the default one.
function completed(side, flanks) {
  const typed = COUNTS.map((name, at) => flanks.map(flank => flank.typed?.[at] ?? flank[name] ?? "")), counts = countsOfAll(typed, wholeOf(side), side.ships_by_men);
  return flanks.map(({ military, ...flank }, place) => {
    const spot = side.default[place] || side.new, cells = typed.map(column => column[place]);
    return { ...flank, x: flank.x ?? spot.x, y: flank.y ?? spot.y, ...part(counts, place), typed: cells };
  });
}
