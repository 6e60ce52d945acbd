/** Destinations of a path, sorted by hex. */

import { DIRECTION_NAMES } from "../geo/hex";
import type { WireNode, Destination } from "../wire.gen";

export interface Place {
  hex: string;
  /** Cheapest first. */
  ways: Destination[];
  cost: number | null;
}

/** A number at the end of a label, perhaps with a half and a unit: "(3)", "(1 1/2 MF)". */
const COST = /\((\d+)( 1\/2)?(?: [A-Z]+)?\)\s*$/;
const FACING = /\b(?:facing|to) (NE|NW|SE|SW|N|S)\b/;

/** Cost and facing as data where the system gives them, else from the label, which has them in any case. */
const complete = (way: Destination): Destination => ({
  ...way,
  cost: way.cost ?? costIn(way.label),
  facing: way.facing ?? facingIn(way.label),
});

const costIn = (label: string): number | null => {
  const found = COST.exec(label);
  return found ? Number(found[1]) + (found[2] ? 0.5 : 0) : null;
};

/** A cost as it is written: 1½. */
export const costText = (cost: number): string => (Number.isInteger(cost) ? String(cost) : `${Math.floor(cost) || ""}½`);

const facingIn = (label: string): number | null => {
  const found = FACING.exec(label);
  return found ? DIRECTION_NAMES.indexOf(found[1] as (typeof DIRECTION_NAMES)[number]) : null;
};

/** Places that a path can lead to, by hex label; ways without a hex are left to the panel. */
export const placesOf = (node: WireNode): Map<string, Place> => {
  const places = new Map<string, Place>();
  for (const told of node.destinations) {
    if (!told.ref) continue;
    const way = complete(told);
    const place = places.get(way.ref) ?? { hex: way.ref, ways: [], cost: null };
    place.ways.push(way);
    if (way.cost !== null && (place.cost === null || way.cost < place.cost)) place.cost = way.cost;
    places.set(way.ref, place);
  }
  for (const place of places.values()) place.ways.sort((a, b) => (a.cost ?? 0) - (b.cost ?? 0));
  return places;
};

/** Ways of a path that lead to no hex: to stay, to hold back. */
export const placeless = (node: WireNode): Destination[] => node.destinations.filter((way) => !way.ref);

/** How many hexes the choices of a node are about: several may be about one. */
export const hexesAmong = (node: WireNode): number => new Set(node.branches.filter((branch) => branch.is_hex).map((branch) => branch.ref)).size;
