/** A map made ready for painting: smooth outlines, curves and everything that is scattered over them. */

import { CORNERS, DIRECTIONS, HALF, type Point, centre, hexAt, keyOf } from "../../geo/hex";
import { hashText } from "../../geo/noise";
import { calm, clockwise, middles, routeCurve, soften, unionRings, wobble } from "../../geo/outline";
import { type Item, scatterArea } from "./scatter";
import type { MapSource, SourceFeature, SourceHex } from "./source";
import { type AreaStyle, type LineStyle, type Palette, type SideStyle, areaStyle, lineStyle, paletteOf, sideStyle, stripStyle } from "./style";

export interface Area {
  kind: string;
  style: AreaStyle;
  hexes: Set<number>;
  rings: Point[][];
  seed: number;
  /** Whether it is drawn to its very outline, because that is what the rules look at. */
  isExact: boolean;
}

export interface Route {
  style: LineStyle;
  points: Point[];
  /** Whether it is drawn to its very edges, because they are what the rules look at. */
  isExact?: boolean;
}

export interface Side {
  style: SideStyle;
  kind: string;
  a: Point;
  b: Point;
  /** Unit vector across the side towards its lower hex; null where both lie equally high. */
  down: Point | null;
}

export interface Name {
  text: string;
  at: Point;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Scene {
  source: MapSource;
  palette: Palette;
  bounds: Bounds;
  byKey: Map<number, SourceHex>;
  /** Outline of the whole map. */
  border: Point[][];
  unplayable: Point[][];
  /** Rings around all ground at or above a level. */
  contours: { level: number; rings: Point[][] }[];
  areas: Area[];
  routes: Route[];
  sides: Side[];
  names: Name[];
  items: Item[];
}

export const buildScene = (source: MapSource): Scene => {
  const byKey = new Map(source.hexes.map((h) => [keyOf(h.q, h.r), h]));
  const all = new Set(byKey.keys());
  const scene: Scene = {
    source,
    palette: paletteOf(source.climate),
    bounds: source.table ? { left: 0, top: 0, right: source.table.width, bottom: source.table.depth } : boundsOf(source.hexes),
    byKey,
    border: source.table ? [cornersOf(source.table)] : unionRings(all),
    unplayable: unionRings(new Set(source.hexes.filter((h) => !h.isPlayable).map((h) => keyOf(h.q, h.r)))),
    contours: contoursOf(source, byKey),
    areas: [],
    routes: [],
    sides: [],
    names: [],
    items: [],
  };
  const isStrip = (f: SourceFeature): boolean => source.table !== null && f.line.length > 1 && f.outline.length > 2;
  const lines = source.features.filter((f) => f.line.length > 1 && !isStrip(f));
  scene.routes = [...routesOf(lines, source, byKey), ...source.features.filter(isStrip).map((f) => stripOf(f, source))].sort((a, b) => a.style.rank - b.style.rank);
  for (const feature of source.features) {
    if (feature.line.length > 1) continue;
    if (feature.at && feature.text) scene.names.push({ text: feature.text, at: feature.at });
    else if (feature.sides.length) scene.sides.push(...sidesOf(feature, byKey));
    else if (feature.hexes.length || feature.outline.length) {
      const area = areaOf(feature, source, all);
      if (area) scene.areas.push(area);
    }
  }
  const clear = new Clearance(scene.routes);
  for (const area of scene.areas) scene.items.push(...scatterArea(area, clear));
  scene.items.sort((a, b) => a.layer - b.layer || a.y - b.y);
  return scene;
};

const cornersOf = ({ width, depth }: { width: number; depth: number }): Point[] => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: depth },
  { x: 0, y: depth },
];

/** A line of a table with its width, which its outline tells: its first and last corner lie across its first place. */
const stripOf = (feature: SourceFeature, source: MapSource): Route => {
  const [a, b] = [feature.outline[0]!, feature.outline.at(-1)!];
  const style = stripStyle(feature.kind, feature.paint, source.climate);
  return { style: { ...style, width: Math.hypot(a.x - b.x, a.y - b.y) }, points: feature.line, isExact: true };
};

