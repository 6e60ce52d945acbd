/** Outlines of sets of hexes, and smooth curves through points. */

import { CORNERS, DIRECTIONS, type Point, centre, fromKey, keyOf } from "./hex";
import { noise } from "./noise";

/** Rings around a set of hexes: outer ones clockwise, holes the other way. */
export const unionRings = (hexes: ReadonlySet<number>): Point[][] => {
  // Every border side leads from one lattice vertex to the next; at a vertex at most one border side begins.
  const next = new Map<string, { to: string; at: Point }>();
  for (const key of hexes) {
    const { q, r } = fromKey(key);
    const c = centre(q, r);
    for (let d = 0; d < 6; d++) {
      const step = DIRECTIONS[d]!;
      if (hexes.has(keyOf(q + step.q, r + step.r))) continue;
      const a = CORNERS[d]!;
      const b = CORNERS[(d + 1) % 6]!;
      const from = { x: c.x + a.x, y: c.y + a.y };
      next.set(vertexKey(from), { to: vertexKey({ x: c.x + b.x, y: c.y + b.y }), at: from });
    }
  }
  const rings: Point[][] = [];
  while (next.size) {
    const start = next.keys().next().value as string;
    const ring: Point[] = [];
    let key = start;
    for (let edge = next.get(key); edge; edge = next.get(key)) {
      ring.push(edge.at);
      next.delete(key);
      key = edge.to;
    }
    rings.push(ring);
  }
  return rings;
};

const vertexKey = (p: Point): string => `${Math.round(p.x * 2)},${Math.round(p.y * 2)}`;

/** Corner cutting: each pass brings a closed ring nearer to a smooth curve. */
export const soften = (ring: readonly Point[], passes: number): Point[] => {
  let points = ring as Point[];
  for (let pass = 0; pass < passes; pass++) {
    const out: Point[] = [];
    for (let i = 0; i < points.length; i++) {
      const a = points[i]!;
      const b = points[(i + 1) % points.length]!;
      out.push({ x: a.x * 0.75 + b.x * 0.25, y: a.y * 0.75 + b.y * 0.25 });
      out.push({ x: a.x * 0.25 + b.x * 0.75, y: a.y * 0.25 + b.y * 0.75 });
    }
    points = out;
  }
  return points;
};

/** Middles of a ring's sides: takes the zigzag out of a hex border. */
export const middles = (ring: readonly Point[]): Point[] =>
  ring.map((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  });

/** Takes the better part of the zigzag out of a hex border and still follows it side by side. */
export const calm = (ring: readonly Point[]): Point[] =>
  ring.map((p, i) => {
    const [a, b] = [ring[(i + ring.length - 1) % ring.length]!, ring[(i + 1) % ring.length]!];
    return { x: 0.64 * p.x + 0.18 * (a.x + b.x), y: 0.64 * p.y + 0.18 * (a.y + b.y) };
  });

/** Moves every point a little, the same way wherever the same point occurs. */
export const wobble = (ring: readonly Point[], amount: number, frequency: number, seed: number): Point[] =>
  ring.map((p) => ({
    x: p.x + (noise(p.x * frequency, p.y * frequency, seed) - 0.5) * 2 * amount,
    y: p.y + (noise(p.x * frequency, p.y * frequency, seed + 7) - 0.5) * 2 * amount,
  }));

/** Twice the area of a ring, positive if it runs clockwise on the screen. */
export const signedArea = (ring: readonly Point[]): number => {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i]!;
    const b = ring[(i + 1) % ring.length]!;
    sum += a.x * b.y - b.x * a.y;
  }
  return sum;
};

/** The ring as outer rings run. */
export const clockwise = (ring: readonly Point[]): Point[] => (signedArea(ring) < 0 ? [...ring].reverse() : [...ring]);

export const ringsPath = (rings: readonly (readonly Point[])[]): Path2D => {
  const path = new Path2D();
  for (const ring of rings) {
    ring.forEach((p, i) => (i ? path.lineTo(p.x, p.y) : path.moveTo(p.x, p.y)));
    path.closePath();
  }
  return path;
};

export const isInside = (p: Point, rings: readonly (readonly Point[])[]): boolean => {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const a = ring[i]!;
      const b = ring[j]!;
      if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
  }
  return inside;
};

/**
 * A line through hex centres as a smooth curve: it runs through the middles of the hexsides that it crosses and
 * bends inside the hexes, which takes the zigzag out of a road across the grain of the grid.
 */
export const routeCurve = (centres: readonly Point[], stepsPerBend = 8): Point[] => {
  if (centres.length < 3) return centres.slice();
  const mid = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const out: Point[] = [centres[0]!];
  let from = mid(centres[0]!, centres[1]!);
  out.push(from);
  for (let i = 1; i < centres.length - 1; i++) {
    const bend = centres[i]!;
    const to = mid(bend, centres[i + 1]!);
    for (let s = 1; s <= stepsPerBend; s++) {
      const t = s / stepsPerBend;
      const u = 1 - t;
      out.push({
        x: u * u * from.x + 2 * u * t * bend.x + t * t * to.x,
        y: u * u * from.y + 2 * u * t * bend.y + t * t * to.y,
      });
    }
    from = to;
  }
  out.push(centres[centres.length - 1]!);
  return out;
};

export const polylinePath = (points: readonly Point[]): Path2D => {
  const path = new Path2D();
  points.forEach((p, i) => (i ? path.lineTo(p.x, p.y) : path.moveTo(p.x, p.y)));
  return path;
};
