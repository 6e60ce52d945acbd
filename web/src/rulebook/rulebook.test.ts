import { describe, expect, it } from "vitest";
import type { WireEntry } from "../wire.gen";
import { rulebook, usesOf } from "./rulebook.svelte";

const entry = (seq: number, more: Partial<WireEntry>): WireEntry => ({ seq, kind: "action", seat: "axis", text: `entry ${seq}`, sentences: [], rolls: [], tracks: {}, back_to: null, rule: "", ...more });

const breakdown = (rule: string, term: string) => ({
  title: "To hit",
  rule,
  base: 0,
  base_label: "",
  terms: [{ label: "cover", value: -1, rule: term }],
  net: -1,
  total: -1,
  looked_up: false,
  result_label: "",
  final: "",
  text: "",
});

describe("where a rule was used", () => {
  it("finds questions, breakdowns and single terms, newest first", () => {
    const log = [
      entry(1, { rule: "4.2.1" }),
      entry(2, { sentences: [{ text: "G1 fires", breakdowns: [breakdown("4.4.3.2.3", "4.1.3")], kind: "", refs: [], beat: null }] }),
      entry(3, { rule: "4.2.1" }),
    ];
    expect(usesOf(log, "4.2.1").map((use) => use.seq)).toEqual([3, 1]);
    expect(usesOf(log, "4.1.3")).toEqual([{ seq: 2, text: "G1 fires" }]);
    expect(usesOf(log, "9.9")).toEqual([]);
  });

  it("gives no more than somebody reads", () => {
    const log = Array.from({ length: 20 }, (_, i) => entry(i, { rule: "1.1" }));
    expect(usesOf(log, "1.1")).toHaveLength(5);
  });
});

describe("what a rule says", () => {
  it("tells what of it is not here yet", () => {
    rulebook.lend(() => ({ shelf: { rules: { "3.8": "Close Combat" }, summaries: { "3.8": "Units fight." }, waits: { "3.8": "vehicles" } }, log: [] }));
    expect([rulebook.title("3.8"), rulebook.summary("3.8"), rulebook.waits("3.8"), rulebook.waits("3.7")]).toEqual(["Close Combat", "Units fight.", "vehicles", ""]);
  });
});
