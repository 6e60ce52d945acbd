/** What a server might tell, for unit tests: everything has a value, a test names only what it is about. */

import type { Answer, Quote, Table } from "../net/table.svelte";
import type { Ask, WireBranch, Counter, WireNode, Preview, Refusal, Scene, WireSlot, Destination, Why } from "../wire.gen";

export const counter = (id: string, more: Partial<Counter> = {}): Counter => ({
  id,
  side: "blue",
  face: { symbol: "", title: id, code: id, colour: "grey", values: [], layout: "" },
  hex: "A1",
  box: "",
  facing: null,
  markers: [],
  spine: null,
  turret: null,
  held_by: "",
  spotted_by: null,
  heading: null,
  turret_heading: null,
  base: null,
  is_top: false,
  ...more,
});

export const branch = (key: string, more: Partial<WireBranch> = {}): WireBranch => ({ key, kind: "unit", label: key, ref: key, is_hex: false, leaf: false, ...more });

export const slot = (key: string, ...values: string[]): WireSlot => ({ key, kind: "unit", label: key, values, required: true, words: [], listed: true, plain: "", group: "", note: "" });

export const way = (key: string, label: string, more: Partial<Destination> = {}): Destination => ({ key, kind: "hex", label, ref: key, facing: null, cost: null, ...more });

export const node = (shape: WireNode["shape"], more: Partial<WireNode> = {}): WireNode => ({ shape, keys: [], branches: [], slots: [], destinations: [], budgets: [], limited: false, foretold: false, sketch: null, ...more });

export const preview = (more: Partial<Preview> = {}): Preview => ({ text: "", chances: [], exact: true, breakdowns: [], steps: [], units: [], unit_odds: [], what_ifs: [], effect: null, areas: [], sheet: null, ...more });

const ask = (root: WireNode, question: number): Ask => ({ question, rule: "1.1", title: "What now?", root });

/** A table without a server: nodes by the keys that lead to them, and what was asked and sent. */
export class FakeTable {
  ask: Ask | null;
  scene: Scene;
  atlas: { byLabel: Map<string, unknown> };
  readonly acted: Answer[] = [];
  readonly whyNots: { ref: string; isHex: boolean }[] = [];
  readonly priced: Answer[] = [];
  /** Slots whose values were asked for, and what is told of them. */
  readonly listed: string[] = [];
  known: Record<string, WireSlot> = {};
  judging: (values: string[]) => Refusal[] = () => [];

  constructor(
    root: WireNode,
    readonly nodes: Record<string, WireNode> = {},
    counters: readonly Counter[] = [],
    private readonly prices: (answer: Answer) => Preview = () => preview(),
    private readonly settle: (answer: Answer) => Answer = (answer) => answer,
  ) {
    this.ask = ask(root, 1);
    this.scene = { counters } as unknown as Scene;
    this.atlas = { byLabel: new Map(counters.map((one) => [one.hex, one])) };
  }

  /** Another question is open. */
  next(root: WireNode): void {
    this.ask = ask(root, (this.ask?.question ?? 0) + 1);
  }

  async walk(keys: string[]): Promise<WireNode> {
    const found = this.nodes[keys.join(" ")];
    if (!found) throw new Error(`no node at ${keys.join(" ")}`);
    return found;
  }

  async values(_: string[], slots: string[]): Promise<WireSlot[]> {
    this.listed.push(...slots);
    return slots.map((key) => this.known[key] ?? slot(key));
  }

  async judge(_: string[], values: string[]): Promise<Refusal[]> {
    return this.judging(values);
  }

  /** As a server does: the preview is that of the settled answer, which comes with it. */
  async price(wanted: Answer): Promise<Quote> {
    this.priced.push(wanted);
    const answer = this.settle(wanted);
    return { answer, preview: this.prices(answer) };
  }

  async act(answer: Answer): Promise<null> {
    this.acted.push(answer);
    return null;
  }

  async whyNot(_keys: string[], ref: string, isHex: boolean): Promise<Why> {
    this.whyNots.push({ ref, isHex });
    return { allowed: false, refusal: { rule: "9.9", reason: `${ref} is not asked`, remedy: "", slots: [] } };
  }

  /** As the code under test takes it. */
  get asTable(): Table {
    return this as unknown as Table;
  }
}
