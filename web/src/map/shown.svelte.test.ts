import { flushSync } from "svelte";
import { describe, expect, test } from "vitest";
import { counter } from "../testing/told";
import type { Counter } from "../wire.gen";
import { emptyOverlay, type Overlay } from "./overlay";
import { Shown } from "./shown.svelte";

const LABELS = Array.from({ length: 40 }, (_, i) => `H${i}`);
const many = (): Counter[] => LABELS.map((hex, i) => counter(`U${i}`, { hex }));
const picture = (counters: readonly Counter[], more: Partial<Overlay> = {}): Overlay => ({ ...emptyOverlay(), counters, ...more });

/** Follows pictures and tells which counters would be drawn anew for each of them. */
const watching = (): { shown: Shown; follow: (next: Overlay) => string[]; stop: () => void } => {
  const shown = new Shown(LABELS);
  let drawn: string[] = [];
  let stop = (): void => undefined;
  const watch = (): void => {
    stop();
    const cells = shown.onMap;
    stop = $effect.root(() => {
      for (const cell of cells)
        $effect(() => {
          void [cell.counter, cell.option, cell.isSelected, cell.badge, shown.hex(cell.counter.hex)?.stack];
          drawn.push(cell.id);
        });
    });
    flushSync();
  };
  const follow = (next: Overlay): string[] => {
    drawn = [];
    shown.follow(next);
    flushSync();
    const found = [...new Set(drawn)];
    watch();
    return found;
  };
  return { shown, follow, stop: () => stop() };
};

test("what lies on top lies above the others of its hex", () => {
  const shown = new Shown(LABELS);
  const [a, b, c] = [counter("A", { hex: "H1" }), counter("B", { hex: "H1", is_top: true }), counter("C", { hex: "H1" })];
  shown.follow(picture([a, b, c]));
  expect(shown.stack("H1").map((one) => one.id)).toEqual(["A", "C", "B"]);
});

describe("only what has changed is drawn anew", () => {
  test("a counter that moves, and those whom it leaves or joins", () => {
    const { follow, stop } = watching();
    const before = many();
    follow(picture(before));
    expect(follow(picture(before.map((one) => (one.id === "U3" ? { ...one, hex: "H4" } : one)))).sort()).toEqual(["U3", "U4"]);
    stop();
  });

  test("nothing, where everything is told again as it was", () => {
    const { shown, follow, stop } = watching();
    follow(picture(many()));
    const [cells, stack] = [shown.onMap, shown.stack("H1")];
    shown.takeChanged();
    expect(follow(picture(structuredClone(many())))).toEqual([]);
    expect(shown.onMap).toBe(cells);
    expect(shown.hex("H1")?.stack).toEqual(stack);
    expect(shown.takeChanged().size).toBe(0);
    stop();
  });

  test("a counter that is marked", () => {
    const { shown, follow, stop } = watching();
    const counters = many();
    follow(picture(counters));
    shown.takeChanged();
    const next = picture(counters, { selected: new Set(["U7"]), litUnits: new Map([["U8", "key"]]), badges: new Map([["U9", "FIRE"]]) });
    expect(follow(next).sort()).toEqual(["U7", "U8", "U9"]);
    expect([...shown.takeChanged()].sort()).toEqual(["H7", "H8", "H9"]);
    expect([shown.markOf("U7").state, shown.markOf("U8").state, shown.markOf("U9").badge]).toEqual(["selected", "lit", "FIRE"]);
    stop();
  });

  test("no counter, where only a way is shown", () => {
    const { follow, stop } = watching();
    const before = picture(many());
    follow(before);
    expect(follow({ ...before, path: [{ hex: "H1", text: "" }, { hex: "H2", text: "1" }] })).toEqual([]);
    stop();
  });
});

test("a counter that is gone leaves its hex, and comes back unmarked", () => {
  const shown = new Shown(LABELS);
  const counters = many();
  shown.follow(picture(counters, { selected: new Set(["U5"]) }));
  shown.follow(picture(counters.filter((one) => one.id !== "U5")));
  expect(shown.counter("U5")).toBeUndefined();
  expect(shown.hex("H5")?.stack).toEqual([]);
  shown.follow(picture(counters));
  expect(shown.onMap).toHaveLength(40);
  expect(shown.markOf("U5").state).toBe("");
});

test("hexes are lit and dark again", () => {
  const shown = new Shown(LABELS);
  const lit = (text: string): Overlay => picture([], { litHexes: new Map([["H2", { text, title: "", option: "H2", tone: "go" as const }]]) });
  shown.follow(lit("3"));
  const told = shown.hex("H2")?.lit;
  shown.follow(lit("3"));
  expect(shown.hex("H2")?.lit).toBe(told);
  shown.follow(picture([]));
  expect(shown.hex("H2")?.lit).toBeNull();
});
