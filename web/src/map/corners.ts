/** Where a note over the map hides the least: in which corner. */

import type { Point } from "../geo/hex";
import type { Size } from "./camera";
import type { Overlay } from "./overlay";

export type Corner = "top left" | "bottom left" | "top right" | "bottom right";

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Places that a note must not hide if it can help it: who stands there, and what is asked about; who is asked, twice. */
export const tellingPlaces = (overlay: Overlay): string[] => {
  const standing = overlay.counters.filter((one) => one.hex);
  const meant = standing.filter((one) => overlay.selected.has(one.id) || overlay.litUnits.has(one.id));
  const marked = [...overlay.litHexes].filter(([, lit]) => lit.tone !== "go").map(([label]) => label);
  const aimed = overlay.lines.filter((line) => line.tone === "fire").flatMap((line) => [line.a, line.b]);
  return [...[...standing, ...meant].map((one) => one.hex), ...marked, ...aimed, ...overlay.areas.flatMap((area) => area.hexes)];
};

/** The first of `order` in which a note of this size lies over the fewest points; `inset` is not free at all. */
export const freeCorner = (points: readonly Point[], note: Size, size: Size, inset: Edges, order: readonly Corner[]): Corner => {
  const hidden = (corner: Corner): number => {
    const left = corner.endsWith("left") ? inset.left : size.width - inset.right - note.width;
    const top = corner.startsWith("top") ? inset.top : size.height - inset.bottom - note.height;
    return points.filter((p) => p.x > left && p.x < left + note.width && p.y > top && p.y < top + note.height).length;
  };
  return order.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
};
