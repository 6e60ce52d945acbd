/** A table without hexes: every point of it is a place. World units are inches. */

import type { Point } from "../geo/hex";
import { INCH, fromWorldPoint, isWithin, labelOf, type Spot, spotOf, toWorldPoint } from "../geo/plane";
import type { FeatureDrawn, MapDrawing, TableDrawn } from "../wire.gen";
import type { Arrow, Ground } from "./ground";
import { factsOf, titleOf } from "./legend";
import type { Bounds } from "./paint/scene";
import { type MapSource, type SourceFeature, climateOf } from "./paint/source";

/** Places are pointed at in tenths of an inch. */
const POINTED = INCH / 10;
/** One step of the cursor. */
const STEP = INCH / 2;
/** Radius of what marks a place, in inches. */
const MARK = 0.5;

const STEPS: Record<Arrow, Spot> = { ArrowUp: [0, -STEP], ArrowDown: [0, STEP], ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0] };

export class Tabletop implements Ground {
  readonly bounds: Bounds;
  readonly playBounds: Bounds;
  readonly source: MapSource;
  readonly named: ReadonlySet<string> = new Set();
  readonly labels = null;
  readonly word = "place";
  private readonly areas: { feature: FeatureDrawn; outline: Spot[] }[];

  constructor(
    readonly drawing: MapDrawing,
    table: TableDrawn,
  ) {
    this.bounds = this.playBounds = { left: 0, top: 0, right: table.width, bottom: table.depth };
    const words = [...drawing.features.map((one) => one.kind), ...Object.values(drawing.legend).map((row) => row.paint)];
    this.source = { hexes: [], features: drawing.features.map((one) => this.feature(one)), climate: climateOf(words), table: { width: table.width, depth: table.depth } };
    this.areas = drawing.features.filter((one) => one.outline.length > 2).map((feature) => ({ feature, outline: feature.outline.map(([x, y]) => [x * INCH, y * INCH]) }));
  }

  private feature(feature: FeatureDrawn): SourceFeature {
    const point = ([x, y]: [number, number]): Point => ({ x, y });
    const { kind, text, level } = feature;
    const line = feature.line.map(point);
    return { kind, paint: this.drawing.legend[kind]?.paint ?? "", hexes: [], sides: [], outline: feature.outline.map(point), line, at: feature.at ? point(feature.at) : null, text: line.length ? "" : text, level };
  }

  at(label: string): Point | null {
    const spot = spotOf(label);
    return spot && toWorldPoint(spot);
  }

  placeAt(p: Point): string | null {
    const { right, bottom } = this.bounds;
    return p.x < 0 || p.y < 0 || p.x > right || p.y > bottom ? null : labelOf(fromWorldPoint(p, POINTED));
  }

  step(label: string, key: Arrow): string | null {
    const spot = spotOf(label);
    const [dx, dy] = STEPS[key];
    return spot && this.placeAt(toWorldPoint([spot[0] + dx, spot[1] + dy]));
  }

  around(label: string): string[] {
    return [label];
  }

  shape(label: string, unit: number, scale: number): string {
    const p = this.at(label);
    if (!p) return "";
    const r = MARK * unit * scale;
    return `M${p.x * unit - r} ${p.y * unit}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }

  describe(label: string): string {
    return this.about(label)?.text ?? "";
  }

  about(label: string): { text: string; facts: (readonly [string, string])[] } | null {
    const spot = spotOf(label);
    if (!spot) return null;
    const here = this.areas.filter(({ outline }) => isWithin(outline, spot)).map(({ feature }) => feature);
    const level = here.findLast((feature) => feature.level !== null)?.level ?? 0;
    const kinds = [...new Set(here.filter((feature) => this.drawing.legend[feature.kind]?.paint !== "level").map((feature) => feature.kind))];
    const parts = [kinds.map((kind) => titleOf(this.drawing, kind)).join(", ") || this.drawing.legend[""]?.title || "Clear"];
    if (level) parts.push(`level ${level}`);
    return { text: parts.join(", "), facts: factsOf(this.drawing, kinds.at(-1) ?? "") };
  }

  rings(): { hexes: string[]; distance: number }[] {
    return [];
  }
}
