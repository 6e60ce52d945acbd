/**
 * Where orders stand. An order has the place, and the number key, that it had when it was first offered in this kind of
 * question; one that cannot be given now keeps its place. What ends a question stands at the bottom, whatever is above.
 */

import type { WireBranch, WireNode } from "../wire.gen";
import { isWith } from "./formations";
import { placeless } from "./ways";

/** An order in its place; `branch` is null where it cannot be given now. */
export interface Stand {
  id: string;
  kind: string;
  label: string;
  branch: WireBranch | null;
}

const ENDS = new Set(["pass", "done", "stop"]);
/** As many have a number key. */
const MOST = 9;

/** Choices that complete the answer and are about nothing on the map. */
export const endsOf = (node: WireNode): WireBranch[] => {
  const ends = node.branches.filter((branch) => branch.leaf && !branch.ref);
  if (node.shape !== "path") return node.shape === "pick" ? ends.filter((branch) => ENDS.has(branch.kind)) : [];
  const elsewhere = new Set(placeless(node).map((way) => way.key));
  return ends.filter((branch) => !elsewhere.has(branch.key));
};

/** Choices that are about nothing on the map and lead on. */
export const ordersOf = (node: WireNode): WireBranch[] => {
  const ends = new Set(endsOf(node));
  return node.shape === "pick" ? node.branches.filter((branch) => !branch.ref && !ends.has(branch)) : [];
};

export class Standing {
  private readonly known = new Map<string, Stand[]>();
  private readonly values = new Map<string, string[]>();

  /** The orders of one kind of question, each in its place. */
  arrange(question: string, branches: readonly WireBranch[]): Stand[] {
    const now = new Map(branches.map((branch) => [`${branch.kind} ${branch.key}`, branch]));
    const before = this.known.get(question) ?? [];
    const kinds = new Set(branches.map((branch) => branch.kind));
    // Orders of other kinds altogether are another question under the same rule.
    const isOther = branches.length > 0 && !before.some((place) => kinds.has(place.kind));
    // Directions are read off a compass: those that are closed have no place.
    const known = isOther || branches.every((branch) => branch.kind === "facing") ? [] : before;
    const fresh = [...now].filter(([id]) => !known.some((place) => place.id === id)).map(([id, branch]) => ({ id, kind: branch.kind, label: branch.label, branch }));
    const places = [...known.map((place) => ({ ...place, label: now.get(place.id)?.label ?? place.label, branch: now.get(place.id) ?? null })), ...fresh];
    // A question whose choices are other ones every time has none that could be found again.
    const kept = places.length > MOST ? places.filter((place) => place.branch) : places;
    this.known.set(question, kept);
    return kept;
  }

  /** The values that slots of one kind of question take, each in its place; those that name another slot have none. */
  columns(question: string, node: WireNode): string[] {
    const now = new Set(node.slots.flatMap((slot) => slot.values).filter((value) => !isWith(node, value)));
    const values = [...new Set([...(this.values.get(question) ?? []), ...now])];
    const kept = values.length > MOST ? values.filter((value) => now.has(value)) : values;
    this.values.set(question, kept);
    return kept;
  }
}

/** The place that a number key stands for. */
export const placeOf = <T>(key: string, places: readonly T[]): T | undefined => (/^[1-9]$/.test(key) ? places[Number(key) - 1] : undefined);
