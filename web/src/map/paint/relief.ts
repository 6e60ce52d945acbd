/**
 * The ground as a shaded relief: heights from the contours, softened into slopes, lit from the north-west, coloured
 * by level and tinted by what covers it. Worked out once per map at a modest resolution and scaled by the tiles.
 */

import type { Point } from "../../geo/hex";
import { fractal, noise } from "../../geo/noise";
import { polylinePath, ringsPath } from "../../geo/outline";
import type { Area, Scene } from "./scene";
import type { Rgb } from "./style";

export interface Relief {
  image: OffscreenCanvas;
  /** Pixels per world unit. */
  scale: number;
}

const MOST_PIXELS = 1_400_000;

export const paintRelief = (scene: Scene): Relief => {
  const { left, top, right, bottom } = scene.bounds;
  const scale = Math.min(14, Math.sqrt(MOST_PIXELS / ((right - left) * (bottom - top))));
  const width = Math.ceil((right - left) * scale);
  const height = Math.ceil((bottom - top) * scale);
  const masks = new Masks(width, height, scale, left, top);
  const heights = heightField(scene, masks, width, height, scale);
  const pixels = colour(scene, masks, heights, width, height, scale);
  const image = new OffscreenCanvas(width, height);
  image.getContext("2d")!.putImageData(new ImageData(pixels, width, height), 0, 0);
  return { image, scale };
};

/** Turns outlines into soft-edged masks. */
class Masks {
  private readonly context: OffscreenCanvasRenderingContext2D;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly scale: number,
    private readonly left: number,
    private readonly top: number,
  ) {
    this.context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  }

  of(rings: readonly (readonly Point[])[], softness: number): Float32Array {
    return this.soft((context) => context.fill(ringsPath(rings)), softness);
  }

  along(points: readonly Point[], width: number, softness: number): Float32Array {
    return this.soft((context) => {
      context.lineWidth = width;
      context.lineCap = context.lineJoin = "round";
      context.stroke(polylinePath(points));
    }, softness);
  }

  private soft(draw: (context: OffscreenCanvasRenderingContext2D) => void, softness: number): Float32Array {
    const context = this.context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.setTransform(this.scale, 0, 0, this.scale, -this.left * this.scale, -this.top * this.scale);
    draw(context);
    const data = context.getImageData(0, 0, this.width, this.height).data;
    const mask = new Float32Array(this.width * this.height);
    for (let i = 0; i < mask.length; i++) mask[i] = data[i * 4 + 3]! / 255;
    const radius = Math.max(1, Math.round(softness * this.scale));
    const spare = new Float32Array(mask.length);
    for (let pass = 0; pass < 2; pass++) {
      blurRows(mask, spare, this.width, this.height, radius);
      blurColumns(spare, mask, this.width, this.height, radius);
    }
    return mask;
  }
}

const blurRows = (from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void => {
  const span = 2 * radius + 1;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = from[row]! * radius;
    for (let x = 0; x < radius; x++) sum += from[row + Math.min(x, width - 1)]!;
    for (let x = 0; x < width; x++) {
      sum += from[row + Math.min(x + radius, width - 1)]!;
      to[row + x] = sum / span;
      sum -= from[row + Math.max(x - radius, 0)]!;
    }
  }
};

const blurColumns = (from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void => {
  const span = 2 * radius + 1;
  const sums = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    let sum = from[x]! * radius;
    for (let y = 0; y < radius; y++) sum += from[Math.min(y, height - 1) * width + x]!;
    sums[x] = sum;
  }
  for (let y = 0; y < height; y++) {
    const enter = Math.min(y + radius, height - 1) * width;
    const leave = Math.max(y - radius, 0) * width;
    for (let x = 0; x < width; x++) {
      const sum = sums[x]! + from[enter + x]!;
      to[y * width + x] = sum / span;
      sums[x] = sum - from[leave + x]!;
    }
  }
};

