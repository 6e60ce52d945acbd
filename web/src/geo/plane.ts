/**
 * A table that is measured with a ruler: places in thousandths of an inch, y down, and headings in tenths of a degree
 * clockwise from north, as the server has them. Geometry for drawing alone: what is legal, and what it costs, the server says.
 */

import type { Point } from "./hex";

export type Spot = readonly [number, number];

export const INCH = 1000;
export const CIRCLE = 3600;

/** One stroke of a drawing. */
export interface Stroke {
  verb: string;
  at?: Spot;
  heading?: number;
  /** What it follows, such as a road. */
  ref?: string;
}

export type Rails = Readonly<Record<string, readonly Spot[]>>;

/** Where something stands, and where it looks. */
export interface Pose {
  at: Spot;
  heading: number;
}

/** A straight part of a way, or a turn on the spot. */
export interface Leg {
  from: Spot;
  to: Spot;
  heading: number;
}

/** A length as people write it: inches with three decimals at most. */
export const inches = (units: number): string => String(Math.round(units) / INCH);

export const labelOf = ([x, y]: Spot): string => `${inches(x)},${inches(y)}`;

const NUMBER = /^-?\d{1,4}(?:\.\d{1,3})?$/;

/** The place of a label, or null if it is none. */
export const spotOf = (label: string): Spot | null => {
  const parts = label.split(",");
  if (parts.length !== 2 || !parts.every((part) => NUMBER.test(part))) return null;
  return [Math.round(Number(parts[0]) * INCH), Math.round(Number(parts[1]) * INCH)];
};

/** World units of a table are inches. */
export const toWorldPoint = ([x, y]: Spot): Point => ({ x: x / INCH, y: y / INCH });

/** A place from world units, in steps of so many thousandths. */
export const fromWorldPoint = ({ x, y }: Point, step = 1): Spot => [Math.round((x * INCH) / step) * step, Math.round((y * INCH) / step) * step];

const degrees = (heading: number): string => String(heading / 10);

export const strokeText = ({ verb, at, heading, ref }: Stroke): string =>
  [verb, ref ? `${ref} to` : "", at ? labelOf(at) : "", heading === undefined ? "" : `${at ? "facing " : ""}${degrees(heading)}`].filter(Boolean).join(" ");

/** The text of a drawing, which is its key; no stroke at all is to stay. */
export const drawingText = (strokes: readonly Stroke[]): string => strokes.map(strokeText).join("; ") || "stay";

const STROKE = /^([a-z]+)(?: ([^;]*\S) to)?(?: (-?[\d.]+,-?[\d.]+))?(?:(?: facing)? (\d{1,3}(?:\.\d)?))?$/;

/** The drawing of a text, or null if it is none. */
export const readDrawing = (text: string): Stroke[] | null => {
  if (text === "stay") return [];
  const strokes: Stroke[] = [];
  for (const part of text.split(";")) {
    const found = STROKE.exec(part.trim());
    const at = found?.[3] ? spotOf(found[3]) : undefined;
    if (!found || at === null) return null;
    strokes.push({ verb: found[1]!, ...(at && { at }), ...(found[4] && { heading: Math.round(Number(found[4]) * 10) }), ...(found[2] && { ref: found[2] }) });
  }
  return strokes;
};

export const turned = (heading: number, by: number): number => (((heading + by) % CIRCLE) + CIRCLE) % CIRCLE;

/** The heading from one place to another, or null if they are the same. */
export const headingTo = (a: Spot, b: Spot): number | null => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  return dx || dy ? turned(Math.round((Math.atan2(dx, -dy) * CIRCLE) / (2 * Math.PI)), 0) : null;
};

export const distanceOf = (a: Spot, b: Spot): number => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** The place so many units ahead. */
export const ahead = (at: Spot, heading: number, units: number): Spot => {
  const turn = (heading * 2 * Math.PI) / CIRCLE;
  return [Math.round(at[0] + Math.sin(turn) * units), Math.round(at[1] - Math.cos(turn) * units)];
};

