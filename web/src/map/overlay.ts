/** What lies over the ground, as plain data: the map widget draws it and reports what was pointed at. */

import type { Area, Counter, HexMarker, Patch, Scene, SideMarker, WireSide, Zone } from "../wire.gen";
import { sideColours } from "./counters/colours";

export interface LitHex {
  /** What stands in the hex: a cost, a number. */
  text: string;
  /** Name for screen readers and tests. */
  title: string;
  /** Key of the choice that it stands for. */
  option: string;
  tone: "go" | "chosen" | "target" | "plain";
}

export interface Step {
  hex: string;
  text: string;
}

export interface Line {
  a: string;
  b: string;
  tone: "clear" | "blocked" | "fire" | "way";
  /** Hex at which it stops. */
  at: string;
}

export interface FacingChoice {
  hex: string;
  facings: { facing: number; key: string; title: string }[];
  chosen: number | null;
}

export interface Overlay {
  counters: readonly Counter[];
  markers: readonly HexMarker[];
  sideMarkers: readonly SideMarker[];
  /** Whether the map lies in the dark. */
  isNight: boolean;
  /** Clouds, rain, snow or fog lie over the map. */
  isDull: boolean;
  /** Seats in their order; the second one's counters have another shape. */
  sides: readonly string[];
  litHexes: ReadonlyMap<string, LitHex>;
  /** Counters that can be chosen now, with the key of the choice. */
  litUnits: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  badges: ReadonlyMap<string, string>;
  path: readonly Step[];
  lines: readonly Line[];
  /** Where an action would fall, or the way that something would fly. */
  areas: readonly Area[];
  facing: FacingChoice | null;
  /** Hexes that are seen; the others are shaded. */
  seen: ReadonlySet<string> | null;
  /** Rings of hexes at each distance, for the range tool. */
  rings: readonly { hexes: readonly string[]; distance: number }[];
  /** What lies on a table for a while. */
  patches: readonly Patch[];
  /** Shapes on a table that somebody asked for. */
  zones: readonly Zone[];
  flash: ReadonlySet<string>;
  /** Hexes that count, with the colour of whoever holds them; "" for nobody. */
  held: ReadonlyMap<string, string>;
  /** Words at a hex: what has just come of something there. */
  captions: readonly { hex: string; text: string; tone: "plain" | "strong" }[];
}

export const emptyOverlay = (): Overlay => ({
  counters: [],
  markers: [],
  sideMarkers: [],
  isNight: false,
  isDull: false,
  sides: [],
  litHexes: new Map(),
  litUnits: new Map(),
  selected: new Set(),
  badges: new Map(),
  path: [],
  lines: [],
  areas: [],
  facing: null,
  seen: null,
  rings: [],
  patches: [],
  zones: [],
  flash: new Set(),
  held: new Map(),
  captions: [],
});

/** What of a scene lies on the map whatever is asked. */
export const sceneOverlay = (scene: Scene, sides: readonly string[]): Overlay => ({
  ...emptyOverlay(),
  counters: scene.counters,
  markers: scene.hex_markers,
  sideMarkers: scene.side_markers,
  patches: scene.patches,
  isNight: scene.conditions.some((one) => one.is_night),
  isDull: scene.conditions.some((one) => one.is_dull),
  sides,
});

/** The hexes that count, in the colours of their holders. */
export const heldHexes = (scene: Scene, sides: readonly WireSide[]): Map<string, string> =>
  new Map(scene.stakes.holdings.flatMap((one) => one.hexes.map((label) => [label, one.holder && sideColours(sides.find((side) => side.id === one.holder)?.colour || one.holder).fill] as const)));

/** Counters by the hex that they stand in, each stack from the bottom to the top. */
export const stacksOf = (counters: readonly Counter[]): Map<string, Counter[]> => {
  const found = new Map<string, Counter[]>();
  for (const counter of counters) {
    if (!counter.hex) continue;
    const stack = found.get(counter.hex);
    if (!stack) found.set(counter.hex, [counter]);
    else if (stack.at(-1)?.is_top) stack.splice(-1, 0, counter);
    else stack.push(counter);
  }
  return found;
};
