/** What the painter needs of a map: geometry in world units, no rules. */

import type { Axial, Point } from "../../geo/hex";

/** How far below its point the name of a place is written. */
export const NAME_BELOW = 0.52;

export interface SourceHex extends Axial {
  label: string;
  level: number;
  isPlayable: boolean;
}

export interface SourceSide extends Axial {
  /** Direction 0 to 5 of the side as seen from the hex. */
  direction: number;
}

export interface SourceFeature {
  kind: string;
  /** The server's hint how to draw it, for kinds whose word says nothing. */
  paint: string;
  hexes: Axial[];
  sides: SourceSide[];
  outline: Point[];
  line: Point[];
  at: Point | null;
  text: string;
  level: number | null;
}

export interface MapSource {
  hexes: SourceHex[];
  features: SourceFeature[];
  climate: Climate;
  /** Width and depth of a table, where there are no hexes. */
  table: { width: number; depth: number } | null;
}

export type Climate = "arid" | "temperate" | "winter";

const ARID = /sand|wadi|desert|dune|palm|oasis|camel|deir|sebkha|salt/;
const WINTER = /snow|ice|frozen/;

/** Guesses how the land should look from the words for its terrain. */
export const climateOf = (words: Iterable<string>): Climate => {
  let arid = false;
  for (const word of words) {
    if (WINTER.test(word)) return "winter";
    arid ||= ARID.test(word.toLowerCase());
  }
  return arid ? "arid" : "temperate";
};
