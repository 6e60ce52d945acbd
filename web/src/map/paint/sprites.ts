/** Small pictures of single things, drawn once for each scale and stamped many times. */

import { random } from "../../geo/noise";
import type { Item } from "./scatter";
import { type Rgb, css, shade } from "./style";

type Context = OffscreenCanvasRenderingContext2D;

const SIZES = 6;

export class Sprites {
  private readonly cache = new Map<string, OffscreenCanvas>();

  constructor(
    private readonly scale: number,
    private readonly shadow: string,
  ) {}

  /** Stamps the shadow of something that stands. */
  stampShadow(context: Context, item: Item): void {
    const r = item.size * 1.05;
    const sprite = this.sprite(`shadow${this.step(r)}`, this.step(r), (c, s) => {
      const g = c.createRadialGradient(0, 0, s * 0.45, 0, 0, s);
      g.addColorStop(0, this.shadow);
      g.addColorStop(1, "rgba(0,0,0,0)");
      c.fillStyle = g;
      c.beginPath();
      c.arc(0, 0, s, 0, 7);
      c.fill();
    });
    this.stamp(context, sprite, item.x + item.size * 0.42, item.y + item.size * 0.46, r);
  }

  stampCrown(context: Context, item: Item): void {
    const size = this.step(item.size);
    const sprite = this.sprite(`crown${size}/${item.variant}/${item.colour.join()}`, size, (c, s) => crown(c, s, item.variant, item.colour));
    this.stamp(context, sprite, item.x, item.y, item.size);
  }

  stampRock(context: Context, item: Item): void {
    const size = this.step(item.size);
    const sprite = this.sprite(`rock${size}/${item.variant}/${item.colour.join()}`, size, (c, s) => rock(c, s, item.variant, item.colour));
    this.stamp(context, sprite, item.x, item.y, item.size);
  }

  /** Sizes come in a few steps, so that few pictures serve many things. */
  private step(size: number): number {
    return Math.max(1, Math.round(Math.log2(size * 16) * SIZES));
  }

  private sprite(key: string, step: number, draw: (context: Context, size: number) => void): OffscreenCanvas {
    const found = this.cache.get(key);
    if (found) return found;
    const size = (2 ** (step / SIZES) / 16) * this.scale;
    const edge = Math.max(2, Math.ceil(size * 2.6));
    const canvas = new OffscreenCanvas(edge, edge);
    const context = canvas.getContext("2d")!;
    context.translate(edge / 2, edge / 2);
    draw(context, size);
    this.cache.set(key, canvas);
    return canvas;
  }

  private stamp(context: Context, sprite: OffscreenCanvas, x: number, y: number, size: number): void {
    const w = size * 2.6;
    context.drawImage(sprite, x - w / 2, y - w / 2, w, w);
  }
}

const crown = (c: Context, size: number, variant: number, colour: Rgb): void => {
  const next = random(variant * 131 + 7);
  const lobes = Array.from({ length: 8 }, (_, i) => {
    const a = (i / 8) * 6.283 + next() * 0.5;
    const d = size * (0.42 + 0.2 * next());
    return { x: Math.cos(a) * d, y: Math.sin(a) * d, r: size * (0.42 + 0.14 * next()) };
  });
  const blob = (dx: number, dy: number, k: number, fill: string): void => {
    c.fillStyle = fill;
    c.beginPath();
    for (const lobe of lobes) {
      const [x, y, r] = [lobe.x * k + dx, lobe.y * k + dy, lobe.r * k];
      c.moveTo(x + r, y);
      c.arc(x, y, r, 0, 6.2832);
    }
    c.fill();
  };
  blob(0, 0, 1.04, css(shade(colour, 0.62)));
  blob(-size * 0.06, -size * 0.07, 0.9, css(colour));
  blob(-size * 0.16, -size * 0.18, 0.56, css(shade(colour, 1.22)));
  blob(-size * 0.26, -size * 0.28, 0.24, css(shade(colour, 1.42), 0.8));
};

const rock = (c: Context, size: number, variant: number, colour: Rgb): void => {
  const next = random(variant * 71 + 3);
  const points = Array.from({ length: 7 }, (_, i) => {
    const a = (i / 7) * 6.283;
    const d = size * (0.65 + 0.4 * next());
    return [Math.cos(a) * d, Math.sin(a) * d * 0.8] as const;
  });
  const trace = (k: number, dx: number, dy: number): void => {
    c.beginPath();
    points.forEach(([x, y], i) => (i ? c.lineTo(x * k + dx, y * k + dy) : c.moveTo(x * k + dx, y * k + dy)));
    c.closePath();
    c.fill();
  };
  c.fillStyle = css(shade(colour, 0.6));
  trace(1, 0, 0);
  c.fillStyle = css(shade(colour, 1.02));
  trace(0.8, -size * 0.1, -size * 0.12);
  c.fillStyle = css(shade(colour, 1.22));
  trace(0.45, -size * 0.22, -size * 0.24);
};
