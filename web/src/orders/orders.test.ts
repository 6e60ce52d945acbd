import { describe, expect, test } from "vitest";
import { branch, counter, FakeTable, node, preview, slot, way } from "../testing/told";
import type { Answer } from "../net/table.svelte";
import type { Tried, WireSketch } from "../wire.gen";
import { Orders } from "./orders.svelte";

const begun = (table: FakeTable): Orders => {
  const orders = new Orders(table.asTable);
  orders.follow();
  return orders;
};

/** What the code under test set going is done. */
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

describe("pick", () => {
  const root = node("pick", { branches: [branch("U1"), branch("U2"), branch("pass", { kind: "pass", ref: "", leaf: true })] });
  const deeper = node("pick", { keys: ["U1"], branches: [branch("T", { kind: "target", leaf: true })] });

  test("a counter leads to the next choice, Back before it", async () => {
    const orders = begun(new FakeTable(root, { U1: deeper }));
    await orders.unit("U1");
    expect(orders.node).toBe(deeper);
    expect(orders.trail.map((crumb) => crumb.ref)).toEqual(["U1"]);
    orders.back();
    expect(orders.node).toBe(root);
    expect(orders.canGoBack).toBe(false);
  });

  test("what ends the question is sent at once", async () => {
    const table = new FakeTable(root);
    const orders = begun(table);
    await orders.choose(root.branches[2]!);
    expect(table.acted).toEqual([{ keys: ["pass"] }]);
  });

  test("a leaf with odds waits to be confirmed", async () => {
    const chances = [
      { what: "hit", probability: 0.5 },
      { what: "", probability: 0.5 },
    ] as unknown as ReturnType<typeof preview>["chances"];
    const table = new FakeTable(root, { U1: deeper }, [], () => preview({ chances }));
    const orders = begun(table);
    await orders.unit("U1");
    await orders.choose(deeper.branches[0]!);
    expect(table.acted).toEqual([]);
    expect(orders.answer).toEqual({ keys: ["U1", "T"] });
    await orders.confirm();
    expect(table.acted).toEqual([{ keys: ["U1", "T"] }]);
  });

  test("a half-made answer stays with its question and goes with it", async () => {
    const table = new FakeTable(root, { U1: deeper });
    const orders = begun(table);
    await orders.unit("U1");
    orders.follow();
    expect(orders.node).toBe(deeper);
    table.next(root);
    orders.follow();
    expect(orders.node).toBe(root);
    expect(orders.trail).toEqual([]);
  });

  test("another counter takes the place of the one in hand", async () => {
    const other = node("pick", { keys: ["U2"], branches: [branch("V")] });
    const orders = begun(new FakeTable(root, { U1: deeper, U2: other }));
    await orders.unit("U1");
    await orders.unit("U2");
    expect(orders.node).toBe(other);
    expect(orders.trail.map((crumb) => crumb.ref)).toEqual(["U2"]);
  });
});

describe("ways to do the same", () => {
  const order = (key: string) => branch(key, { kind: "order", ref: "" });
  const root = node("pick", { branches: [branch("U1")] });
  const both = node("pick", { keys: ["U1"], branches: [order("slow"), order("fast")] });
  const along = (key: string) => node("path", { keys: ["U1", key], destinations: [way("A2", "to A2")] });
  const kinds = (key: string) => node("pick", { keys: ["U1", key], branches: [order("this"), order("that")] });

  test("of ways to go the first is taken at once, and the other beside it", async () => {
    const orders = begun(new FakeTable(root, { U1: both, "U1 slow": along("slow"), "U1 fast": along("fast") }));
    await orders.unit("U1");
    expect(orders.modes?.chosen).toBe("slow");
    await orders.mode(both, both.branches[1]!);
    expect(orders.node?.keys).toEqual(["U1", "fast"]);
    orders.back();
    expect(orders.node).toBe(root);
  });

  test("what leads to no path is chosen by whoever plays", async () => {
    const orders = begun(new FakeTable(root, { U1: both, "U1 slow": kinds("slow"), "U1 fast": kinds("fast") }));
    await orders.unit("U1");
    expect(orders.node).toBe(both);
    expect(orders.standing.map((one) => one.label)).toEqual(["slow", "fast"]);
    await orders.choose(both.branches[1]!);
    expect(orders.node?.keys).toEqual(["U1", "fast"]);
    expect(orders.trail.map((crumb) => crumb.label)).toEqual(["U1", "fast"]);
  });

  test("a way that leads to no path is a step from which Back leads to the ways", async () => {
    const orders = begun(new FakeTable(root, { U1: both, "U1 slow": along("slow"), "U1 fast": kinds("fast") }));
    await orders.unit("U1");
    await orders.mode(both, both.branches[1]!);
    expect(orders.standing.map((one) => one.label)).toEqual(["this", "that"]);
    orders.back();
    expect(orders.node).toBe(both);
  });
});

