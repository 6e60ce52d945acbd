import { expect, test } from "vitest";

import type { Ask, Counter, FormationShown, Scene, SceneChange, WireBranch } from "../wire.gen";
import { followAsk, followScene } from "./changes";

const counter = (id: string, hex: string): Counter => ({ id, side: "red", hex }) as unknown as Counter;
const scene = (...counters: Counter[]): Scene => ({ seat: "red", counters, tracks: [], formations: [], prompt: null, outcome: "" }) as unknown as Scene;
const NOTHING: SceneChange = { counters: null, tracks: null, hex_markers: null, boxes: null, scores: null, stakes: null, open_seats: null, side_markers: null, conditions: null, formations: null, patches: null, prompt: null, outcome: "" };
const branch = (key: string): WireBranch => ({ key, kind: "unit", label: key, ref: key, is_hex: false, leaf: false });
const ask = (...keys: string[]): Ask => ({ question: 1, rule: "1", title: "Act", root: { shape: "pick", keys: [], branches: keys.map(branch), slots: [], destinations: [], budgets: [], limited: false, foretold: false, sketch: null } });

test("what did not change stays the very same", () => {
  const had = scene(counter("a", "A1"), counter("b", "B2"), counter("c", "C3"));
  const now = followScene(had, { ...NOTHING, counters: { gone: ["a"], put: [counter("c", "D4"), counter("d", "E5")], order: null } });
  expect(now.counters.map((one) => [one.id, one.hex])).toEqual([
    ["b", "B2"],
    ["c", "D4"],
    ["d", "E5"],
  ]);
  expect(now.counters[0]).toBe(had.counters[1]);
  expect(followScene(had, NOTHING).counters).toBe(had.counters);
});

test("an order that is told is kept", () => {
  const now = followScene(scene(counter("a", "A1"), counter("b", "B2")), { ...NOTHING, counters: { gone: [], put: [], order: ["b", "a"] } });
  expect(now.counters.map((one) => one.id)).toEqual(["b", "a"]);
});

test("of formations those are put that changed, in their places", () => {
  const formation = (id: string, ...counters: string[]): FormationShown => ({ id, title: id, side: "red", above: "", counters, note: "" });
  const had = { ...scene(), formations: [formation("corps"), formation("1st", "a", "b"), formation("2nd", "c")] };
  const now = followScene(had, { ...NOTHING, formations: { gone: ["2nd"], put: [formation("1st", "a"), formation("3rd", "d")], order: null } });
  expect(now.formations).toEqual([formation("corps"), formation("1st", "a"), formation("3rd", "d")]);
  expect(now.formations[0]).toBe(had.formations[0]);
  expect(followScene(had, NOTHING).formations).toBe(had.formations);
});

test("a question follows the one before, or comes whole", () => {
  const ask_change = { question: 2, rule: "1", title: "Act", branches: { gone: ["a"], put: [], order: null }, slots: null, budgets: null };
  const now = followAsk(ask("a", "b"), { ask: null, ask_change });
  expect([now?.question, now?.root.branches.map((one) => one.key)]).toEqual([2, ["b"]]);
  expect(followAsk(ask("a"), { ask: ask("z"), ask_change: null })?.root.branches[0]!.key).toBe("z");
  expect(followAsk(ask("a"), { ask: null, ask_change: null })).toBeNull();
  const budget = { label: "Supply", most: 20, rule: "1.5", costs: {}, group: "", weights: {}, note: "" };
  expect(followAsk(now, { ask: null, ask_change: { ...ask_change, budgets: [budget] } })?.root.budgets).toEqual([budget]);
  expect(now?.root.budgets).toEqual([]);
});
