/** Where a note over the map hides the least: in which corner. */

import type { Point } from "../geo/hex";
import type { Size } from "./camera";

export type Corner = "top left" | "bottom left" | "top right" | "bottom right";

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The first of `order` in which a note of this size lies over the fewest points; `inset` is not free at all. */
export const freeCorner = (points: readonly Point[], note: Size, size: Size, inset: Edges, order: readonly Corner[]): Corner => {
  const hidden = (corner: Corner): number => {
    const left = corner.endsWith("left") ? inset.left : size.width - inset.right - note.width;
    const top = corner.startsWith("top") ? inset.top : size.height - inset.bottom - note.height;
    return points.filter((p) => p.x > left && p.x < left + note.width && p.y > top && p.y < top + note.height).length;
  };
  return order.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
};