describe("assign", () => {
  const root = node("assign", { slots: [slot("U1", "MOVE", "FIRE"), slot("U2", "NC")] });

  test("a slot with one value has it; the answer waits for the rest", () => {
    const orders = begun(new FakeTable(root));
    expect(orders.values).toEqual({ U2: "NC" });
    expect(orders.answer).toBeNull();
    orders.set("U1", "FIRE");
    expect(orders.answer).toEqual({ keys: ["FIRE", "NC", "done"] });
  });

  test("one value for all passes over those who cannot take it", () => {
    const orders = begun(new FakeTable(node("assign", { slots: [slot("U1", "MOVE", "FIRE"), slot("U2", "FIRE", "NC")] })));
    orders.fill("MOVE");
    expect(orders.values).toEqual({ U1: "MOVE" });
    expect(orders.open.map((one) => one.key)).toEqual(["U2"]);
  });
});

describe("path", () => {
  const root = node("path", { keys: ["U1"], destinations: [way("k1", "to B2 facing N (3)", { ref: "B2" }), way("k2", "to B2 facing S (4)", { ref: "B2" })] });

  test("a second press on a chosen hex confirms it", async () => {
    const table = new FakeTable(root);
    const orders = begun(table);
    await orders.hex("B2");
    expect(orders.answer).toEqual({ keys: ["U1"], to: "k1" });
    expect(table.acted).toEqual([]);
    await orders.hex("B2");
    expect(table.acted).toEqual([{ keys: ["U1"], to: "k1" }]);
  });

  test("the way under a resting pointer is asked for once", async () => {
    const table = new FakeTable(root);
    const orders = begun(table);
    await Promise.all([orders.look("B2"), orders.look("B2")]);
    expect(table.priced).toEqual([{ keys: ["U1"], to: "k1" }]);
    await orders.look(null);
    expect(orders.glimpse).toBeNull();
  });

  test("a counter in a hex that can be gone to: which is meant is asked", async () => {
    const start = node("pick", { branches: [branch("U1"), branch("U2")] });
    const orders = begun(new FakeTable(start, { U1: root }, [counter("U1"), counter("U2", { hex: "B2" })]));
    await orders.unit("U1");
    await orders.unit("U2");
    expect(orders.doubt).toEqual({ unit: "U2", hex: "B2" });
    orders.back();
    expect(orders.doubt).toBeNull();
    expect(orders.node).toBe(root);
  });
});

describe("gather", () => {
  const root = node("gather", { keys: ["T"], slots: [slot("U1", "fires"), slot("U2", "fires")] });

  test("those who are not ticked are left out of the answer", async () => {
    const table = new FakeTable(root, {}, [], (answer) => preview({ units: root.slots.filter((_, i) => answer.keys[i + 1] !== "-").map((one) => one.key) }));
    const orders = begun(table);
    await settled();
    expect(orders.answer).toEqual({ keys: ["T", "fires", "fires", "done"] });
    await orders.unit("U1");
    await settled();
    expect(orders.answer).toEqual({ keys: ["T", "-", "fires", "done"] });
  });

  /** A server where U1 and U2 do not go together, and L goes with U1 alone. */
  const three = node("gather", { keys: ["T"], slots: [slot("U1", "fires"), slot("U2", "fires"), slot("L", "directs")] });
  const settle = (answer: Answer): Answer => {
    let [u1, u2, l] = answer.keys.slice(1, 4) as [string, string, string];
    if (u1 === "-" && u2 === "-") u1 = "fires";
    if (u1 !== "-") u2 = "-";
    else l = "-";
    return { keys: ["T", u1, u2, l, "done"] };
  };
  const told = (answer: Answer): ReturnType<typeof preview> => preview({ text: answer.keys.join(" ") });

  test("who was left out is taken instead, and whom he needs with him", async () => {
    const table = new FakeTable(three, {}, [], told, settle);
    const orders = begun(table);
    await settled();
    expect(orders.values).toEqual({ U1: "fires", L: "directs" });
    expect(orders.leftOut).toEqual(["U2"]);
    orders.swap();
    expect(orders.answer, "nothing can be sent before its odds are told").toBeNull();
    await settled();
    expect(orders.values).toEqual({ U2: "fires" });
    expect(orders.leftOut).toEqual(["U1", "L"]);
    orders.set("U2", "");
    await settled();
    expect(orders.answer).toBeNull();
    orders.set("L", "directs");
    await settled();
    expect(orders.values).toEqual({ U1: "fires", L: "directs" });
    expect(orders.joined).toEqual(["U1"]);
  });

  test("whatever is pressed in whatever order: ticks, what is told and what is sent are one", async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let game = 0; game < 60; game++) {
      const table = new FakeTable(three, {}, [], told, settle);
      const orders = begun(table);
      for (let press = 0; press < 1 + random(7); press++) {
        if (random(3) === 0) orders.swap();
        else await orders.unit(three.slots[random(3)]!.key);
        if (random(2)) await settled();
        if (random(4) === 0) await orders.confirm();
        if (table.acted.length) break;
      }
      if (!table.acted.length) {
        await settled();
        await orders.confirm();
      }
      const sent = table.acted[0];
      if (!sent) continue;
      expect(settle(sent)).toEqual(sent);
      expect(orders.preview?.text).toBe(sent.keys.join(" "));
      expect(three.slots.map((one) => orders.values[one.key] || "-")).toEqual(sent.keys.slice(1, 4));
    }
  });
});

