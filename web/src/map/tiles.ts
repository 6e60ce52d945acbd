/**
 * The painted ground: tiles from the worker, put together into one picture a little larger than the window. While
 * one pans, that picture is only shifted, which keeps the map smooth where there is no graphics card.
 */

import type { Camera, Size } from "./camera";
import type { Bounds } from "./paint/scene";
import type { MapSource } from "./paint/source";
import type { FromWorker, ToWorker } from "./paint/worker";

const TILE = 512;
const SCALES = [8, 16, 32, 64, 128] as const;
const MOST_TILES = 140;
const MARGIN = 0.35;
const IN_FLIGHT = 3;

interface Picture {
  camera: Camera;
  width: number;
  height: number;
  isComplete: boolean;
}

export class TileLayer {
  private readonly worker: Worker;
  private readonly tiles = new Map<string, ImageBitmap>();
  private readonly pending = new Set<string>();
  private wanted: { key: string; scale: number; column: number; row: number }[] = [];
  private epoch = 0;
  private isReady = false;
  private bounds: Bounds = { left: 0, top: 0, right: 1, bottom: 1 };
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { alpha: true })!;
  private picture: Picture | null = null;

  constructor(private readonly onChange: () => void) {
    this.worker = new Worker(new URL("./paint/worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
  }

  /** Begins anew with another map or another light. */
  load(source: MapSource, bounds: Bounds, isDark: boolean): void {
    this.epoch++;
    this.isReady = false;
    this.bounds = bounds;
    for (const bitmap of this.tiles.values()) bitmap.close();
    this.tiles.clear();
    this.pending.clear();
    this.picture = null;
    this.post({ what: "map", source, isDark, epoch: this.epoch });
  }

  close(): void {
    this.worker.terminate();
    for (const bitmap of this.tiles.values()) bitmap.close();
  }

  /** Whether everything in view is painted at its own sharpness. */
  get isSharp(): boolean {
    return this.picture?.isComplete ?? false;
  }

  /** Draws what the camera sees. `isMoving` allows the last picture to be reused, shifted or stretched. */
  draw(target: CanvasRenderingContext2D, camera: Camera, size: Size, ratio: number, isMoving: boolean): void {
    const [width, height] = [target.canvas.width, target.canvas.height];
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.clearRect(0, 0, width, height);
    if (!this.isReady) return;
    if (!this.serves(camera, size, ratio, isMoving)) this.compose(camera, size, ratio);
    const picture = this.picture!;
    const k = camera.zoom / picture.camera.zoom;
    const x = (picture.camera.x - camera.x) * camera.zoom * ratio + width / 2 - (picture.width / 2) * k;
    const y = (picture.camera.y - camera.y) * camera.zoom * ratio + height / 2 - (picture.height / 2) * k;
    if (k === 1) target.drawImage(this.canvas, Math.round(x), Math.round(y));
    else target.drawImage(this.canvas, x, y, picture.width * k, picture.height * k);
  }

  private serves(camera: Camera, size: Size, ratio: number, isMoving: boolean): boolean {
    const picture = this.picture;
    if (!picture) return false;
    const k = camera.zoom / picture.camera.zoom;
    if (k !== 1 && !(isMoving && k > 0.7 && k < 1.6)) return false;
    const slackX = (picture.width * k - size.width * ratio) / 2;
    const slackY = (picture.height * k - size.height * ratio) / 2;
    const dx = Math.abs(picture.camera.x - camera.x) * camera.zoom * ratio;
    const dy = Math.abs(picture.camera.y - camera.y) * camera.zoom * ratio;
    return dx <= slackX && dy <= slackY && (isMoving || picture.isComplete);
  }

  /** Puts the tiles around the window together; coarser ones stand in for those that are not painted yet. */
  private compose(camera: Camera, size: Size, ratio: number): void {
    const width = Math.ceil(size.width * ratio * (1 + 2 * MARGIN));
    const height = Math.ceil(size.height * ratio * (1 + 2 * MARGIN));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, width, height);
    const need = camera.zoom * ratio;
    const best = SCALES.find((scale) => scale >= need * 0.92) ?? SCALES[SCALES.length - 1]!;
    this.wanted = [];
    let isComplete = true;
    for (const scale of SCALES) {
      if (scale > best) break;
      // The coarsest level always, the one below the best as a stand-in where it is there, then the best.
      const isBase = scale === SCALES[0];
      const missing = this.paintLevel(scale, camera, ratio, width, height, isBase || scale === best);
      if (scale === best && missing) isComplete = false;
    }
    this.picture = { camera: { ...camera }, width, height, isComplete };
    this.request();
  }

  private paintLevel(scale: number, camera: Camera, ratio: number, width: number, height: number, isWanted: boolean): number {
    const k = (camera.zoom * ratio) / scale;
    const edge = TILE * k;
    const originX = (this.bounds.left - camera.x) * camera.zoom * ratio + width / 2;
    const originY = (this.bounds.top - camera.y) * camera.zoom * ratio + height / 2;
    const columns = Math.ceil(((this.bounds.right - this.bounds.left) * scale) / TILE);
    const rows = Math.ceil(((this.bounds.bottom - this.bounds.top) * scale) / TILE);
    const first = { column: Math.max(0, Math.floor(-originX / edge)), row: Math.max(0, Math.floor(-originY / edge)) };
    const last = { column: Math.min(columns - 1, Math.floor((width - originX) / edge)), row: Math.min(rows - 1, Math.floor((height - originY) / edge)) };
    let missing = 0;
    for (let row = first.row; row <= last.row; row++) {
      for (let column = first.column; column <= last.column; column++) {
        const key = `${scale}/${column}/${row}`;
        const bitmap = this.tiles.get(key);
        if (bitmap) {
          this.tiles.delete(key);
          this.tiles.set(key, bitmap);
          const [x0, y0] = [Math.round(originX + column * edge), Math.round(originY + row * edge)];
          const [x1, y1] = [Math.round(originX + (column + 1) * edge), Math.round(originY + (row + 1) * edge)];
          this.context.drawImage(bitmap, x0, y0, x1 - x0, y1 - y0);
        } else if (isWanted) {
          missing++;
          this.wanted.push({ key, scale, column, row });
        }
      }
    }
    return missing;
  }

  private request(): void {
    for (const tile of this.wanted) {
      if (this.pending.size >= IN_FLIGHT) return;
      if (this.pending.has(tile.key) || this.tiles.has(tile.key)) continue;
      this.pending.add(tile.key);
      this.post({ what: "tile", scale: tile.scale, column: tile.column, row: tile.row, epoch: this.epoch });
    }
  }

  private receive(message: FromWorker): void {
    if ("ready" in message) {
      if (message.ready !== this.epoch) return;
      this.isReady = true;
    } else {
      if (message.epoch !== this.epoch) return message.bitmap.close();
      const key = `${message.scale}/${message.column}/${message.row}`;
      this.pending.delete(key);
      this.tiles.set(key, message.bitmap);
      this.wanted = this.wanted.filter((tile) => tile.key !== key);
      for (const [old, bitmap] of this.tiles) {
        if (this.tiles.size <= MOST_TILES) break;
        if (old.startsWith(`${SCALES[0]}/`)) continue;
        bitmap.close();
        this.tiles.delete(old);
      }
      this.request();
    }
    this.onChange();
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}
