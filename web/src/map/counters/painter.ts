/**
 * Counters painted on a canvas, as they look from afar: for pictures with more of them than a page has room for nodes.
 * Bodies with their figures are kept as small pictures; where something has changed, only that place is painted anew.
 */

import { NARROW } from "../../fonts";
import { type Point, spineBearing } from "../../geo/hex";
import type { Counter } from "../../wire.gen";
import type { Size } from "../camera";
import { sideColours } from "./colours";
import { bodyPath, frontOf, isLine, isSeenFromAfar, layoutOf, strengthLine, TURRET, WEDGE } from "./face";
import { type Fitted, fitted } from "./fit";
import { isFilledSign, staffSign, stripeHue } from "./staff";
import { heapOf, type Placed, placeStack, U } from "./stacks";
import { symbolPath } from "./symbols";

/** What the painter is told of a hex. */
export interface PaintedHex {
  label: string;
  at: Point;
  stack: readonly Counter[];
}

/** How a counter is marked. */
export interface PaintedMark {
  state: "" | "lit" | "selected";
  badge: string;
}

export interface PaintedLight {
  lit: string;
  accent: string;
  accentInk: string;
}

/** What of the world lies where on the canvas. */
export interface PaintedView {
  /** World point of the upper left corner. */
  origin: Point;
  size: Size;
  /** Pixels of the canvas to a unit of the drawing. */
  k: number;
  grow: number;
}

/** Half of what a counter with its wedge takes. */
const REACH = 100;
/** Letters that are lower than this, in pixels, are left out. */
const READABLE = 5;
/** How far around a hex its counters may lie, in hex sizes. */
const AROUND = 1.6;
/** Where more hexes than this have changed, everything is painted anew. */
const MOST_CHANGED = 24;

const [FIRST, SECOND] = [new Path2D(bodyPath(false)), new Path2D(bodyPath(true))];

/** What of a counter stays the same as long as it is the same counter. */
interface Look {
  isSecond: boolean;
  sprite: HTMLCanvasElement;
  ink: string;
  words: Fitted;
}

