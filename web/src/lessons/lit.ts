/** What somebody has to press next to do what a lesson wants: the way of the answer, laid over the answer as it is. */

import type { Orders } from "../orders/orders.svelte";
import type { Sketch } from "../orders/sketch.svelte";
import type { WireLesson, WireNode } from "../wire.gen";

export interface Lit {
  /** Keys of the options in the panel, any of which is right. */
  options: string[];
  /** Counters and hexes that can be pressed on the map instead. */
  refs: string[];
}

const NOTHING: Lit = { options: [], refs: [] };
const CONFIRM: Lit = { options: ["confirm"], refs: [] };

type Half = Pick<Orders, "node" | "values" | "way" | "leaf" | "modes"> & { sketch: Pick<Sketch, "isNear"> | null };

const isOnTheWay = (keys: readonly string[], way: readonly string[]): boolean => keys.every((key, i) => key === way[i]);

/** The drawing that a lesson wants at a node, if there is one. */
export const wantedDrawing = (node: WireNode, lesson: WireLesson | null): { key: string; label: string } | null => {
  const key = lesson?.does && isOnTheWay(node.keys, lesson.keys) ? lesson.keys[node.keys.length] : undefined;
  return lesson && key !== undefined ? { key, label: lesson.want } : null;
};

export const nextPress = (orders: Half, lesson: Pick<WireLesson, "does" | "keys" | "to"> | null): Lit => {
  const node = orders.node;
  if (!node || !lesson?.does) return NOTHING;
  const way = lesson.keys;
  const modes = orders.modes;
  if (modes && isOnTheWay(modes.node.keys, way) && modes.chosen !== way[modes.node.keys.length]) return { options: [`mode-${way[modes.node.keys.length]}`], refs: [] };
  if (!isOnTheWay(node.keys, way)) return { options: ["back"], refs: [] };
  const next = way[node.keys.length];
  if (node.shape === "assign") {
    const open = node.slots.map((slot, i) => ({ slot, value: way[node.keys.length + i] })).filter(({ slot, value }) => orders.values[slot.key] !== value);
    return open.length ? { options: open.slice(0, 1).map(({ slot, value }) => `${slot.key}:${value}`), refs: [] } : CONFIRM;
  }
  if (node.shape === "gather") {
    const wrong = node.slots.filter((slot, i) => (orders.values[slot.key] || "-") !== way[node.keys.length + i]);
    return wrong.length ? { options: [wrong[0]!.key], refs: [] } : CONFIRM;
  }
  if (node.shape === "path") {
    if (orders.way?.key === lesson.to) return CONFIRM;
    const goal = node.destinations.find((one) => one.key === lesson.to);
    return { options: [lesson.to], refs: goal?.ref ? [goal.ref] : [] };
  }
  // Where something is drawn, whatever ends there will do.
  if (orders.sketch && next !== undefined) return orders.sketch.isNear(next) ? CONFIRM : { options: [next], refs: [] };
  if (orders.leaf) return orders.leaf.key === next ? CONFIRM : { options: ["back"], refs: [] };
  const branch = node.branches.find((one) => one.key === next);
  return branch ? { options: [branch.key], refs: branch.ref ? [branch.ref] : [] } : NOTHING;
};