const heightField = (scene: Scene, masks: Masks, width: number, height: number, scale: number): Float32Array => {
  const field = new Float32Array(width * height);
  const { left, top } = scene.bounds;
  for (const { rings } of scene.contours) {
    const mask = masks.of(rings, 0.16);
    for (let i = 0; i < field.length; i++) field[i]! += mask[i]!;
  }
  for (const area of scene.areas) {
    if (area.style.draw !== "cut") continue;
    const mask = masks.of(area.rings, 0.1);
    const depth = area.style.depth * 0.8;
    for (let i = 0; i < field.length; i++) field[i]! -= depth * mask[i]!;
  }
  for (const route of scene.routes) {
    if (!route.style.depth) continue;
    const mask = masks.along(route.points, route.style.width, 0.08);
    for (let i = 0; i < field.length; i++) field[i]! -= route.style.depth * mask[i]!;
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [wx, wy] = [left + x / scale, top + y / scale];
      field[y * width + x]! += (fractal(wx * 0.45, wy * 0.45, 3, 4) - 0.5) * 0.42;
    }
  }
  return field;
};

interface Tint {
  rgb: Rgb;
  mask: Float32Array;
  strength: number;
}

/** The tint of all areas of one kind. */
const tintOf = (areas: readonly Area[], masks: Masks): Tint | null => {
  const style = areas[0]!.style;
  if (style.draw === "none" || style.draw === "water" || (style.draw === "buildings" && areas[0]!.isExact)) return null;
  const strength = { trees: 0.72, bushes: 0.55, furrows: 0.8, cut: 0.5, buildings: 0.5, hatch: 0.45 }[style.draw as string] ?? 0.62;
  return { rgb: style.tint, mask: masks.of(areas.flatMap((area) => area.rings), areas[0]!.isExact ? 0.04 : 0.09), strength };
};

const colour = (scene: Scene, masks: Masks, field: Float32Array, width: number, height: number, scale: number): Uint8ClampedArray<ArrayBuffer> => {
  const { left, top } = scene.bounds;
  const kinds = new Map<string, Area[]>();
  for (const area of scene.areas) {
    const key = `${area.kind}/${area.isExact}`;
    kinds.set(key, [...(kinds.get(key) ?? []), area]);
  }
  const tints = [...kinds.values()].map((areas) => tintOf(areas, masks)).filter((tint) => tint !== null);
  const ramp = scene.palette.ramp;
  const pixels = new Uint8ClampedArray(width * height * 4);
  const relief = 2.6;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const h = field[i]!;
      const at = Math.max(0, Math.min(ramp.length - 1.001, h + 1));
      const lower = ramp[Math.floor(at)]!;
      const upper = ramp[Math.floor(at) + 1]!;
      const t = at - Math.floor(at);
      let r = lower[0] + (upper[0] - lower[0]) * t;
      let g = lower[1] + (upper[1] - lower[1]) * t;
      let b = lower[2] + (upper[2] - lower[2]) * t;
      const [wx, wy] = [left + x / scale, top + y / scale];
      const mottle = noise(wx * 2.1, wy * 2.1, 21);
      for (const tint of tints) {
        const m = tint.mask[i]!;
        if (m < 0.01) continue;
        const k = Math.min(1, m * (0.8 + 0.4 * mottle)) * tint.strength;
        r += (tint.rgb[0] - r) * k;
        g += (tint.rgb[1] - g) * k;
        b += (tint.rgb[2] - b) * k;
      }
      const dx = ((field[i + (x < width - 1 ? 1 : 0)]! - field[i - (x > 0 ? 1 : 0)]!) * scale) / 2;
      const dy = ((field[i + (y < height - 1 ? width : 0)]! - field[i - (y > 0 ? width : 0)]!) * scale) / 2;
      // Light falls from the north-west: ground that rises towards the south-east is bright.
      const slope = (dx + dy) / relief;
      const light = 1 + Math.max(-0.3, Math.min(0.14, slope * 0.3)) + (mottle - 0.5) * 0.045;
      pixels[i * 4] = r * light;
      pixels[i * 4 + 1] = g * light;
      pixels[i * 4 + 2] = b * (light * 0.97 + 0.03);
      pixels[i * 4 + 3] = 255;
    }
  }
  return pixels;
};
