/** Slots in groups, and what they take of the budgets that they share. */

import type { Refusal, WireBudget, WireNode, WireSlot } from "../wire.gen";
import type { Ticks } from "./gathering";

export interface Formation {
  name: string;
  slots: WireSlot[];
}

/** The groups of a node in their order; slots without one stand together under no name. */
export const formationsOf = (node: WireNode): Formation[] => {
  const found = new Map<string, WireSlot[]>();
  for (const slot of node.slots) found.set(slot.group, [...(found.get(slot.group) ?? []), slot]);
  return [...found].map(([name, slots]) => ({ name, slots }));
};

/** What an assignment takes of a budget. */
export const used = (budget: WireBudget, node: WireNode, values: Ticks): number =>
  node.slots
    .filter((slot) => !budget.group || slot.group === budget.group)
    .reduce((sum, slot) => sum + (budget.costs[values[slot.key] ?? ""] ?? 0) * (budget.weights[slot.key] ?? 1), 0);

/** Slots that do not stand as they would if they were left alone. */
export const changed = (slots: readonly WireSlot[], values: Ticks): number => slots.filter((slot) => slot.plain && values[slot.key] !== slot.plain).length;

/** Refusals by the slots that they are about. */
export const bySlot = (refusals: readonly Refusal[]): Map<string, Refusal> => new Map(refusals.toReversed().flatMap((one) => one.slots.map((key) => [key, one] as const)));

/** What each slot stands at before anybody chooses: its plain value, or the only one that it has. */
export const plainly = (node: WireNode): Ticks =>
  Object.fromEntries(node.slots.map((slot) => [slot.key, slot.plain || (slot.values.length === 1 ? slot.values[0]! : "")] as const).filter(([, value]) => value));
