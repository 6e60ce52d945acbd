import { describe, expect, test } from "vitest";
import { counter } from "../../testing/told";
import { stacksOf } from "../overlay";
import { counterAt, heapOf, listed, placeStack, pressed } from "./stacks";

const at = { x: 0, y: 0 };
const squad = counter("S1");
const gun = counter("LMG", { held_by: "S1" });
const leader = counter("L1", { markers: [{ text: "DM", title: "desperation", tone: "bad" }] });
const stack = [squad, gun, leader];

describe("where counters lie", () => {
  test("every counter once, and the same whatever is pointed at", () => {
    const placed = placeStack(stack, at, 1);
    expect(placed.map((one) => one.counter.id)).toEqual(["S1", "LMG", "L1"]);
  });

  test("what somebody holds lies small upon him", () => {
    const [owner, held] = placeStack(stack, at, 1);
    expect(held!.scale).toBeLessThan(owner!.scale);
  });

  test("a high stack stays in its hex", () => {
    const many = Array.from({ length: 12 }, (_, i) => counter(`U${i}`));
    for (const one of placeStack(many, at, 1)) expect(Math.hypot(one.x, one.y)).toBeLessThan(50);
  });

  test("signs tell of what is covered, not of what lies on top", () => {
    const under = counter("S2", { markers: [{ text: "CX", title: "counter exhausted", tone: "plain" }] });
    const heap = heapOf([under, leader], false);
    expect(heap?.signs.map((sign) => sign.text)).toEqual(["CX"]);
  });

  test("from afar signs tell of what is bad and of the posture", () => {
    const tones = ["neutral", "good", "posture", "bad"];
    const under = counter("T1", { markers: tones.map((tone) => ({ text: tone, title: tone, tone })) });
    expect(heapOf([under, leader], true)?.signs.map((sign) => sign.text)).toEqual(["bad", "posture"]);
  });

  test("the uppermost counter is the one at a point", () => {
    const placed = placeStack(stack, at, 1);
    expect(counterAt(placed, at)?.id).toBe("L1");
    expect(counterAt(placed, { x: placed[0]!.x - 44, y: placed[0]!.y + 44 })?.id).toBe("S1");
    expect(counterAt(placed, { x: 80, y: 0 })).toBeNull();
  });

  test("counters off the map are in no stack", () => {
    expect([...stacksOf([squad, counter("R", { hex: "", box: "reserve" })]).keys()]).toEqual(["A1"]);
  });
});

describe("what a press means", () => {
  const none = { litHexes: new Map(), litUnits: new Map() };
  const lit = (hexes: string[], units: string[]) => ({ litHexes: new Map(hexes.map((one) => [one, 1])), litUnits: new Map(units.map((one) => [one, 1])) });

  test("on a stack: its list, wherever in the hex the finger lands", () => {
    expect(pressed("A1", true, stack, none)).toEqual({ what: "stack", hex: "A1" });
    expect(pressed("A1", false, stack, none)).toEqual({ what: "stack", hex: "A1" });
    expect(pressed("A1", true, stack, lit([], ["LMG"]))).toEqual({ what: "stack", hex: "A1" });
  });

  test("on a counter that is alone: that counter", () => {
    expect(pressed("A1", true, [squad], none)).toEqual({ what: "unit", unit: "S1" });
    expect(pressed("A1", false, [squad], none)).toEqual({ what: "unit", unit: "S1" });
    expect(pressed("A1", true, [squad], lit(["A1"], []))).toEqual({ what: "unit", unit: "S1" });
  });

  test("on a stack in a hex that can be chosen: the hex, unless its counters can be too", () => {
    expect(pressed("A1", true, stack, lit(["A1"], []))).toEqual({ what: "hex", hex: "A1" });
    expect(pressed("A1", true, stack, lit(["A1"], ["L1"]))).toEqual({ what: "stack", hex: "A1" });
    expect(pressed("A1", false, stack, lit(["A1"], ["L1"]))).toEqual({ what: "hex", hex: "A1" });
  });

  test("on the ground: the hex", () => {
    expect(pressed("B2", false, [], none)).toEqual({ what: "hex", hex: "B2" });
  });
});

test("a stack is listed from the top, weapons below those who hold them", () => {
  expect(listed(stack).map(({ counter: one, isHeld }) => [one.id, isHeld])).toEqual([
    ["L1", false],
    ["S1", false],
    ["LMG", true],
  ]);
});