export class CounterPainter {
  private looks = new WeakMap<Counter, Look>();
  private readonly sprites = new Map<string, HTMLCanvasElement>();
  private spriteScale = 0;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly isSecond: (side: string) => boolean,
    private readonly markOf: (id: string) => PaintedMark,
  ) {}

  /** Paints everything. */
  whole(view: PaintedView, hexes: readonly PaintedHex[], light: PaintedLight): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, view.size.width, view.size.height);
    for (const hex of hexes) this.hex(view, hex, light);
  }

  /** Paints anew what lies in and around some hexes. */
  some(view: PaintedView, hexes: readonly PaintedHex[], changed: readonly Point[], light: PaintedLight): void {
    if (changed.length > MOST_CHANGED) return this.whole(view, hexes, light);
    const { context } = this;
    const reach = AROUND * U * view.k;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    for (const p of changed) {
      const at = this.onCanvas(view, { x: p.x * U, y: p.y * U });
      const box = [Math.floor(at.x - reach), Math.floor(at.y - reach), Math.ceil(2 * reach), Math.ceil(2 * reach)] as const;
      context.rect(...box);
      context.clearRect(...box);
    }
    context.clip();
    for (const hex of hexes) if (changed.some((p) => Math.max(Math.abs(p.x - hex.at.x), Math.abs(p.y - hex.at.y)) < 2 * AROUND)) this.hex(view, hex, light);
    context.restore();
  }

  private onCanvas(view: PaintedView, p: Point): Point {
    return { x: (p.x - view.origin.x * U) * view.k, y: (p.y - view.origin.y * U) * view.k };
  }

  private hex(view: PaintedView, { at, stack }: PaintedHex, light: PaintedLight): void {
    const c = { x: at.x * U, y: at.y * U };
    for (const placed of placeStack(stack, c, view.grow)) this.counter(view, placed, light);
    const heap = heapOf(stack, true);
    if (!heap) return;
    if (heap.count) {
      this.moveTo(view, { x: c.x - 78, y: c.y + 52 }, 1.25);
      this.disc(17, "#1b1a17", "#fff", 3);
      this.text(String(heap.count), 0, 8, 22, "#fff", view.k * 1.25);
    }
    heap.signs.forEach((sign, i) => {
      this.moveTo(view, { x: c.x - 74, y: c.y - 50 + i * 26 }, 1.25);
      this.plate(sign.text, 19, sign.width, 23, -13, 5, "#d55e00", "#ffffff", "rgba(0, 0, 0, 0.6)", view.k * 1.25);
    });
  }

  private moveTo(view: PaintedView, p: Point, scale: number): void {
    const at = this.onCanvas(view, p);
    this.context.setTransform(view.k * scale, 0, 0, view.k * scale, at.x, at.y);
  }

  private counter(view: PaintedView, { counter, x, y, scale }: Placed, light: PaintedLight): void {
    const { context } = this;
    const { state, badge } = this.markOf(counter.id);
    const at = this.onCanvas(view, { x, y });
    const { sprite, ink, words, isSecond } = this.look(counter, view.k * view.grow);
    const size = (sprite.width * scale) / view.grow;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (scale === view.grow) context.drawImage(sprite, Math.round(at.x - size / 2), Math.round(at.y - size / 2));
    else context.drawImage(sprite, at.x - size / 2, at.y - size / 2, size, size);
    this.moveTo(view, { x, y }, scale);
    const k = view.k * scale;
    this.text(words.text, 0, isLine(counter.face) ? 45 : 42, words.size, ink, k, words.squeezed);
    counter.markers.filter(isSeenFromAfar).forEach((marker, i) => {
      const pill = fitted(marker.text, 15, 46, 11);
      const width = Math.max(20, 9 + pill.width);
      context.save();
      context.translate((i % 2 ? -1 : 1) * (56 - width / 2), i < 2 ? -57 : 57 + 21 * (Math.floor(i / 2) - 1));
      this.plate(pill.text, pill.size, width, 20, -11, 4.5, marker.tone === "bad" ? "#d55e00" : "#1d4f91", "#ffffff", "rgba(0, 0, 0, 0.65)", k);
      context.restore();
    });
    if (state) {
      context.lineWidth = state === "selected" ? 14 : 9;
      context.strokeStyle = state === "selected" ? light.accent : light.lit;
      context.stroke(isSecond ? SECOND : FIRST);
    }
    if (badge) {
      const word = fitted(badge, 19, 96, 13);
      context.translate(0, 62);
      this.plate(word.text, word.size, 20 + word.width, 25, -13, 6, light.accent, light.accentInk, "#ffffff", k);
    }
  }

  private text(text: string, x: number, y: number, size: number, ink: string, k: number, most?: number): void {
    if (size * k < READABLE) return;
    const { context } = this;
    context.font = `700 ${size}px "${NARROW}"`;
    context.textAlign = "center";
    context.fillStyle = ink;
    context.fillText(text, x, y, most);
  }

  private disc(r: number, fill: string, edge: string, width: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(0, 0, r, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = edge;
    context.lineWidth = width;
    context.stroke();
  }

  private plate(text: string, size: number, width: number, height: number, top: number, base: number, fill: string, ink: string, edge: string, k: number): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(-width / 2, top, width, height, height / 2.6);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = edge;
    context.lineWidth = 2;
    context.stroke();
    this.text(text, 0, base, size, ink, k);
  }

  private look(counter: Counter, scale: number): Look {
    if (scale !== this.spriteScale) {
      this.sprites.clear();
      this.looks = new WeakMap();
      this.spriteScale = scale;
    }
    const isSecond = this.isSecond(counter.side);
    const kept = this.looks.get(counter);
    if (kept?.isSecond === isSecond) return kept;
    const { face } = counter;
    const isStrength = isLine(face);
    const line = isStrength ? strengthLine(face.values).map((one) => one.dash + one.text).join("") || face.code : counter.id;
    const words = fitted(line, isStrength ? 46 : 32, isSecond ? 80 : 90);
    const look = { isSecond, sprite: this.sprite(counter, isSecond, scale), ink: sideColours(face.colour).ink, words };
    this.looks.set(counter, look);
    return look;
  }

  /** Body, figure and facing of a counter, as many look alike; of this many pixels to a unit. */
  private sprite(counter: Counter, isSecond: boolean, scale: number): HTMLCanvasElement {
    const { face, turret } = counter;
    const front = frontOf(counter);
    const path = symbolPath(face.symbol);
    const key = JSON.stringify([face.colour, isSecond, face.symbol, path ? "" : face.code, front, turret, face.layout, layoutOf(face) === "staff" ? face.values : ""]);
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    sprite = document.createElement("canvas");
    sprite.width = sprite.height = Math.ceil(2 * REACH * scale);
    const context = sprite.getContext("2d")!;
    const colours = sideColours(face.colour);
    const body = isSecond ? SECOND : FIRST;
    const isStrength = layoutOf(face) === "strength";
    const place = (x: number, y: number, more = 1, flip = 1): void => context.setTransform(scale * more * flip, 0, 0, scale * more, sprite!.width / 2 + x * scale, sprite!.height / 2 + y * scale);
    place(3, 5);
    context.fillStyle = "rgba(20, 14, 4, 0.35)";
    context.fill(body);
    place(0, 0);
    context.fillStyle = colours.fill;
    context.fill(body);
    context.strokeStyle = colours.edge;
    context.lineWidth = 4;
    context.stroke(body);
    if (layoutOf(face) === "staff") {
      context.fillStyle = `hsl(${stripeHue(face.values.find((value) => value.name === "formation")?.text ?? "")} 62% 46%)`;
      context.fill(new Path2D("M-50-36V36L-42 44V-44Z"));
      place(4, -13, 1.05);
      context.fillStyle = "rgba(255, 255, 255, 0.55)";
      context.fillRect(-30, -19, 60, 38);
      context.strokeStyle = context.fillStyle = colours.ink;
      context.lineWidth = 3;
      context.strokeRect(-30, -19, 60, 38);
      const sign = new Path2D(staffSign(face.symbol));
      context.stroke(sign);
      if (isFilledSign(face.symbol)) context.fill(sign);
    } else if (path) {
      place(0, isStrength ? -14 : -13, isStrength ? 1.3 : 1.42, !isStrength && front !== null && front > 180 ? -1 : 1);
      context.translate(-32, isStrength ? -17 : -18);
      context.fillStyle = colours.figure;
      context.fill(new Path2D(path));
    } else if (!isStrength) {
      const code = fitted(face.code, 38, 88);
      context.font = `700 ${code.size}px "${NARROW}"`;
      context.textAlign = "center";
      context.fillStyle = colours.ink;
      context.fillText(code.text, 0, 4, code.squeezed);
    }
    const point = (degrees: number, shape: string, fill: string, stroke: string): void => {
      place(0, 0);
      context.rotate((degrees * Math.PI) / 180);
      const drawn = new Path2D(shape);
      context.fillStyle = fill;
      context.fill(drawn);
      context.strokeStyle = stroke;
      context.lineWidth = 3;
      context.stroke(drawn);
    };
    if (front !== null) point(front, WEDGE, "#fffdf5", "#1b1a17");
    if (turret !== null) point(spineBearing(turret), TURRET, "#1b1a17", "#fffdf5");
    this.sprites.set(key, sprite);
    return sprite;
  }
}
