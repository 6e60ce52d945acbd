/** Destinations of a path, sorted by hex. */

import type { WireBranch, WireNode, Destination } from "../wire.gen";

export interface Place {
  hex: string;
  /** Cheapest first. */
  ways: Destination[];
  cost: number | null;
}

/** A cost as it is written: 1½. */
export const costText = (cost: number): string => (Number.isInteger(cost) ? String(cost) : `${Math.floor(cost) || ""}½`);

/** Places that a path can lead to, by hex label; ways without a hex are left to the panel. */
export const placesOf = (node: WireNode): Map<string, Place> => {
  const places = new Map<string, Place>();
  for (const way of node.destinations) {
    if (!way.ref) continue;
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

/** Branches about counters, or about hexes, by what they are about; those of a path only while it is gone leg by leg. */
export const aboutOf = (node: WireNode | null, isByLegs: boolean, isHex: boolean): Map<string, WireBranch[]> => {
  const found = new Map<string, WireBranch[]>();
  if (!node || node.sketch || (node.shape === "path" && !isByLegs)) return found;
  for (const branch of node.branches) if (branch.ref && branch.is_hex === isHex) found.set(branch.ref, [...(found.get(branch.ref) ?? []), branch]);
  return found;
};
