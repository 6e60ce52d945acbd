/** What the map widget asks of the ground, be it hexes or a table: where places are, and which one is where. */

import type { Point } from "../geo/hex";
import type { MapDrawing } from "../wire.gen";
import { Atlas } from "./atlas";
import type { Bounds } from "./paint/scene";
import type { MapSource } from "./paint/source";
import { Tabletop } from "./tabletop";

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

export interface Ground {
  readonly drawing: MapDrawing;
  readonly bounds: Bounds;
  /** Around what is played on: what is shown first. */
  readonly playBounds: Bounds;
  readonly source: MapSource;
  /** Places at which a name is written. */
  readonly named: ReadonlySet<string>;
  /** Labels of all places; null where nobody can list them. */
  readonly labels: readonly string[] | null;
  /** What one place is called: a hex, a place. */
  readonly word: string;
  /** Where a place is, in world units. */
  at(label: string): Point | null;
  /** The place under a point, or null beside the map. */
  placeAt(p: Point): string | null;
  /** The place one step of the keyboard's cursor away. */
  step(label: string, key: Arrow): string | null;
  /** Places from which counters may lean over to this one. */
  around(label: string): string[];
  /** Path data of what marks a place, `unit` pixels a world unit. */
  shape(label: string, unit: number, scale: number): string;
  /** The ground at a place in words, for tooltips and screen readers. */
  describe(label: string): string;
  /** A place in words, with what runs along its sides, and what the rules make of it. */
  about(label: string): { text: string; facts: (readonly [string, string])[] } | null;
  /** Places at each distance, where they can be counted. */
  rings(label: string): { hexes: string[]; distance: number }[];
}

/** The ground of a drawing. */
export const groundOf = (drawing: MapDrawing): Ground => (drawing.table ? new Tabletop(drawing, drawing.table) : new Atlas(drawing));
