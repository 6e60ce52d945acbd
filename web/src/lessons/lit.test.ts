import { describe, expect, it } from "vitest";
import type { WireNode } from "../wire.gen";
import { nextPress } from "./lit";

const node = (more: Partial<WireNode>): WireNode => ({ shape: "pick", keys: [], branches: [], slots: [], destinations: [], budgets: [], limited: false, foretold: false, ...more }) as WireNode;
const slot = (key: string, values: string[]) => ({ key, kind: "unit", label: key, values, required: false, words: [], listed: true, plain: "", group: "", note: "" });
const half = (one: WireNode, more = {}) => ({ node: one, values: {}, way: null, leaf: null, modes: null, sketch: null, ...more });
const want = (keys: string[], to = "") => ({ does: true, keys, to });

describe("what a lesson lights", () => {
  it("is the branch of a pick, and what it is about on the map", () => {
    const pick = node({ branches: [{ key: "B1", kind: "target", label: "", ref: "B1", is_hex: false, leaf: false }] });
    expect(nextPress(half(pick), want(["B1", "0.0", "done"]))).toEqual({ options: ["B1"], refs: ["B1"] });
  });

  it("is the first slot that is not as wanted, then Confirm", () => {
    const assign = node({ shape: "assign", slots: [slot("G1", ["FIRE"]), slot("G2", ["MOVE"])] });
    expect(nextPress(half(assign), want(["FIRE", "MOVE", "done"])).options).toEqual(["G1:FIRE"]);
    expect(nextPress(half(assign, { values: { G1: "FIRE", G2: "OW" } }), want(["FIRE", "MOVE", "done"])).options).toEqual(["G2:MOVE"]);
    expect(nextPress(half(assign, { values: { G1: "FIRE", G2: "MOVE" } }), want(["FIRE", "MOVE", "done"])).options).toEqual(["confirm"]);
  });

  it("is who has to be left out of a gathering", () => {
    const gather = node({ shape: "gather", keys: ["E3"], slots: [slot("A1", ["fire"]), slot("A3", ["fire"])] });
    expect(nextPress(half(gather, { values: { A1: "fire", A3: "fire" } }), want(["E3", "fire", "-", "done"])).options).toEqual(["A3"]);
    expect(nextPress(half(gather, { values: { A1: "fire", A3: "" } }), want(["E3", "fire", "-", "done"])).options).toEqual(["confirm"]);
  });

  it("is the goal of a path, its facing, then Confirm", () => {
    const goal = { key: "D5 NE", kind: "hex", label: "", ref: "D5", facing: 1, cost: 3 };
    const path = node({ shape: "path", keys: ["G2"], destinations: [goal] });
    expect(nextPress(half(path), want(["G2"], "D5 NE"))).toEqual({ options: ["D5 NE"], refs: ["D5"] });
    expect(nextPress(half(path, { way: goal }), want(["G2"], "D5 NE")).options).toEqual(["confirm"]);
  });

  it("is a drawing, and Confirm as soon as one ends there", () => {
    const sweep = node({ shape: "sweep", keys: ["G2"] });
    const drawn = (isNear: boolean) => half(sweep, { sketch: { isNear: (text: string) => isNear && text === "go 8,12" } });
    expect(nextPress(drawn(false), want(["G2", "go 8,12"])).options).toEqual(["go 8,12"]);
    expect(nextPress(drawn(true), want(["G2", "go 8,12"])).options).toEqual(["confirm"]);
  });

  it("is Back where one has gone astray, and nothing where one only reads", () => {
    expect(nextPress(half(node({ keys: ["G1"] })), want(["G2"], "D5")).options).toEqual(["back"]);
    expect(nextPress(half(node({})), { does: false, keys: [], to: "" })).toEqual({ options: [], refs: [] });
  });
});