const boundsOf = (hexes: readonly SourceHex[]): Bounds => {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const hex of hexes) {
    const c = centre(hex.q, hex.r);
    bounds.left = Math.min(bounds.left, c.x - 1);
    bounds.right = Math.max(bounds.right, c.x + 1);
    bounds.top = Math.min(bounds.top, c.y - 0.87);
    bounds.bottom = Math.max(bounds.bottom, c.y + 0.87);
  }
  return hexes.length ? bounds : { left: -1, top: -1, right: 1, bottom: 1 };
};

/** The hexes and those beyond the border next to them, so that what touches the border runs off it. */
const spill = (hexes: ReadonlySet<number>, all: ReadonlySet<number>): Set<number> => {
  const out = new Set(hexes);
  for (const key of hexes) {
    const q = Math.floor(key / 4096) - 2048;
    const r = (key % 4096) - 2048;
    for (const step of DIRECTIONS) {
      const beyond = keyOf(q + step.q, r + step.r);
      if (!all.has(beyond)) out.add(beyond);
    }
  }
  return out;
};

/** The contour at a level: as it is drawn on the board, or around the hexes that lie so high. */
const contoursOf = (source: MapSource, byKey: ReadonlyMap<number, SourceHex>): Scene["contours"] => {
  const drawn = source.features.filter((feature) => feature.outline.length > 2 && feature.level !== null && feature.level > 0);
  if (drawn.length) {
    const top = Math.max(...drawn.map((feature) => feature.level!));
    return Array.from({ length: top }, (_, i) => ({ level: i + 1, rings: drawn.filter((feature) => feature.level! >= i + 1).map((feature) => clockwise(feature.outline)) }));
  }
  const all = new Set(byKey.keys());
  const levels = [...new Set(source.hexes.map((h) => h.level))].filter((level) => level > 0).sort((a, b) => a - b);
  const out: Scene["contours"] = [];
  for (let level = 1; level <= (levels.at(-1) ?? 0); level++) {
    const high = new Set(source.hexes.filter((h) => h.level >= level).map((h) => keyOf(h.q, h.r)));
    const rings = unionRings(spill(high, all)).map((ring) => soften(calm(ring), 3));
    out.push({ level, rings });
  }
  return out;
};

const areaOf = (feature: SourceFeature, source: MapSource, all: ReadonlySet<number>): Area | null => {
  const style = areaStyle(feature.kind, feature.paint, source.climate);
  if (style.draw === "none") return null;
  const seed = hashText(feature.kind);
  const hexes = new Set(feature.hexes.map((h) => keyOf(h.q, h.r)));
  let rings: Point[][];
  const isExact = feature.outline.length > 2;
  if (isExact) rings = [clockwise(feature.outline)];
  else if (style.draw === "cut" || style.draw === "water")
    rings = unionRings(spill(hexes, all)).map((ring) => soften(wobble(middles(ring), 0.08, 1.1, seed), 3));
  else rings = unionRings(spill(hexes, all)).map((ring) => soften(wobble(soften(ring, 1), 0.09, 1.6, seed), 2));
  return { kind: feature.kind, style, hexes, rings, seed, isExact };
};

/** A stream that stops at the side of a ford's hex runs on to the ford. */
const joinFords = (points: Point[], fords: readonly Point[]): void => {
  for (const ford of fords) {
    const touches = (p: Point): boolean => Math.abs(Math.hypot(p.x - ford.x, p.y - ford.y) - HALF) < 0.02;
    if (touches(points[0]!)) points.unshift(ford);
    if (touches(points.at(-1)!)) points.push(ford);
  }
};

/** Water finds its way: not quite along the curve. */
const wander = (points: readonly Point[]): Point[] => {
  const dense: Point[] = [];
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const steps = Math.max(1, Math.round(Math.hypot(b.x - a.x, b.y - a.y) / 0.15));
    for (let s = 0; s < steps; s++) dense.push({ x: a.x + ((b.x - a.x) * s) / steps, y: a.y + ((b.y - a.y) * s) / steps });
  }
  return wobble([...dense, points.at(-1)!], 0.13, 1.15, 31);
};

/** A line that ends in a hex at the map's border leads on over it. */
const leadOff = (points: Point[], byKey: ReadonlyMap<number, SourceHex>): void => {
  const ends = [{ p: points[0]!, from: points[1]!, add: "unshift" }, { p: points.at(-1)!, from: points.at(-2)!, add: "push" }] as const;
  for (const { p, from, add } of ends) {
    const beyond = { x: p.x + (p.x - from.x), y: p.y + (p.y - from.y) };
    const { q, r } = hexAt(beyond);
    const here = hexAt(p);
    const onCentre = Math.hypot(centre(here.q, here.r).x - p.x, centre(here.q, here.r).y - p.y) < 0.01;
    if (onCentre && !byKey.has(keyOf(q, r))) points[add](beyond);
  }
};

