/** Hexsides: walls, hedges, crests, cliffs, slopes and banks, exactly on the side that they occupy. */

import { type Point } from "../../geo/hex";
import { hash2 } from "../../geo/noise";
import type { Side } from "./scene";

type Context = OffscreenCanvasRenderingContext2D;

export const drawSide = (context: Context, side: Side): void => {
  context.lineCap = "round";
  context.lineJoin = "round";
  switch (side.style) {
    case "wall":
      line(context, side, 0.13, "rgba(64, 58, 50, 0.95)");
      line(context, side, 0.075, "rgb(196, 188, 172)", [0.1, 0.03]);
      break;
    case "hedge":
      hedge(context, side);
      break;
    case "cliff":
      line(context, side, 0.09, "rgba(70, 44, 22, 0.95)");
      ticks(context, side, 7, 0.17, 0.075, "rgba(70, 44, 22, 0.95)");
      break;
    case "crest":
      line(context, side, 0.1, "rgba(250, 236, 204, 0.75)");
      line(context, side, 0.055, "rgba(122, 74, 28, 0.95)");
      ticks(context, side, 6, 0.12, 0.03, "rgba(122, 74, 28, 0.95)");
      break;
    case "slope":
      ticks(context, side, 5, 0.16, 0.028, "rgba(110, 74, 34, 0.42)");
      break;
    case "bank":
      line(context, side, 0.06, "rgba(96, 84, 58, 0.9)");
      ticks(context, side, 9, 0.08, 0.025, "rgba(96, 84, 58, 0.9)");
      break;
    case "stream":
      water(context, side, 0.07);
      break;
    case "river":
      water(context, side, 0.17);
      break;
    case "wide river":
      water(context, side, 0.3);
      break;
    case "bridge":
      across(context, side, 0.34, "rgb(70, 62, 52)");
      across(context, side, 0.2, "rgb(238, 228, 204)");
      break;
    case "ford":
      across(context, side, 0.16, "rgba(226, 214, 180, 0.9)", [0.06, 0.05]);
      break;
    case "plain":
      line(context, side, 0.07, "rgba(60, 40, 90, 0.85)", [0.12, 0.1]);
      break;
  }
};

const line = (context: Context, { a, b }: Side, width: number, style: string, dash: number[] = []): void => {
  context.lineWidth = width;
  context.strokeStyle = style;
  context.setLineDash(dash);
  if (dash.length) context.lineCap = "butt";
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.lineTo(b.x, b.y);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
};

/** Water runs along its side with a dark bank to the left and right of it. */
const water = (context: Context, side: Side, width: number): void => {
  line(context, side, width + 0.06, "rgb(86, 118, 118)");
  line(context, side, width, "rgb(128, 172, 186)");
};

/** A crossing: a short bar over the middle of a side. */
const across = (context: Context, { a, b }: Side, width: number, style: string, dash: number[] = []): void => {
  const [mid, way] = [{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { x: (b.y - a.y) * 0.26, y: (a.x - b.x) * 0.26 }];
  context.lineCap = "butt";
  line(context, { a: { x: mid.x - way.x, y: mid.y - way.y }, b: { x: mid.x + way.x, y: mid.y + way.y } } as Side, width, style, dash);
};

const along = ({ a, b }: Side, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

/** Short strokes downhill, or to both sides where the ground is level. */
const ticks = (context: Context, side: Side, count: number, length: number, width: number, style: string): void => {
  const across = { x: side.b.y - side.a.y, y: side.a.x - side.b.x };
  const ways = side.down ? [side.down] : [across, { x: -across.x, y: -across.y }];
  context.lineWidth = width;
  context.strokeStyle = style;
  context.beginPath();
  for (let i = 0; i < count; i++) {
    const p = along(side, (i + 0.5) / count);
    for (const way of ways) {
      const reach = length * (side.down ? 1 : 0.55);
      context.moveTo(p.x, p.y);
      context.lineTo(p.x + way.x * reach, p.y + way.y * reach);
    }
  }
  context.stroke();
};

const hedge = (context: Context, side: Side): void => {
  const bushes = 9;
  const bush = (dx: number, dy: number, grow: number, style: (v: number) => string): void => {
    for (let i = 0; i <= bushes; i++) {
      const p = along(side, i / bushes);
      const v = hash2(Math.round(p.x * 100), Math.round(p.y * 100), 8);
      context.fillStyle = style(v);
      context.beginPath();
      context.arc(p.x + dx + (v - 0.5) * 0.03, p.y + dy, (0.07 + 0.03 * v) * grow, 0, 7);
      context.fill();
    }
  };
  bush(0.04, 0.05, 1.05, () => "rgba(30, 36, 12, 0.3)");
  bush(0, 0, 1.08, () => "rgb(48, 70, 34)");
  bush(-0.012, -0.014, 0.86, (v) => (v < 0.5 ? "rgb(82, 112, 54)" : "rgb(96, 126, 60)"));
  bush(-0.03, -0.03, 0.4, () => "rgb(128, 152, 80)");
};
