/**
 * Flat-top hexes in axial coordinates, as the server names them: directions 0 to 5 clockwise from north.
 *
 * World units: the size of a hex (centre to vertex) is 1. The server's exact lattice has half sizes across and half
 * heights down, so a lattice point (x, y) is the world point (x / 2, y * HALF).
 */

export interface Point {
  x: number;
  y: number;
}

export interface Axial {
  q: number;
  r: number;
}

/** Half the height of a hex. */
export const HALF = Math.sqrt(3) / 2;

export const DIRECTIONS: readonly Axial[] = [
  { q: 0, r: -1 },
  { q: 1, r: -1 },
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
];

export const DIRECTION_NAMES = ["N", "NE", "SE", "S", "SW", "NW"] as const;

/** Corners clockwise, so that side d runs from corner d to corner d + 1. */
export const CORNERS: readonly Point[] = [
  { x: -0.5, y: -HALF },
  { x: 0.5, y: -HALF },
  { x: 1, y: 0 },
  { x: 0.5, y: HALF },
  { x: -0.5, y: HALF },
  { x: -1, y: 0 },
];

export const corner = (index: number): Point => CORNERS[((index % 6) + 6) % 6]!;

export const keyOf = (q: number, r: number): number => (q + 2048) * 4096 + (r + 2048);

export const fromKey = (key: number): Axial => ({ q: Math.floor(key / 4096) - 2048, r: (key % 4096) - 2048 });

/** Centre of a hex in world units. */
export const centre = (q: number, r: number): Point => ({ x: 1.5 * q, y: HALF * (2 * r + q) });

/** World point of a lattice point. */
export const fromLattice = (x: number, y: number): Point => ({ x: x / 2, y: y * HALF });

export const neighbour = (q: number, r: number, direction: number): Axial => {
  const step = DIRECTIONS[((direction % 6) + 6) % 6]!;
  return { q: q + step.q, r: r + step.r };
};

export const distance = (a: Axial, b: Axial): number => {
  const dq = a.q - b.q;
  const dr = a.r - b.r;
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
};

/** The hex that holds a world point. */
export const hexAt = (p: Point): Axial => {
  const q = p.x / 1.5;
  const r = p.y / (2 * HALF) - q / 2;
  let rq = Math.round(q);
  let rr = Math.round(r);
  const rs = Math.round(-q - r);
  const dq = Math.abs(rq - q);
  const dr = Math.abs(rr - r);
  const ds = Math.abs(rs + q + r);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq, r: rr };
};

/** Path data of a hex outline around a point, scaled about its centre. */
export const hexPath = (c: Point, scale = 1): string =>
  CORNERS.map((k, i) => `${i ? "L" : "M"}${(c.x + k.x * scale).toFixed(3)} ${(c.y + k.y * scale).toFixed(3)}`).join("") +
  "Z";

/** Angle of a direction in degrees clockwise from north. */
export const bearing = (direction: number): number => direction * 60;

/** Angle of a hexspine in degrees clockwise from north: number 0 lies between the directions 0 and 1. */
export const spineBearing = (spine: number): number => spine * 60 + 30;

/** A hexspine by the directions that it lies between. */
export const spineName = (spine: number, names: readonly string[] = DIRECTION_NAMES): string => `${names[spine]}/${names[(spine + 1) % 6]}`;
