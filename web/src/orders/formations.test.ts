import { describe, expect, test } from "vitest";
import { FakeTable, node, slot } from "../testing/told";
import type { WireBudget, WireSlot } from "../wire.gen";
import { bySlot, changed, formationsOf, used } from "./formations";
import { Orders } from "./orders.svelte";

const unlisted = (key: string, group: string): WireSlot => ({ ...slot(key), listed: false, plain: "hold", group });
const listed = (key: string, group: string): WireSlot => ({ ...slot(key, "hold", "move", "attack"), plain: "hold", group });
const attacks: WireBudget = { label: "Attacks", most: 1, rule: "1.3", costs: { attack: 1 }, group: "1st", weights: { b: 2 } };
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

  test("a whole formation is given an order at once", async () => {
    const { orders } = begun();
    await orders.fillGroup("1st", "move");
    expect(orders.values).toEqual({ a: "move", b: "move", c: "hold" });
    expect(changed(orders.node!.slots, orders.values)).toBe(2);
  });

  test("what the rules have against it stands at the slots, and nothing is sent", async () => {
    const against = { rule: "1.4", reason: "no support", remedy: "", slots: ["a", "b"] };
    const { orders } = begun((values) => (values.includes("attack") ? [against] : []));
    await orders.fillGroup("1st", "attack");
    await settled();
    expect([...bySlot(orders.objections).keys()].sort()).toEqual(["a", "b"]);
    expect(orders.answer).toBeNull();
    orders.set("a", "hold");
    orders.set("b", "hold");
    await settled();
    expect(orders.objections).toEqual([]);
    expect(orders.answer).not.toBeNull();
  });

  test("a budget counts its own slots with their weights", () => {
    expect(used(attacks, root, { a: "attack", b: "attack", c: "attack" })).toBe(3);
    expect(used({ ...attacks, group: "", weights: {} }, root, { a: "attack", b: "hold", c: "attack" })).toBe(2);
  });
});
