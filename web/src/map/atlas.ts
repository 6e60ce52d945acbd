/** The server's map drawing as the client uses it: hexes by label and by place, and the painter's source. */

import { type Axial, DIRECTION_NAMES, type Point, HALF, centre, distance, fromLattice, hexAt, hexPath, keyOf, neighbour } from "../geo/hex";
import type { FeatureDrawn, HexDrawn, MapDrawing } from "../wire.gen";
import type { Arrow, Ground } from "./ground";
import { factsOf, titleOf } from "./legend";
import type { Bounds } from "./paint/scene";
import { type MapSource, NAME_BELOW, type SourceFeature, climateOf } from "./paint/source";

const boundsOf = (hexes: readonly HexDrawn[]): Bounds => {
  if (!hexes.length) return { left: -1, top: -1, right: 1, bottom: 1 };
  const centres = hexes.map((hex) => centre(hex.q, hex.r));
  const [xs, ys] = [centres.map((c) => c.x), centres.map((c) => c.y)];
  return { left: Math.min(...xs) - 1, right: Math.max(...xs) + 1, top: Math.min(...ys) - HALF, bottom: Math.max(...ys) + HALF };
};

const STEPS: Record<Arrow, readonly number[]> = {
  ArrowUp: [0],
  ArrowDown: [3],
  // Sideways there are two neighbours: upper and lower in turn, so that one keeps to a row.
  ArrowRight: [1, 2],
  ArrowLeft: [5, 4],
};

export class Atlas implements Ground {
  readonly byLabel = new Map<string, HexDrawn>();
  readonly byKey = new Map<number, HexDrawn>();
  readonly bounds: Bounds;
  /** Around the playable hexes: what is shown first. */
  readonly playBounds: Bounds;
  readonly source: MapSource;
  /** Hexes in which the name of a place is written. */
  readonly named: ReadonlySet<string>;
  readonly labels: readonly string[];
  readonly word = "hex";
  private readonly sides = new Map<number, string[]>();

  constructor(readonly drawing: MapDrawing) {
    for (const hex of drawing.hexes) {
      this.byLabel.set(hex.label, hex);
      this.byKey.set(keyOf(hex.q, hex.r), hex);
    }
    this.labels = [...this.byLabel.keys()];
    this.bounds = boundsOf(drawing.hexes);
    const playable = drawing.hexes.filter((hex) => hex.playable);
    this.playBounds = playable.length ? boundsOf(playable) : this.bounds;
    for (const side of drawing.sides) this.sides.set(keyOf(side.q, side.r) * 6 + side.dir, side.kinds);
    const words = [...drawing.features.map((f) => f.kind), ...Object.values(drawing.legend).map((row) => row.paint)];
    this.source = {
      hexes: drawing.hexes.map((h) => ({ q: h.q, r: h.r, label: h.label, level: h.level, isPlayable: h.playable })),
      features: drawing.features.map((feature) => this.feature(feature)),
      climate: climateOf(words),
      table: null,
    };
    this.named = new Set(this.source.features.flatMap(({ at, text }) => (at && text ? (this.hexAt({ x: at.x, y: at.y + NAME_BELOW })?.label ?? []) : [])));
  }

  private feature(feature: FeatureDrawn): SourceFeature {
    const point = ([x, y]: [number, number]): Point => fromLattice(x, y);
    return {
      kind: feature.kind,
      paint: this.drawing.legend[feature.kind]?.paint ?? "",
      hexes: feature.hexes.map(([q, r]) => ({ q, r })),
      sides: feature.line.length ? [] : feature.sides.map(([q, r, direction]) => ({ q, r, direction })),
      outline: feature.outline.map(point),
      line: feature.line.map(point),
      at: feature.at ? point(feature.at) : null,
      text: feature.text,
      level: feature.level,
    };
  }

  at(label: string): Point | null {
    const hex = this.byLabel.get(label);
    return hex ? centre(hex.q, hex.r) : null;
  }

  hexAt(p: Point): HexDrawn | null {
    const { q, r } = hexAt(p);
    return this.byKey.get(keyOf(q, r)) ?? null;
  }

  hex(at: Axial): HexDrawn | null {
    return this.byKey.get(keyOf(at.q, at.r)) ?? null;
  }

  placeAt(p: Point): string | null {
    return this.hexAt(p)?.label ?? null;
  }

  step(label: string, key: Arrow): string | null {
    const here = this.byLabel.get(label);
    if (!here) return null;
    const order = here.q % 2 ? [...STEPS[key]].reverse() : STEPS[key];
    return order.map((direction) => this.hex(neighbour(here.q, here.r, direction))?.label).find(Boolean) ?? null;
  }

  around(label: string): string[] {
    const here = this.byLabel.get(label);
    return here ? [label, ...[0, 1, 2, 3, 4, 5].flatMap((direction) => this.hex(neighbour(here.q, here.r, direction))?.label ?? [])] : [];
  }

  shape(label: string, unit: number, scale: number): string {
    const c = this.at(label);
    return c ? hexPath({ x: c.x * unit, y: c.y * unit }, unit * scale) : "";
  }

  about(label: string): { text: string; facts: (readonly [string, string])[] } | null {
    const hex = this.byLabel.get(label);
    if (!hex) return null;
    const sides = new Map<string, string[]>();
    this.sidesOf(hex).forEach((kinds, d) => kinds.forEach((kind) => sides.set(kind, [...(sides.get(kind) ?? []), DIRECTION_NAMES[d]!])));
    // What covers the ground counts, not how high it lies.
    const kind = hex.terrain.filter((one) => this.drawing.legend[one] && this.drawing.legend[one]!.paint !== "level").at(-1) ?? "";
    return { text: [this.describe(label), ...[...sides].map(([one, where]) => `${this.title(one)} ${where.join(" ")}`)].join(", "), facts: factsOf(this.drawing, kind) };
  }

  rings(label: string): { hexes: string[]; distance: number }[] {
    const origin = this.byLabel.get(label);
    const rings = new Map<number, string[]>();
    for (const hex of origin ? this.drawing.hexes : []) {
      const far = distance(origin as Axial, hex);
      rings.set(far, [...(rings.get(far) ?? []), hex.label]);
    }
    return [...rings].map(([far, hexes]) => ({ distance: far, hexes }));
  }

  title(kind: string): string {
    return titleOf(this.drawing, kind);
  }

  /** What stands on the six sides of a hex, clockwise from north. */
  sidesOf(hex: Axial): string[][] {
    const beyond = [[0, 1, 0], [-1, 1, 1], [-1, 0, 2]] as const;
    return [0, 1, 2, 3, 4, 5].map((d) => {
      if (d < 3) return this.sides.get(keyOf(hex.q, hex.r) * 6 + d) ?? [];
      const [dq, dr, dir] = beyond[d - 3]!;
      return this.sides.get(keyOf(hex.q + dq, hex.r + dr) * 6 + dir) ?? this.sides.get(keyOf(hex.q, hex.r) * 6 + d) ?? [];
    });
  }

  describe(label: string): string {
    const hex = this.byLabel.get(label);
    if (!hex) return "";
    const ground = hex.terrain.map((kind) => this.title(kind));
    const parts = [ground.length ? ground.join(", ") : this.drawing.legend[""]?.title || "Clear"];
    if (hex.level) parts.push(`level ${hex.level}`);
    parts.push(...hex.routes.map((kind) => this.title(kind)));
    return parts.join(", ");
  }
}
