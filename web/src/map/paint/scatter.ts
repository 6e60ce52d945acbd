/** Trees, bushes, rocks, ripples and houses: single things laid out over an area, the same on every tile. */

import { type Point, centre, fromKey } from "../../geo/hex";
import { hash2, random } from "../../geo/noise";
import { isInside, signedArea } from "../../geo/outline";
import type { Area, Clearance } from "./scene";
import type { Rgb } from "./style";

export interface Item {
  what: "crown" | "rock" | "dot" | "ripple" | "furrow" | "crater" | "reed" | "pebble" | "house";
  x: number;
  y: number;
  size: number;
  /** Second size, for things that are not round. */
  depth: number;
  angle: number;
  variant: number;
  colour: Rgb;
  /** 0 lies flat on the ground, 1 stands on it. */
  layer: 0 | 1;
  /** The outline that it must not be seen outside of. */
  within?: Area;
}

/** Fractional room that a thing needs beside a road. */
const VERGE = 0.05;

export const scatterArea = (area: Area, clear: Clearance): Item[] => {
  const style = area.style;
  switch (style.draw) {
    case "trees":
      return style.rows
        ? grid(area, clear, 0.36, 0.04, (x, y, v) => crown(x, y, style.size, v, style.crowns))
        : grid(area, clear, 0.25 / Math.sqrt(style.density), 0.7, (x, y, v) =>
            crown(x, y, style.size * (0.75 + 0.5 * v), v, style.crowns),
          );
    case "bushes":
      return grid(area, clear, 0.3 / Math.sqrt(style.density), 0.9, (x, y, v) =>
        hash2(x * 977, y * 977, 5) < 0.72 ? crown(x, y, style.size * (0.6 + 0.8 * v), v, style.crowns) : null,
      );
    case "rocks":
      return grid(area, clear, 0.34 / Math.sqrt(style.density), 0.9, (x, y, v) => ({
        what: "rock",
        x,
        y,
        size: style.size * (0.45 + v),
        depth: 0,
        angle: v * 6.28,
        variant: Math.floor(v * 5),
        colour: style.stone,
        layer: 1,
      }));
    case "dots":
      return grid(area, clear, 0.17, 0.95, (x, y, v) => flat("dot", x, y, 0.012 + 0.014 * v, 0, style.dot));
    case "ripples":
      return grid(area, clear, 0.4, 0.7, (x, y, v) => flat("ripple", x, y, 0.2 + 0.16 * v, (v - 0.5) * 0.3, style.line));
    case "furrows":
      return area.isExact ? [] : furrows(area, clear, style.line);
    case "craters":
      return grid(area, clear, 0.5, 0.8, (x, y, v) => flat("crater", x, y, 0.09 + 0.09 * v, 0, style.tint));
    case "marsh":
      return grid(area, clear, 0.34, 0.8, (x, y, v) => flat("reed", x, y, 0.12 + 0.06 * v, 0, style.reed));
    case "ford":
      return [...area.hexes].flatMap((key) => shallows(key, style.stone));
    case "buildings":
      return area.isExact ? [] : houses(area, clear, style.roof);
    default:
      return [];
  }
};

const crown = (x: number, y: number, size: number, v: number, colours: readonly Rgb[]): Item => ({
  what: "crown",
  x,
  y,
  size,
  depth: 0,
  angle: 0,
  variant: Math.floor(v * 4),
  colour: colours[Math.floor(v * 977) % colours.length]!,
  layer: 1,
});

const flat = (what: Item["what"], x: number, y: number, size: number, angle: number, colour: Rgb): Item => ({
  what,
  x,
  y,
  size,
  depth: 0,
  angle,
  variant: 0,
  colour,
  layer: 0,
});

