import { describe, expect, test } from "vitest";
import { branch, FakeTable, node, slot, way } from "../testing/told";
import { Orders } from "./orders.svelte";
import { endsOf, ordersOf, placeOf, Standing } from "./standing";

const order = (key: string) => branch(key, { kind: "order", ref: "" });
const move = order("move");
const fire = order("fire");
const rally = order("rally");

describe("orders", () => {
  test("keep place and key while the question is of one kind, also those that cannot be given now", () => {
    const standing = new Standing();
    expect(standing.arrange("3.3", [move, fire, rally]).map((place) => place.label)).toEqual(["move", "fire", "rally"]);
    const later = standing.arrange("3.3", [rally, move]);
    expect(later.map((place) => [place.label, place.branch !== null])).toEqual([
      ["move", true],
      ["fire", false],
      ["rally", true],
    ]);
    expect(placeOf("3", later)?.branch).toBe(rally);
    expect(placeOf("9", later)).toBeUndefined();
    expect(standing.arrange("3.4", [rally]).map((place) => place.label)).toEqual(["rally"]);
  });

  test("a question that offers ever other ones keeps no gaps for those that are gone", () => {
    const standing = new Standing();
    standing.arrange("q", Array.from({ length: 6 }, (_, i) => order(`a${i}`)));
    const places = standing.arrange("q", Array.from({ length: 6 }, (_, i) => order(`b${i}`)));
    expect(places.map((place) => place.label)).toEqual(["b0", "b1", "b2", "b3", "b4", "b5"]);
  });

  test("orders of other kinds altogether are another question under the same rule", () => {
    const standing = new Standing();
    standing.arrange("23.1.3 0", [branch("north", { kind: "zone", ref: "" })]);
    expect(standing.arrange("23.1.3 0", [order("1st Platoon")]).map((place) => place.label)).toEqual(["1st Platoon"]);
  });

  test("what ends a question stands apart, of a path as well", () => {
    const end = branch("done", { kind: "done", ref: "", leaf: true });
    const pick = node("pick", { branches: [branch("U1"), end, move] });
    expect(endsOf(pick)).toEqual([end]);
    expect(ordersOf(pick)).toEqual([move]);
    const stop = branch("stop", { kind: "stop", ref: "", leaf: true });
    expect(endsOf(node("path", { branches: [stop], destinations: [way("k", "to B2", { ref: "B2" })] }))).toEqual([stop]);
  });

  test("columns of commands stay where they were, though the first vehicle can take fewer now", () => {
    const standing = new Standing();
    expect(standing.columns("4.2", node("assign", { slots: [slot("U1", "FIRE", "MOVE", "NC")] }))).toEqual(["FIRE", "MOVE", "NC"]);
    expect(standing.columns("4.2", node("assign", { slots: [slot("U1", "NC"), slot("U2", "MOVE", "FIRE", "OW")] }))).toEqual(["FIRE", "MOVE", "NC", "OW"]);
  });

  test("a command shared with a unit that is lost since has no column", () => {
    const standing = new Standing();
    standing.columns("6.2", node("assign", { slots: [slot("U1", "MOVE", "NC"), slot("U2", "MOVE", "MOVE with U1", "NC")] }));
    expect(standing.columns("6.2", node("assign", { slots: [slot("U2", "MOVE", "NC")] }))).toEqual(["MOVE", "NC"]);
  });

  test("values that are other ones every time are not remembered", () => {
    const standing = new Standing();
    standing.columns("6.6", node("assign", { slots: [slot("U1", "aboard", ...Array.from({ length: 9 }, (_, i) => `A${i}`))] }));
    expect(standing.columns("6.6", node("assign", { slots: [slot("U2", "afoot", "mounts")] }))).toEqual(["afoot", "mounts"]);
  });

  test("directions are told without those that are closed", () => {
    const standing = new Standing();
    const facing = (key: string) => branch(key, { kind: "facing", ref: "", leaf: true });
    standing.arrange("6.7", [facing("N"), facing("NE")]);
    expect(standing.arrange("6.7", [facing("S")]).map((place) => place.label)).toEqual(["S"]);
  });
});

describe("keys", () => {
  test("a number gives the order in its place, and nothing where it cannot be given now", async () => {
    const both = node("pick", { branches: [move, fire] });
    const table = new FakeTable(both, { move: node("pick", { keys: ["move"], branches: [branch("U1", { leaf: true })] }) });
    const orders = new Orders(table.asTable);
    orders.follow();
    table.next(node("pick", { branches: [fire] }));
    orders.follow();
    expect(orders.standing.map((place) => [place.label, place.branch !== null])).toEqual([
      ["move", false],
      ["fire", true],
    ]);
    expect(orders.press("1")).toBe(false);
    table.next(both);
    orders.follow();
    expect(orders.press("1")).toBe(true);
    await new Promise((done) => setTimeout(done));
    expect(orders.node?.keys).toEqual(["move"]);
  });

  test("a number gives the current slot the value of that column", () => {
    const table = new FakeTable(node("assign", { slots: [slot("U1", "FIRE", "MOVE", "NC")] }));
    const orders = new Orders(table.asTable);
    orders.follow();
    table.next(node("assign", { slots: [slot("U1", "NC", "MOVE")] }));
    orders.follow();
    expect(orders.press("2")).toBe(true);
    expect(orders.values).toEqual({ U1: "MOVE" });
    expect(orders.press("1"), "not FIRE, for it cannot").toBe(false);
  });
});
