import { describe, expect, test, vi } from "vitest";
import { branch, FakeTable, node, preview, slot } from "../testing/told";
import { Orders } from "./orders.svelte";
import { effectText } from "./outlooks.svelte";

const target = (key: string) => branch(key, { kind: "target" });
const firers = (key: string) => node("gather", { keys: [key], slots: [slot("U1", "gun"), slot("U2", "gun")] });
const list = node("pick", { branches: [target("T1"), target("T2"), branch("done", { kind: "done", ref: "", leaf: true })] });
const nodes = { T1: firers("T1"), T2: firers("T2"), "T2 group": firers("T2") };

describe("odds on the list of targets", () => {
  test("each has the chance of what it would offer at first; nothing waits for them", async () => {
    vi.useFakeTimers();
    const table = new FakeTable(list, nodes, [], (answer) => preview({ effect: answer.keys[0] === "T1" ? 0.25 : 0.5 }));
    const orders = new Orders(table.asTable);
    orders.follow();
    expect(orders.isBusy).toBe(false);
    expect(orders.outlooks.effects.size).toBe(0);
    await vi.runAllTimersAsync();
    expect([...orders.outlooks.effects]).toEqual([
      ["T1", 0.25],
      ["T2", 0.5],
    ]);
    expect(table.priced).toEqual([{ keys: ["T1", "gun", "gun", "done"] }, { keys: ["T2", "gun", "gun", "done"] }]);
    vi.useRealTimers();
  });

  test("a list that is gone asks for no more", async () => {
    vi.useFakeTimers();
    const table = new FakeTable(list, nodes, [], () => preview({ effect: 0.5 }));
    const orders = new Orders(table.asTable);
    orders.follow();
    await vi.advanceTimersByTimeAsync(70);
    table.ask = null;
    orders.follow();
    await vi.runAllTimersAsync();
    expect(table.priced).toEqual([]);
    expect(orders.outlooks.effects.size).toBe(0);
    vi.useRealTimers();
  });

  test("what the server does not tell is not shown", async () => {
    vi.useFakeTimers();
    const orders = new Orders(new FakeTable(list, nodes).asTable);
    orders.follow();
    await vi.runAllTimersAsync();
    expect(orders.outlooks.effects.size).toBe(0);
    vi.useRealTimers();
  });

  test("small and great chances are not rounded to none and certain", () => {
    expect([0, 0.004, 0.256, 0.996, 1].map(effectText)).toEqual(["0 %", "< 1 %", "26 %", "> 99 %", "100 %"]);
  });
});