describe("looking", () => {
  const root = node("pick", { branches: [branch("U1")] });

  test("at an enemy or an unlit hex is no error: it is regarded, and why it is no choice stands beside it", async () => {
    const orders = begun(new FakeTable(root, {}, [counter("U1"), counter("E1", { side: "red", hex: "C3" })]));
    await orders.unit("E1");
    expect(orders.refusal).toBeNull();
    expect(orders.regarded?.ref).toBe("E1");
    expect(orders.regarded?.why?.rule).toBe("9.9");
    await orders.hex("C3");
    expect(orders.refusal).toBeNull();
    expect(orders.regarded).toEqual({ ref: "C3", isHex: true, why: null });
  });

  test("at a counter with the name of a hex", async () => {
    const orders = begun(new FakeTable(root, {}, [counter("B1", { hex: "C3" }), counter("X", { hex: "B1" })]));
    await orders.unit("B1");
    expect(orders.regarded).toMatchObject({ ref: "B1", isHex: false });
    expect(orders.regarded?.why?.reason).toContain("B1");
    await orders.hex("B1");
    expect(orders.regarded).toMatchObject({ ref: "B1", isHex: true });
  });

  test("a counter with the name of a hex that can be chosen is not that hex, and the other way round", async () => {
    const counters = [counter("U1"), counter("B1", { side: "red", hex: "C3" })];
    const table = new FakeTable(node("pick", { branches: [branch("hex B1", { kind: "hex", ref: "B1", is_hex: true })] }), {}, counters);
    const orders = begun(table);
    await orders.unit("B1");
    expect(table.acted).toEqual([]);
    expect(orders.regarded).toMatchObject({ ref: "B1", isHex: false });
    expect(table.whyNots).toEqual([{ ref: "B1", isHex: false }]);
    expect([orders.canChoose("B1", true), orders.canChoose("B1", false)]).toEqual([true, false]);
    const other = begun(new FakeTable(node("pick", { branches: [branch("B1")] }), { B1: node("pick", { keys: ["B1"], branches: [branch("T", { leaf: true })] }) }, counters));
    await other.hex("B1");
    expect(other.trail).toEqual([]);
    expect(other.regarded).toMatchObject({ ref: "B1", isHex: true });
    await other.unit("B1");
    expect(other.trail).toHaveLength(1);
  });

  test("where hexes are chosen, an unlit one says why it is none", async () => {
    const path = node("path", { keys: ["U1"], destinations: [way("k", "to B2 (3)", { ref: "B2" })] });
    const table = new FakeTable(path, {}, [counter("E1", { hex: "C3" })]);
    const orders = begun(table);
    await orders.hex("C3");
    expect(orders.regarded?.why?.reason).toContain("C3");
    // A choice ends the look.
    await orders.hex("B2");
    expect(orders.regarded).toBeNull();
  });

  test("Back ends the look before it goes back", async () => {
    const orders = begun(new FakeTable(root, { U1: node("pick", { keys: ["U1"], branches: [branch("T", { leaf: true })] }) }, [counter("E1")]));
    await orders.unit("U1");
    await orders.unit("E1");
    orders.back();
    expect(orders.regarded).toBeNull();
    expect(orders.trail).toHaveLength(1);
  });
});

describe("a drawing that is confirmed", () => {
  const DRIVE = { verbs: ["go"], turns: true, base: [1000, 1000], start: [4000, 4000], heading: 0, rails: {}, region: [], followers: [] } as unknown as WireSketch;
  const sweep = node("sweep", { keys: ["U1"], sketch: DRIVE, branches: [branch("stay", { kind: "drawing", leaf: true })] });
  const tried = { type: "Tried", re: 1, v: 1, marks: [], upto: 1, refusal: null } as unknown as Tried;

  test("is not sent to a question that came meanwhile", async () => {
    const table = new FakeTable(sweep);
    const walk = async (keys: string[]) => {
      table.next(node("pick", { branches: [branch("U2")] }));
      orders.follow();
      return node("leaf", { keys });
    };
    const orders = begun(Object.assign(table, { tryDrawing: async () => tried, walk }));
    await settled();
    expect(orders.answer).toEqual({ keys: ["U1", "stay"] });
    await orders.confirm();
    expect(table.acted).toEqual([]);
  });

  test("is sent to its own", async () => {
    const table = new FakeTable(sweep, { "U1 stay": node("leaf", { keys: ["U1", "stay"] }) });
    const orders = begun(Object.assign(table, { tryDrawing: async () => tried }));
    await settled();
    await orders.confirm();
    expect(table.acted).toEqual([{ keys: ["U1", "stay"] }]);
  });
});