/** One thing for each cell of a jittered grid that lies inside the area and off the roads. */
const grid = (
  area: Area,
  clear: Clearance,
  step: number,
  jitter: number,
  make: (x: number, y: number, v: number) => Item | null,
): Item[] => {
  const items: Item[] = [];
  for (const ring of groups(area)) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const p of ring[0]!) {
      left = Math.min(left, p.x);
      right = Math.max(right, p.x);
      top = Math.min(top, p.y);
      bottom = Math.max(bottom, p.y);
    }
    for (let iy = Math.floor(top / step); iy * step <= bottom; iy++) {
      for (let ix = Math.floor(left / step); ix * step <= right; ix++) {
        const x = (ix + (iy % 2 ? 0.5 : 0) + (hash2(ix, iy, area.seed) - 0.5) * jitter) * step;
        const y = (iy + (hash2(ix, iy, area.seed + 1) - 0.5) * jitter) * step;
        if (!isInside({ x, y }, ring) || clear.nearest(x, y).distance < VERGE + step * 0.25) continue;
        const item = make(x, y, hash2(ix, iy, area.seed + 2));
        if (item) items.push(area.isExact ? { ...item, within: area } : item);
      }
    }
  }
  return items;
};

/** Each outer ring with all rings: inside-ness is decided by the whole set, bounds by the ring. */
const groups = (area: Area): Point[][][] => area.rings.filter((ring) => signedArea(ring) > 0).map((ring) => [ring, ...area.rings.filter((other) => other !== ring)]);

/** Stones in the shallow water of a ford. */
const shallows = (key: number, stone: Rgb): Item[] => {
  const { q, r } = fromKey(key);
  const c = centre(q, r);
  const next = random(key);
  return Array.from({ length: 16 }, () => {
    const [t, d] = [next() * 6.283, 0.5 * Math.sqrt(next())];
    return { ...flat("pebble", c.x + Math.cos(t) * d, c.y + Math.sin(t) * d, 0.03 + 0.03 * next(), 0, stone), layer: 1 as const };
  });
};

const furrows = (area: Area, clear: Clearance, line: Rgb): Item[] => {
  const items: Item[] = [];
  for (const key of area.hexes) {
    const { q, r } = fromKey(key);
    const c = centre(q, r);
    const angle = Math.floor(hash2(q >> 1, r >> 1, area.seed) * 3) * (Math.PI / 3) + 0.26;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    for (let i = -5; i <= 5; i++) {
      const off = i * 0.16;
      const half = Math.sqrt(Math.max(0, 0.74 - off * off));
      const [x, y] = [c.x - dy * off, c.y + dx * off];
      if (half < 0.1 || clear.nearest(x, y).distance < 0.02) continue;
      items.push(flat("furrow", x, y, half, angle, line));
    }
  }
  return items;
};

/** Houses of a building hex, along its road where one runs through. */
const houses = (area: Area, clear: Clearance, roof: Rgb): Item[] => {
  const items: Item[] = [];
  for (const key of area.hexes) {
    const { q, r } = fromKey(key);
    const c = centre(q, r);
    const next = random(key ^ area.seed);
    const near = clear.nearest(c.x, c.y);
    const base = near.distance < 0.6 ? near.along : Math.floor(next() * 6) * (Math.PI / 6);
    const placed: Item[] = [];
    for (let attempt = 0; attempt < 46 && placed.length < 6; attempt++) {
      const t = next() * 6.283;
      const d = 0.7 * Math.sqrt(next());
      const [x, y] = [c.x + Math.cos(t) * d, c.y + Math.sin(t) * d];
      const size = 0.24 + next() * 0.26;
      const depth = 0.17 + next() * 0.12;
      const angle = base + (next() < 0.35 ? Math.PI / 2 : 0) + (next() - 0.5) * 0.12;
      const reach = Math.hypot(size, depth) / 2;
      if (clear.nearest(x, y).distance < reach * 0.82 + 0.03) continue;
      if (placed.some((o) => Math.hypot(o.x - x, o.y - y) < reach + Math.hypot(o.size, o.depth) / 2 - 0.06)) continue;
      placed.push({ what: "house", x, y, size, depth, angle, variant: Math.floor(next() * 4), colour: roof, layer: 1 });
    }
    items.push(...placed);
  }
  return items;
};
