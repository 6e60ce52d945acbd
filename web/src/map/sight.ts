/** What of the world is in the window, with some room around it: the rest need not be drawn. */

import type { Point } from "../geo/hex";
import { type Camera, type Size, toWorld } from "./camera";
import type { Bounds } from "./paint/scene";

/** Of the window's edges, so much is drawn beyond them: one can pan that far before anything has to be drawn anew. */
export const MARGIN = 0.25;

/** What a camera sees, and `margin` of it on every side. */
export const inView = (camera: Camera, size: Size, margin = MARGIN): Bounds => {
  const [a, b] = [toWorld(camera, size, 0, 0), toWorld(camera, size, size.width, size.height)];
  const [dx, dy] = [(b.x - a.x) * margin, (b.y - a.y) * margin];
  return { left: a.x - dx, right: b.x + dx, top: a.y - dy, bottom: b.y + dy };
};

/** Whether something about as large as a hex shows in these bounds. */
export const shows = (bounds: Bounds, p: Point): boolean =>
  p.x > bounds.left - 1 && p.x < bounds.right + 1 && p.y > bounds.top - 1 && p.y < bounds.bottom + 1;

/** Whether all that a camera sees was drawn for another one. */
export const isDrawn = (drawn: Bounds, seen: Bounds): boolean =>
  seen.left >= drawn.left && seen.right <= drawn.right && seen.top >= drawn.top && seen.bottom <= drawn.bottom;

/** Those of some points that a window of this size shows most of, with the one in whose middle they are. */
export const densest = (points: readonly Point[], width: number, height: number): readonly Point[] => {
  const around = (p: Point): Point[] => points.filter((one) => Math.abs(one.x - p.x) < width / 2 && Math.abs(one.y - p.y) < height / 2);
  return points.map(around).reduce((best, found) => (found.length > best.length ? found : best), []);
};
