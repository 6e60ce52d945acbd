import { expect, test } from "vitest";
import { Orders } from "../orders/orders.svelte";
import { branch, counter, FakeTable, node, preview, way } from "../testing/told";
import type { Tools } from "../tools/tools.svelte";
import type { WireStep } from "../wire.gen";
import { isChosenOnMap, wayOverlay } from "./overlays";

test("at the goal stands what the way costs, not what is spent there afterwards", async () => {
  const tank = counter("T1", { hex: "A1" });
  const step = (hex: string, cost: number): WireStep => ({ unit: "T1", hex, facing: null, cost, text: "", heading: null });
  const steps = [step("A1", 1), step("A2", 1), step("A3", 1), step("A3", 1), step("A3", 12)];
  const goal = way("A3", "to A3", { cost: 3 });
  const orders = new Orders(new FakeTable(node("path", { destinations: [goal] }), {}, [tank], () => preview({ steps })).asTable);
  orders.follow();
  await orders.go(goal);
  const { path } = wayOverlay(new Map([["T1", tank]]), orders, { active: null, lines: [] } as unknown as Tools);
  expect(path.map((one) => `${one.hex} ${one.text}`)).toEqual(["A1 ", "A2 2", "A3 3"]);
});

const noTool = { active: null, lines: [] } as unknown as Tools;
const aims = (orders: Orders, counters: ReturnType<typeof counter>[]): string[] =>
  wayOverlay(new Map(counters.map((one) => [one.id, one])), orders, noTool).lines.map((line) => `${line.a} ${line.b} ${line.tone}`);

test("a weapon that is chosen before its target aims at it, from where its owner is", async () => {
  const counters = [counter("C1", { hex: "A1" }), counter("W1", { hex: "", held_by: "C1" })];
  const [weapon, at] = [branch("W1", { kind: "weapon" }), branch("B4", { kind: "hex", is_hex: true })];
  const types = node("pick", { keys: ["W1", "B4"], branches: [branch("VTT", { kind: "order", ref: "", leaf: true })] });
  const nodes = { W1: node("pick", { keys: ["W1"], branches: [at] }), "W1 B4": types };
  const orders = new Orders(new FakeTable(node("pick", { branches: [weapon] }), nodes, counters).asTable);
  orders.follow();
  await orders.choose(weapon);
  expect(aims(orders, counters)).toEqual([]);
  await orders.choose(at);
  expect(aims(orders, counters)).toEqual(["A1 B4 fire"]);
});

test("whoever fires at a target that was chosen first aims at it", async () => {
  const tank = counter("T1", { hex: "A1" });
  const [target, guns] = [branch("B4", { kind: "target", is_hex: true }), branch("BMG", { kind: "order", ref: "T1", leaf: true })];
  const nodes = { B4: node("pick", { keys: ["B4"], branches: [guns] }) };
  const orders = new Orders(new FakeTable(node("pick", { branches: [target] }), nodes, [tank], () => preview({ text: "fire" })).asTable);
  orders.follow();
  await orders.choose(target);
  expect(aims(orders, [tank])).toEqual([]);
  orders.leaf = guns;
  expect(aims(orders, [tank])).toEqual(["A1 B4 fire"]);
});

test("what is not on the map is chosen from a list, and so is what only words tell apart", () => {
  const held = counter("W1", { hex: "", held_by: "T1" });
  const counters = new Map([counter("T1"), held, counter("T2", { hex: "" })].map((one) => [one.id, one]));
  const isOnMap = (...branches: ReturnType<typeof branch>[]): boolean => isChosenOnMap(node("pick", { branches }), counters);
  expect(isOnMap(branch("T1"), branch("W1"), branch("B4", { is_hex: true }))).toBe(true);
  expect(isOnMap(branch("T1"), branch("T2"))).toBe(false);
  expect(isOnMap(branch("german", { kind: "seat" }), branch("british", { kind: "seat" }))).toBe(false);
  expect(isOnMap(branch("1", { ref: "T1" }), branch("2", { ref: "T1" }))).toBe(false);
});
