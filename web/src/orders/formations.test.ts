import { describe, expect, test } from "vitest";
import { FakeTable, node, slot } from "../testing/told";
import type { WireBudget, WireSlot } from "../wire.gen";
import { formationsOf, isChanged, summary, tellWhere, used } from "./formations";
import { Orders } from "./orders.svelte";

const unlisted = (key: string, group: string): WireSlot => ({ ...slot(key), listed: false, plain: "hold", group });
const listed = (key: string, group: string): WireSlot => ({ ...slot(key, "hold", "move", "attack"), plain: "hold", group });
const attacks: WireBudget = { label: "Attacks", most: 1, rule: "1.3", costs: { attack: 1 }, group: "1st", weights: { b: 2 }, note: "" };
const root = node("assign", { slots: [unlisted("a", "1st"), unlisted("b", "1st"), unlisted("c", "2nd")], budgets: [attacks], limited: true });

const begun = (judging: FakeTable["judging"] = () => []): { orders: Orders; table: FakeTable } => {
  const table = new FakeTable(root);
  table.known = { a: listed("a", "1st"), b: listed("b", "1st"), c: listed("c", "2nd") };
  table.judging = judging;
  const orders = new Orders(table.asTable);
  orders.follow();
  return { orders, table };
};
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

describe("an assignment in formations", () => {
  test("stands at the plain values and can be sent as it is, with nothing listed", async () => {
    const { orders, table } = begun();
    await settled();
    expect(orders.answer).toEqual({ keys: ["hold", "hold", "hold", "done"] });
    await orders.confirm();
    expect(table.acted).toEqual([{ keys: ["hold", "hold", "hold", "done"] }]);
    expect(table.listed).toEqual([]);
  });

  test("asks for the values of one formation only", async () => {
    const { orders, table } = begun();
    await orders.list(formationsOf(orders.node!)[0]!.slots);
    expect(table.listed).toEqual(["a", "b"]);
    expect(orders.node!.slots.map((one) => one.values.length)).toEqual([3, 3, 0]);
    expect(orders.columns).toEqual(["hold", "move", "attack"]);
    await orders.list(orders.node!.slots.slice(0, 2));
    expect(table.listed).toEqual(["a", "b"]);
  });

  test("values that are on their way are not asked for again", async () => {
    const { orders, table } = begun();
    const [first] = formationsOf(orders.node!);
    await Promise.all([orders.list(first!.slots), orders.list(orders.node!.slots)]);
    expect(table.listed).toEqual(["a", "b", "c"]);
    expect(orders.node!.slots.every((one) => one.listed)).toBe(true);
  });

  test("a whole formation is given an order at once, as far as it can take it", async () => {
    const { orders, table } = begun();
    table.known.b = { ...table.known.b!, values: ["hold"] };
    await orders.list(orders.node!.slots);
    orders.fillGroup("1st", "move");
    expect(orders.values).toEqual({ a: "move", b: "hold", c: "hold" });
    const [first, second] = formationsOf(orders.node!);
    expect([summary(first!.slots, orders.values), summary(second!.slots, orders.values)]).toEqual(["1 move, 1 hold", "1 hold"]);
    expect(orders.node!.slots.map((slot) => isChanged(slot, orders.values))).toEqual([true, false, false]);
  });

  test("nothing is sent while the rules have something against it", async () => {
    const against = { rule: "1.4", reason: "no support", remedy: "", slots: ["a", "b"] };
    const { orders, table } = begun((values) => (values.includes("attack") ? [against] : []));
    await orders.list(orders.node!.slots);
    orders.fillGroup("1st", "attack");
    await settled();
    expect(orders.objections).toEqual([against]);
    expect(orders.answer).toBeNull();
    await orders.confirm();
    expect(table.acted).toEqual([]);
    orders.set("a", "hold");
    orders.set("b", "hold");
    await settled();
    expect(orders.objections).toEqual([]);
    expect(orders.answer).toEqual({ keys: ["hold", "hold", "hold", "done"] });
  });

  test("nobody is scolded for what stood there before he chose", async () => {
    const { orders } = begun((values) => (values.includes("move") ? [] : [{ rule: "1.2", reason: "nobody moves", remedy: "choose somebody", slots: [] }]));
    await orders.list(orders.node!.slots);
    await settled();
    expect([orders.answer, orders.isUntouched]).toEqual([null, true]);
    orders.set("a", "attack");
    await settled();
    expect([orders.answer, orders.isUntouched]).toEqual([null, false]);
  });

  test("what is confirmed before it is judged waits for that", async () => {
    const against = { rule: "1.4", reason: "no support", remedy: "", slots: ["a", "b"] };
    const { orders, table } = begun((values) => (values.includes("attack") ? [against] : []));
    await orders.list(orders.node!.slots);
    orders.fillGroup("1st", "attack");
    await orders.confirm();
    expect([table.acted, orders.objections]).toEqual([[], [against]]);
  });

  test("what is pressed quickly is judged once more at the end, not at every press", async () => {
    const judged: string[] = [];
    const { orders } = begun((values) => {
      judged.push(values.join(" "));
      return [];
    });
    await orders.list(orders.node!.slots);
    await settled();
    judged.length = 0;
    for (const value of ["move", "attack", "hold", "move"]) orders.set("a", value);
    await settled();
    expect(judged).toEqual(["move hold hold", "move hold hold"]);
  });

  test("a refusal is told once: at its slot, in its formation, or above all", () => {
    const about = (...slots: string[]) => ({ rule: "1", reason: slots.join(), remedy: "", slots });
    const told = tellWhere(root, [about("a"), about("a", "b"), about("b", "c"), about()]);
    expect([...told.bySlot]).toEqual([["a", [about("a")]]]);
    const [first, second] = formationsOf(root);
    expect(told.inGroup(first!, true)).toEqual([about("a", "b")]);
    expect(told.inGroup(first!, false)).toEqual([about("a", "b"), about("a")]);
    expect(told.inGroup(second!, false)).toEqual([]);
    expect(told.above).toEqual([about("b", "c"), about()]);
    expect([...told.slots].sort()).toEqual(["a", "b", "c"]);
  });

  test("by keys one slot is taken in hand, then given values, one after the other", async () => {
    const { orders } = begun();
    await orders.list(orders.node!.slots);
    expect(orders.press("3")).toBe(true);
    expect([orders.slot, orders.values.a]).toEqual(["a", "hold"]);
    orders.press("3");
    orders.press("2");
    expect(orders.values).toEqual({ a: "attack", b: "move", c: "hold" });
    expect(orders.slot).toBe("c");
    expect(orders.press("9")).toBe(false);
  });

  test("a budget counts its own slots with their weights", () => {
    expect(used(attacks, root, { a: "attack", b: "attack", c: "attack" })).toBe(3);
    expect(used({ ...attacks, group: "", weights: {} }, root, { a: "attack", b: "hold", c: "attack" })).toBe(2);
  });
});
