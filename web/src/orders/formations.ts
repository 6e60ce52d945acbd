/** Slots in groups, what they take of the budgets that they share, and what stands against them. */

import type { Refusal, WireBudget, WireNode, WireSlot } from "../wire.gen";
import { wordFor } from "../words";
import type { Ticks } from "./gathering";

export interface Formation {
  name: string;
  slots: WireSlot[];
}

/** Things in groups by a name that each has, both in their order. */
export const grouped = <T>(all: readonly T[], nameOf: (one: T) => string): [string, T[]][] => {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const group = found.get(nameOf(one));
    if (group) group.push(one);
    else found.set(nameOf(one), [one]);
  }
  return [...found];
};

/** The groups of a node in their order; slots without one stand together under no name. */
export const formationsOf = (node: WireNode): Formation[] => grouped(node.slots, (slot) => slot.group).map(([name, slots]) => ({ name, slots }));

/** Whether a value names another slot, as one that is shared with it does. */
export const isWith = (node: WireNode, value: string): boolean => value.includes(" ") && node.slots.some((slot) => value.endsWith(` ${slot.key}`));

/** What an assignment takes of a budget. */
export const used = (budget: WireBudget, node: WireNode, values: Ticks): number =>
  node.slots
    .filter((slot) => !budget.group || slot.group === budget.group)
    .reduce((sum, slot) => sum + (budget.costs[values[slot.key] ?? ""] ?? 0) * (budget.weights[slot.key] ?? 1), 0);

/** How many of a formation stand at what, in a few words. */
export const summary = (slots: readonly WireSlot[], values: Ticks): string => {
  const counts = new Map<string, number>();
  for (const slot of slots) {
    const word = values[slot.key] ? wordFor(slot, values[slot.key]!) : "open";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts.size === 1 && slots.length > 1 ? `all ${[...counts.keys()][0]}` : [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
};

/** Whether a slot stands otherwise than it would if it were left alone. */
export const isChanged = (slot: WireSlot, values: Ticks): boolean => slot.plain !== "" && values[slot.key] !== slot.plain;

/** Where refusals are told: each once, at the slot or in the formation that it is about, else above all of them. */
export interface Told {
  above: Refusal[];
  /** Those of a formation; while it is folded also those of its slots. */
  inGroup: (formation: Formation, isOpen: boolean) => Refusal[];
  bySlot: Map<string, Refusal[]>;
  /** All slots that one of them is about. */
  slots: Set<string>;
}

export const tellWhere = (node: WireNode, refusals: readonly Refusal[]): Told => {
  const groups = new Map(node.slots.map((slot) => [slot.key, slot.group]));
  const byGroup = new Map<string, Refusal[]>();
  const bySlot = new Map<string, Refusal[]>();
  const above: Refusal[] = [];
  const put = (into: Map<string, Refusal[]>, key: string, one: Refusal): unknown => into.set(key, [...(into.get(key) ?? []), one]);
  for (const one of refusals) {
    const about = new Set(one.slots.map((key) => groups.get(key)));
    const [group] = about;
    if (one.slots.length === 1) put(bySlot, one.slots[0]!, one);
    else if (about.size === 1 && group) put(byGroup, group, one);
    else above.push(one);
  }
  const inGroup = ({ name, slots }: Formation, isOpen: boolean): Refusal[] => [...(byGroup.get(name) ?? []), ...(isOpen ? [] : slots.flatMap((slot) => bySlot.get(slot.key) ?? []))];
  return { above, inGroup, bySlot, slots: new Set(refusals.flatMap((one) => one.slots)) };
};

/** What each slot stands at before anybody chooses: its plain value, or the only one that it has. */
export const plainly = (node: WireNode): Ticks =>
  Object.fromEntries(node.slots.map((slot) => [slot.key, slot.plain || (slot.values.length === 1 ? slot.values[0]! : "")] as const).filter(([, value]) => value));

/** Whether every slot stands as it did before anybody chose. */
export const isPlain = (node: WireNode, values: Ticks): boolean => {
  const plain = plainly(node);
  return node.slots.every((slot) => (values[slot.key] ?? "") === (plain[slot.key] ?? ""));
};