const routesOf = (lines: readonly SourceFeature[], source: MapSource, byKey: ReadonlyMap<number, SourceHex>): Route[] => {
  const onGrid = (p: Point): string => `${Math.round(p.x * 4)},${Math.round(p.y * 4)}`;
  // Where a line passes a hex, its curve misses the centre a little; another that ends there is led to the curve.
  const passes = new Map<string, Point>();
  for (const line of lines) {
    const pts = line.line;
    for (let i = 1; i < pts.length - 1; i++) {
      const [a, b, c] = [pts[i - 1]!, pts[i]!, pts[i + 1]!];
      const at = { x: b.x * 0.75 + (a.x + c.x) / 8, y: b.y * 0.75 + (a.y + c.y) / 8 };
      if (!passes.has(onGrid(b))) passes.set(onGrid(b), at);
    }
  }
  const fords = source.features.filter((f) => /ford/i.test(f.kind)).flatMap((f) => f.hexes.map((h) => centre(h.q, h.r)));
  return lines
    .map((feature) => {
      const points = feature.line.slice();
      for (const end of [0, points.length - 1]) points[end] = passes.get(onGrid(points[end]!)) ?? points[end]!;
      leadOff(points, byKey);
      const style = lineStyle(feature.kind, feature.paint, source.climate);
      if (style.draw === "stream") joinFords(points, fords);
      const curve = routeCurve(points);
      return { style, points: style.draw === "stream" || style.draw === "cut" ? wander(curve) : curve };
    })
    .sort((a, b) => a.style.rank - b.style.rank);
};

const sidesOf = (feature: SourceFeature, byKey: ReadonlyMap<number, SourceHex>): Side[] =>
  feature.sides.map(({ q, r, direction }) => {
    const c = centre(q, r);
    const step = DIRECTIONS[direction]!;
    const a = CORNERS[direction]!;
    const b = CORNERS[(direction + 1) % 6]!;
    const here = byKey.get(keyOf(q, r))?.level ?? 0;
    const there = byKey.get(keyOf(q + step.q, r + step.r))?.level ?? here;
    const out = centre(step.q, step.r);
    const length = Math.hypot(out.x, out.y);
    const sign = here === there ? 0 : here > there ? 1 : -1;
    return {
      style: sideStyle(feature.kind, feature.paint),
      kind: feature.kind,
      a: { x: c.x + a.x, y: c.y + a.y },
      b: { x: c.x + b.x, y: c.y + b.y },
      down: sign ? { x: (sign * out.x) / length, y: (sign * out.y) / length } : null,
    };
  });

/** Tells how near a point is to a road or stream, so that trees and houses keep off it. */
export class Clearance {
  private readonly cells = new Map<string, { p: Point; reach: number; along: number }[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      for (let i = 1; i < route.points.length; i++) {
        const a = route.points[i - 1]!;
        const b = route.points[i]!;
        const along = Math.atan2(b.y - a.y, b.x - a.x);
        const steps = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 0.1));
        for (let s = 0; s <= steps; s++) {
          const p = { x: a.x + ((b.x - a.x) * s) / steps, y: a.y + ((b.y - a.y) * s) / steps };
          const cell = this.cell(p.x, p.y);
          const list = this.cells.get(cell);
          const entry = { p, reach: route.style.width / 2, along };
          if (list) list.push(entry);
          else this.cells.set(cell, [entry]);
        }
      }
    }
  }

  private cell(x: number, y: number): string {
    return `${Math.floor(x)},${Math.floor(y)}`;
  }

  /** Distance to the edge of the nearest line, and its direction there. */
  nearest(x: number, y: number): { distance: number; along: number } {
    let best = { distance: Infinity, along: 0 };
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const one of this.cells.get(this.cell(x + dx, y + dy)) ?? []) {
          const distance = Math.hypot(one.p.x - x, one.p.y - y) - one.reach;
          if (distance < best.distance) best = { distance, along: one.along };
        }
      }
    }
    return best;
  }
}