/** The legs of a way; strokes that make no sense are left out. */
export const lay = (start: Pose, strokes: readonly Stroke[], rails: Rails = {}): Leg[] => {
  const legs: Leg[] = [];
  let { at, heading } = start;
  for (const stroke of strokes) {
    if (stroke.verb === "face" && stroke.heading !== undefined) legs.push({ from: at, to: at, heading: (heading = stroke.heading) });
    else if (stroke.at) {
      const line = stroke.ref ? rails[stroke.ref] : undefined;
      for (const to of line ? along(line, at, stroke.at) : [stroke.at]) {
        const way = headingTo(at, to);
        if (way === null) continue;
        heading = stroke.verb === "back" ? turned(way, CIRCLE / 2) : way;
        legs.push({ from: at, to, heading });
        at = to;
      }
    }
  }
  return legs;
};

/** Where a way ends. */
export const endOf = (start: Pose, legs: readonly Leg[]): Pose => {
  const last = legs.at(-1);
  return last ? { at: last.to, heading: last.heading } : start;
};

export const lengthOf = (legs: readonly Leg[]): number => legs.reduce((sum, leg) => sum + distanceOf(leg.from, leg.to), 0);

/** The part of a line that lies nearest to a place, and the place there. */
export const nearestOn = (line: readonly Spot[], p: Spot): { part: number; at: Spot; distance: number } => {
  let best = { part: 0, at: p, distance: Infinity };
  for (let part = 0; part + 1 < line.length; part++) {
    const [a, b] = [line[part]!, line[part + 1]!];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const share = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const at: Spot = [Math.round(a[0] + dx * share), Math.round(a[1] + dy * share)];
    const distance = distanceOf(at, p);
    if (distance < best.distance) best = { part, at, distance };
  }
  return best;
};

/** The places to go to one after another along a line. */
export const along = (line: readonly Spot[], from: Spot, to: Spot): Spot[] => {
  const [first, last] = [nearestOn(line, from).part, nearestOn(line, to).part];
  const between = first <= last ? line.slice(first + 1, last + 1) : line.slice(last + 1, first + 1).reverse();
  return [...between, to];
};

/** Whether a place lies inside an outline. */
export const isWithin = (ring: readonly Spot[], [x, y]: Spot): boolean => {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [[ax, ay], [bx, by]] = [ring[i]!, ring[j]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
};

/** Places at every whole inch of a way, which run on through its bends. */
export const inchMarks = (legs: readonly Leg[]): { at: Spot; heading: number; number: number }[] => {
  const found: { at: Spot; heading: number; number: number }[] = [];
  let driven = 0;
  for (const { from, to, heading } of legs) {
    const length = distanceOf(from, to);
    for (let number = Math.floor(driven / INCH) + 1; number * INCH <= driven + length + 0.5 && length; number++) {
      const share = (number * INCH - driven) / length;
      found.push({ at: [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share], heading, number });
    }
    driven += length;
  }
  return found;
};

/** A way cut after so many units: the places of both parts, which share the place of the cut. */
export const cutAt = (start: Spot, legs: readonly Leg[], units: number): [Spot[], Spot[]] => {
  const [before, after]: [Spot[], Spot[]] = [[start], []];
  let left = units;
  for (const { from, to } of legs) {
    const length = distanceOf(from, to);
    if (after.length || (left <= 0 && length)) {
      if (!after.length) after.push(from);
      after.push(to);
    } else if (length <= left + 0.5) before.push(to);
    else {
      const cut: Spot = [from[0] + ((to[0] - from[0]) * left) / length, from[1] + ((to[1] - from[1]) * left) / length];
      before.push(cut);
      after.push(cut, to);
    }
    left -= length;
  }
  return [before, after];
};

/** How far along a way a place on it lies. */
export const runTo = (legs: readonly Leg[], at: Spot): number => {
  let best = { run: 0, off: Infinity };
  let driven = 0;
  for (const { from, to } of legs) {
    const on = nearestOn([from, to], at);
    if (on.distance < best.off) best = { run: driven + distanceOf(from, on.at), off: on.distance };
    driven += distanceOf(from, to);
  }
  return best.run;
};
