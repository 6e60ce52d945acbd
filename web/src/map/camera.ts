/** Where one looks: a point of the world in the middle of the window, and how large a hex is. */

import type { Point } from "../geo/hex";
import type { Bounds } from "./paint/scene";

export interface Camera {
  x: number;
  y: number;
  /** CSS pixels per world unit (the size of a hex). */
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const MIN_ZOOM = 7;
export const MAX_ZOOM = 120;

export const toWorld = (camera: Camera, size: Size, px: number, py: number): Point => ({
  x: camera.x + (px - size.width / 2) / camera.zoom,
  y: camera.y + (py - size.height / 2) / camera.zoom,
});

export const toScreen = (camera: Camera, size: Size, p: Point): Point => ({
  x: (p.x - camera.x) * camera.zoom + size.width / 2,
  y: (p.y - camera.y) * camera.zoom + size.height / 2,
});

/** The whole map in the window, with room for what lies over its edges. */
export const fit = (bounds: Bounds, size: Size, margin = 12): Camera => {
  const zoom = Math.min(
    (size.width - 2 * margin) / (bounds.right - bounds.left),
    (size.height - 2 * margin) / (bounds.bottom - bounds.top),
  );
  return {
    x: (bounds.left + bounds.right) / 2,
    y: (bounds.top + bounds.bottom) / 2,
    zoom: Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, zoom)),
  };
};

/** Zooms about a point of the window, which stays where it is. */
export const zoomAt = (camera: Camera, size: Size, px: number, py: number, factor: number): Camera => {
  const zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, camera.zoom * factor));
  const at = toWorld(camera, size, px, py);
  return { zoom, x: at.x - (px - size.width / 2) / zoom, y: at.y - (py - size.height / 2) / zoom };
};

/** Keeps some of the map in the window. */
export const clampTo = (camera: Camera, bounds: Bounds): Camera => ({
  zoom: camera.zoom,
  x: Math.max(bounds.left, Math.min(bounds.right, camera.x)),
  y: Math.max(bounds.top, Math.min(bounds.bottom, camera.y)),
});
