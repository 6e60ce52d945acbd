import { expect, test } from "vitest";
import { counter } from "../testing/told";
import { type Corner, freeCorner, tellingPlaces } from "./corners";
import { emptyOverlay } from "./overlay";

const ORDER: Corner[] = ["top left", "bottom left", "top right", "bottom right"];
const NONE = { left: 0, top: 0, right: 0, bottom: 0 };
const size = { width: 1000, height: 800 };
const note = { width: 400, height: 120 };

test("a note stands in the first corner where it hides nobody", () => {
  expect(freeCorner([], note, size, NONE, ORDER)).toBe("top left");
  expect(freeCorner([{ x: 50, y: 50 }], note, size, NONE, ORDER)).toBe("bottom left");
  expect(freeCorner([{ x: 50, y: 50 }, { x: 60, y: 760 }], note, size, NONE, ORDER)).toBe("top right");
});

test("where every corner hides somebody, the fewest", () => {
  const all = [{ x: 50, y: 50 }, { x: 60, y: 60 }, { x: 50, y: 760 }, { x: 950, y: 50 }, { x: 950, y: 60 }, { x: 950, y: 760 }, { x: 940, y: 750 }];
  expect(freeCorner(all, note, size, NONE, ORDER)).toBe("bottom left");
});

test("what a sheet covers is not free", () => {
  expect(freeCorner([{ x: 50, y: 50 }, { x: 50, y: 400 }], note, size, { ...NONE, bottom: 350 }, ORDER)).toBe("top right");
});

test("who stands there counts, who is asked twice, and the ends of a shot and where a sheaf falls", () => {
  const counters = [counter("T1", { hex: "A1" }), counter("T2", { hex: "B2" }), counter("T3", { hex: "" })];
  const areas = [{ text: "", tone: "strike", hexes: ["C3", "C4"], units: [] }] as unknown as ReturnType<typeof emptyOverlay>["areas"];
  const lit = (tone: "go" | "target") => ({ text: "", title: "", option: "", tone });
  const shot = { a: "A1", b: "B2", tone: "fire" as const, at: "" };
  const overlay = { ...emptyOverlay(), counters, areas, lines: [shot], selected: new Set(["T1"]), litUnits: new Map([["T3", "T3"]]), litHexes: new Map([["D4", lit("go")], ["B2", lit("target")]]) };
  expect(tellingPlaces(overlay)).toEqual(["A1", "B2", "A1", "B2", "A1", "B2", "C3", "C4"]);
});
