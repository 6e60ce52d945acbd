/** Why something cannot be chosen, asked of the server once each. */

import type { Table } from "../net/table.svelte";
import type { Refusal, WireNode, WireSlot } from "../wire.gen";
import { wordFor } from "../words";

export class Reasons {
  private readonly known = new Map<string, Refusal | null>();

  constructor(private readonly table: Table) {}

  clear(): void {
    this.known.clear();
  }

  /** Why a counter or a place cannot be picked at a node, or null if it can. */
  async pick(node: WireNode, ref: string, isHex: boolean): Promise<Refusal | null> {
    const key = JSON.stringify([this.table.ask?.question, node.keys, ref, isHex]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const why = await this.table.whyNot(node.keys, ref, isHex).catch(() => null);
    const refusal = why && !why.allowed ? why.refusal : null;
    this.known.set(key, refusal);
    return refusal;
  }

  /** Why a slot cannot take a value. */
  async value(node: WireNode, slot: WireSlot, value: string): Promise<Refusal & { about: string }> {
    const about = `${slot.label}: ${wordFor(slot, value)}`;
    const why = await this.table.whyNot([...node.keys, value], slot.key, false).catch(() => null);
    if (why?.refusal?.rule) return { ...why.refusal, about };
    return { rule: this.table.ask?.rule ?? "", reason: "not possible in this position", remedy: `possible: ${slot.values.map((one) => wordFor(slot, one)).join(", ")}`, slots: [slot.key], about };
  }
}
