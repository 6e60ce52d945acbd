/** The edges of a table without hexes: a ruler around it, and faint lines at every sixth inch. */

import { ringsPath } from "../../geo/outline";
import { LABELS } from "./letters";
import type { Scene } from "./scene";
import { LETTER, write } from "./writing";

type Context = OffscreenCanvasRenderingContext2D;

interface Size {
  width: number;
  depth: number;
}

const EVERY = 6;

/** A tick at every inch, and a line at every sixth. */
export const drawEdges = (context: Context, scene: Scene, scale: number, { width, depth }: Size): void => {
  context.strokeStyle = scene.palette.grid;
  context.lineWidth = Math.max(1 / scale, 0.018);
  context.globalAlpha = 0.55;
  context.beginPath();
  for (let x = EVERY; x < width; x += EVERY) {
    context.moveTo(x, 0);
    context.lineTo(x, depth);
  }
  for (let y = EVERY; y < depth; y += EVERY) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
  context.globalAlpha = 1;
  if (scale >= 10) drawTicks(context, { width, depth });
  context.lineWidth = 0.12;
  context.strokeStyle = "rgba(58, 44, 26, 0.85)";
  context.stroke(ringsPath(scene.border));
};

const drawTicks = (context: Context, { width, depth }: Size): void => {
  const tick = (n: number): number => (n % EVERY ? 0.22 : 0.5);
  context.beginPath();
  for (let x = 1; x < width; x++) {
    context.moveTo(x, 0);
    context.lineTo(x, tick(x));
    context.moveTo(x, depth);
    context.lineTo(x, depth - tick(x));
  }
  for (let y = 1; y < depth; y++) {
    context.moveTo(0, y);
    context.lineTo(tick(y), y);
    context.moveTo(width, y);
    context.lineTo(width - tick(y), y);
  }
  context.stroke();
};

/** Inches along the upper and the left edge. */
export const numberEdges = (context: Context, scene: Scene, scale: number, { width, depth }: Size, isDark: boolean): void => {
  const size = Math.max(0.36, 9 / scale);
  context.font = `600 ${LETTER}px ${LABELS}`;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.fillStyle = isDark ? "rgba(236, 230, 214, 0.85)" : scene.palette.label;
  context.strokeStyle = isDark ? "rgba(24, 22, 18, 0.55)" : scene.palette.halo;
  for (let x = EVERY; x < width; x += EVERY) write(context, String(x), x, 0.5 + size, size, size * 0.28);
  for (let y = EVERY; y < depth; y += EVERY) write(context, String(y), 0.5 + size, y, size, size * 0.28);
};
