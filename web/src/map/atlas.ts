/** The server's map drawing as the client uses it: hexes by label and by place, and the painter's source. */

import { type Axial, type Point, HALF, centre, fromLattice, hexAt, keyOf } from "../geo/hex";
import type { FeatureDrawn, HexDrawn, MapDrawing } from "../wire.gen";
import type { Bounds } from "./paint/scene";
import { type MapSource, NAME_BELOW, type SourceFeature, climateOf } from "./paint/source";

const boundsOf = (hexes: readonly HexDrawn[]): Bounds => {
  if (!hexes.length) return { left: -1, top: -1, right: 1, bottom: 1 };
  const centres = hexes.map((hex) => centre(hex.q, hex.r));
  const [xs, ys] = [centres.map((c) => c.x), centres.map((c) => c.y)];
  return { left: Math.min(...xs) - 1, right: Math.max(...xs) + 1, top: Math.min(...ys) - HALF, bottom: Math.max(...ys) + HALF };
};

export class Atlas {
  readonly byLabel = new Map<string, HexDrawn>();
  readonly byKey = new Map<number, HexDrawn>();
  readonly bounds: Bounds;
  /** Around the playable hexes: what is shown first. */
  readonly playBounds: Bounds;
  readonly source: MapSource;
  /** Hexes in which the name of a place is written. */
  readonly named: ReadonlySet<string>;
  private readonly sides = new Map<number, string[]>();

  constructor(readonly drawing: MapDrawing) {
    for (const hex of drawing.hexes) {
      this.byLabel.set(hex.label, hex);
      this.byKey.set(keyOf(hex.q, hex.r), hex);
    }
    this.bounds = boundsOf(drawing.hexes);
    const playable = drawing.hexes.filter((hex) => hex.playable);
    this.playBounds = playable.length ? boundsOf(playable) : this.bounds;
    for (const side of drawing.sides) this.sides.set(keyOf(side.q, side.r) * 6 + side.dir, side.kinds);
    const words = [...drawing.features.map((f) => f.kind), ...Object.values(drawing.legend).map((row) => row.paint)];
    this.source = {
      hexes: drawing.hexes.map((h) => ({ q: h.q, r: h.r, label: h.label, level: h.level, isPlayable: h.playable })),
      features: drawing.features.map((feature) => this.feature(feature)),
      climate: climateOf(words),
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

  title(kind: string): string {
    return this.drawing.legend[kind]?.title || kind.replaceAll("_", " ");
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

  /** A hex in words, for tooltips and screen readers. */
  describe(hex: HexDrawn): string {
    const ground = hex.terrain.map((kind) => this.title(kind));
    const parts = [ground.length ? ground.join(", ") : this.drawing.legend[""]?.title || "Clear"];
    if (hex.level) parts.push(`level ${hex.level}`);
    parts.push(...hex.routes.map((kind) => this.title(kind)));
    return parts.join(", ");
  }
}
