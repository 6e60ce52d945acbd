/**
 * How counters lie in a hex: piles that lean on one another, what somebody holds small upon him, signs of what is covered;
 * and what a press there means.
 */

import type { Point } from "../../geo/hex";
import type { Counter, Marker } from "../../wire.gen";
import { isSeenFromAfar } from "./face";
import { widthOf } from "./fit";

/** Units of the drawing to a world unit: text needs sizes that are not tiny. */
export const U = 100;

/** Size of a counter that lies upon its owner. */
const HELD = 0.5;

/** A counter with those that lie upon it and belong to it, as weapons do to their owner. */
interface Pile {
  counter: Counter;
  held: Counter[];
}

/** A stack as piles, from the bottom to the top. */
const pilesOf = (stack: readonly Counter[]): Pile[] => {
  const ids = new Set(stack.map((counter) => counter.id));
  return stack
    .filter((counter) => !ids.has(counter.held_by))
    .map((counter) => ({ counter, held: stack.filter((one) => one.held_by === counter.id) }));
};

export interface Placed {
  counter: Counter;
  x: number;
  y: number;
  scale: number;
}

/** Where each counter of a stack lies around the middle of its hex, from the bottom to the top. */
export const placeStack = (stack: readonly Counter[], c: Point, grow: number): Placed[] => {
  const out: Placed[] = [];
  const piles = pilesOf(stack);
  // High stacks lean less, so that they stay in their hex.
  const offset = Math.min(15, 50 / piles.length);
  const scale = grow * (piles.length > 1 ? 0.9 : 1);
  piles.forEach(({ counter, held }, i) => {
    const k = i - (piles.length - 1) / 2;
    const at = { x: c.x + k * offset, y: c.y - k * offset };
    out.push({ counter, ...at, scale });
    // What somebody holds lies small upon him: both can be read.
    held.forEach((one, j) => out.push({ counter: one, x: at.x + (41 - j * 36) * scale, y: at.y - 13 * scale, scale: scale * HELD }));
  });
  return out;
};

/** Half the edge of a counter, in the measure of places. */
const HALF_EDGE = 50;

/** The uppermost counter at a point. */
export const counterAt = (placed: readonly Placed[], p: Point): Counter | null =>
  placed.findLast(({ x, y, scale }) => Math.max(Math.abs(p.x - x), Math.abs(p.y - y)) <= HALF_EDGE * scale)?.counter ?? null;

export interface Sign {
  text: string;
  title: string;
  tone: string;
  width: number;
}

const MOST = 3;

/** Each marker once, the bad ones first; from afar those that are worth it alone. */
const signsOf = (stack: readonly Counter[], isFar: boolean): Sign[] => {
  const covered = pilesOf(stack).slice(0, -1).flatMap(({ counter, held }) => [counter, ...held]);
  const found = new Map<string, Marker & { who: string[] }>();
  for (const counter of covered) {
    for (const marker of counter.markers) {
      if (isFar && !isSeenFromAfar(marker)) continue;
      const sign = found.get(marker.text) ?? { ...marker, who: [] };
      sign.who.push(counter.id);
      found.set(marker.text, sign);
    }
  }
  return [...found.values()]
    .sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"))
    .slice(0, MOST)
    .map(({ text, title, tone, who }) => ({ text, tone, title: `${title}: ${who.join(", ")}`, width: 13 + 19 * widthOf(text) }));
};

export interface Heap {
  /** How many piles lie there, 0 where that is seen at once. */
  count: number;
  signs: Sign[];
}

/** What is told beside a stack; nothing beside a counter that is alone. */
export const heapOf = (stack: readonly Counter[], isFar: boolean): Heap | null => {
  if (stack.length < 2) return null;
  const count = pilesOf(stack).length;
  return { count: count > 2 ? count : 0, signs: signsOf(stack, isFar) };
};

/** What a press on the map means: a list to choose from, a counter, or the hex as such. */
export type Pressed = { what: "stack" | "hex"; hex: string } | { what: "unit"; unit: string };

interface Lit {
  litHexes: ReadonlyMap<string, unknown>;
  litUnits: ReadonlyMap<string, unknown>;
}

/**
 * A press in a hex, upon a counter or beside all of them. Counters of a stack overlap, so none of them is taken for the one
 * that was meant: the stack is listed. Where the hex can be chosen and none of its counters, the hex is meant.
 */
export const pressed = (hex: string, isUponCounter: boolean, stack: readonly Counter[], { litHexes, litUnits }: Lit): Pressed => {
  const isLit = litHexes.has(hex);
  const hasChoice = stack.some((counter) => litUnits.has(counter.id));
  if (!stack.length || (isLit && !isUponCounter)) return { what: "hex", hex };
  if (stack.length === 1) return { what: "unit", unit: stack[0]!.id };
  return isLit && !hasChoice ? { what: "hex", hex } : { what: "stack", hex };
};

/** A stack as a list, from the top to the bottom: what somebody holds stands below him. */
export const listed = (stack: readonly Counter[]): { counter: Counter; isHeld: boolean }[] =>
  pilesOf(stack)
    .reverse()
    .flatMap(({ counter, held }) => [{ counter, isHeld: false }, ...held.map((one) => ({ counter: one, isHeld: true }))]);
