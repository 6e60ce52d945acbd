/** Paints tiles of a map, layer by layer, at any scale. */

import { CORNERS, centre, keyOf } from "../../geo/hex";
import { hash2 } from "../../geo/noise";
import { polylinePath, ringsPath } from "../../geo/outline";
import { drawSide } from "./hexsides";
import { type Relief, paintRelief } from "./relief";
import { type Item } from "./scatter";
import { type Area, type Route, type Scene, buildScene } from "./scene";
import { type MapSource, NAME_BELOW } from "./source";
import { Sprites } from "./sprites";
import { css, shade } from "./style";
import { LABELS, NAMES } from "./letters";
import { drawEdges, numberEdges } from "./tabletop";
import { LETTER, write } from "./writing";

type Context = OffscreenCanvasRenderingContext2D;

/** Pixels of a tile's edge. */
export const TILE = 512;

const CELL = 4;

export class Painter {
  readonly scene: Scene;
  private readonly relief: Relief;
  private readonly border: Path2D;
  private readonly unplayable: Path2D;
  private readonly contours: Path2D[];
  private readonly areas: { area: Area; path: Path2D }[];
  private readonly routes: { route: Route; path: Path2D }[];
  private readonly cells = new Map<number, Item[]>();
  private readonly sprites = new Map<number, Sprites>();
  private grain: OffscreenCanvas | null = null;

  constructor(
    source: MapSource,
    private readonly isDark: boolean,
  ) {
    this.scene = buildScene(source);
    this.relief = paintRelief(this.scene);
    this.border = ringsPath(this.scene.border);
    this.unplayable = ringsPath(this.scene.unplayable);
    this.contours = this.scene.contours.map((c) => ringsPath(c.rings));
    this.areas = this.scene.areas.map((area) => ({ area, path: ringsPath(area.rings) }));
    this.routes = this.scene.routes.map((route) => ({ route, path: polylinePath(route.points) }));
    for (const item of this.scene.items) {
      const key = keyOf(Math.floor(item.x / CELL), Math.floor(item.y / CELL));
      const cell = this.cells.get(key);
      if (cell) cell.push(item);
      else this.cells.set(key, [item]);
    }
  }

  /** A tile at `scale` pixels per world unit; tile (0, 0) begins at the top left of the map's bounds. */
  tile(scale: number, column: number, row: number): OffscreenCanvas {
    const canvas = new OffscreenCanvas(TILE, TILE);
    const context = canvas.getContext("2d")!;
    const left = this.scene.bounds.left + (column * TILE) / scale;
    const top = this.scene.bounds.top + (row * TILE) / scale;
    const size = TILE / scale;
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    context.save();
    context.clip(this.border);
    this.ground(context, scale);
    this.water(context);
    const items = this.itemsIn(left, top, size);
    if (scale >= 10) this.flatItems(context, items);
    this.fields(context, left, top, size);
    this.paintRoutes(context);
    for (const side of this.scene.sides) {
      if (side.a.x > left - 2 && side.a.x < left + size + 2 && side.a.y > top - 2 && side.a.y < top + size + 2) drawSide(context, side);
    }
    if (scale >= 10) this.standingItems(context, items, scale);
    this.edges(context, scale);
    this.footprints(context, scale, left, top, size);
    this.grid(context, scale, left, top, size);
    if (this.scene.unplayable.length) {
      context.fillStyle = "rgba(60, 58, 54, 0.5)";
      context.fill(this.unplayable);
    }
    if (this.isDark) {
      context.globalCompositeOperation = "multiply";
      context.fillStyle = "rgb(158, 164, 186)";
      context.fillRect(left, top, size, size);
      context.globalCompositeOperation = "source-over";
    }
    this.labels(context, scale, left, top, size);
    context.restore();
    return canvas;
  }

  private ground(context: Context, scale: number): void {
    const { bounds, palette } = this.scene;
    const k = this.relief.scale;
    context.imageSmoothingQuality = "high";
    context.drawImage(this.relief.image, bounds.left, bounds.top, this.relief.image.width / k, this.relief.image.height / k);
    if (scale >= 20) {
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = context.createPattern(this.grainTile(), "repeat")!;
      context.fillRect(0, 0, TILE, TILE);
      context.restore();
    }
    context.lineJoin = "round";
    for (const path of this.contours) {
      context.strokeStyle = palette.contour;
      context.lineWidth = Math.max(0.035, 0.9 / scale);
      context.stroke(path);
    }
    for (const { area, path } of this.areas) {
      if (area.style.draw !== "cut") continue;
      context.strokeStyle = palette.contour;
      context.lineWidth = Math.max(0.04, 0.9 / scale);
      context.stroke(path);
      context.save();
      context.clip(path);
      context.lineWidth = 0.3;
      context.strokeStyle = palette.shadow.replace(/[\d.]+\)$/, "0.16)");
      context.stroke(path);
      context.restore();
    }
  }

  private grainTile(): OffscreenCanvas {
    if (this.grain) return this.grain;
    const edge = 128;
    const canvas = new OffscreenCanvas(edge, edge);
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(edge, edge);
    for (let i = 0; i < edge * edge; i++) {
      const v = hash2(i % edge, Math.floor(i / edge), 99);
      const dark = v < 0.5;
      image.data.set([dark ? 40 : 255, dark ? 30 : 250, dark ? 10 : 230, Math.round(Math.abs(v - 0.5) * 26)], i * 4);
    }
    context.putImageData(image, 0, 0);
    return (this.grain = canvas);
  }

  private water(context: Context): void {
    for (const { area, path } of this.areas) {
      const style = area.style;
      if (style.draw === "water") {
        context.fillStyle = css(style.deep);
        context.fill(path);
        context.save();
        context.clip(path);
        for (const [width, alpha] of [[0.5, 0.25], [0.3, 0.35], [0.14, 0.6]] as const) {
          context.lineWidth = width;
          context.strokeStyle = css(style.shore, alpha);
          context.stroke(path);
        }
        context.restore();
        context.lineWidth = 0.03;
        context.strokeStyle = css(shade(style.deep, 0.65), 0.8);
        context.stroke(path);
      } else if (style.draw === "hatch") {
        context.save();
        context.clip(path);
        context.strokeStyle = css(style.line, 0.5);
        context.lineWidth = 0.03;
        const { left, right, top, bottom } = this.scene.bounds;
        context.beginPath();
        for (let x = left - (bottom - top); x < right; x += 0.22) {
          context.moveTo(x, bottom);
          context.lineTo(x + (bottom - top), top);
        }
        context.stroke();
        context.restore();
      }
    }
    this.streams(context);
  }

  /** Water in the beds of stream hexes, and streams that are drawn as lines. */
  private streams(context: Context): void {
    for (const { area, path } of this.areas) {
      if (area.style.draw !== "cut" || !area.style.wet) continue;
      context.save();
      context.clip(path);
      context.lineWidth = 0.9;
      context.strokeStyle = "rgba(0,0,0,0)";
      context.fillStyle = "rgba(120, 164, 178, 0.42)";
      context.fill(path);
      context.restore();
      context.lineCap = context.lineJoin = "round";
      for (const [width, colour] of [[0.3, "rgb(96, 136, 148)"], [0.22, "rgb(132, 176, 190)"], [0.07, "rgb(172, 206, 212)"]] as const) {
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke(this.bed(area));
      }
    }
  }

  private readonly beds = new Map<Area, Path2D>();

  /** The run of water through the hexes of a stream: from hex to neighbouring hex. */
  private bed(area: Area): Path2D {
    const found = this.beds.get(area);
    if (found) return found;
    const path = new Path2D();
    const mates = new Set<number>();
    for (const other of this.areas) if (other.area.style.draw === "cut" && other.area.style.wet) for (const key of other.area.hexes) mates.add(key);
    for (const key of area.hexes) {
      const q = Math.floor(key / 4096) - 2048;
      const r = (key % 4096) - 2048;
      const c = centre(q, r);
      const ends = CORNERS.map((a, d) => ({ a, b: CORNERS[(d + 1) % 6]!, d }))
        .filter(({ d }) => {
          const step = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]][d]!;
          const beyond = keyOf(q + step[0]!, r + step[1]!);
          return mates.has(beyond);
        })
        .map(({ a, b }) => ({ x: c.x + (a.x + b.x) / 2, y: c.y + (a.y + b.y) / 2 }));
      const wander = { x: c.x + (hash2(q, r, 4) - 0.5) * 0.4, y: c.y + (hash2(q, r, 5) - 0.5) * 0.4 };
      for (let i = 0; i < ends.length; i++) {
        for (let j = i + 1; j < ends.length; j++) {
          path.moveTo(ends[i]!.x, ends[i]!.y);
          path.quadraticCurveTo(wander.x, wander.y, ends[j]!.x, ends[j]!.y);
        }
      }
      if (ends.length === 1) {
        path.moveTo(ends[0]!.x, ends[0]!.y);
        path.lineTo(wander.x, wander.y);
      }
    }
    this.beds.set(area, path);
    return path;
  }

  private paintRoutes(context: Context): void {
    context.lineCap = context.lineJoin = "round";
    const layers = [...new Set(this.routes.map(({ route }) => route.style.rank))].sort((a, b) => a - b);
    for (const rank of layers) {
      const those = this.routes.filter(({ route }) => route.style.rank === rank);
      for (const { route, path } of those) {
        const style = route.style;
        context.lineCap = style.draw === "bridge" || route.isExact ? "butt" : "round";
        context.lineJoin = route.isExact ? "miter" : "round";
        context.lineWidth = style.width + (style.draw === "bridge" ? 0.1 : style.draw === "cut" ? 0.06 : 0.05);
        context.strokeStyle = css(style.casing, style.draw === "track" ? 0.55 : style.draw === "cut" ? 0.34 : 0.9);
        context.stroke(path);
      }
      for (const { route, path } of those) {
        const style = route.style;
        context.lineCap = style.dash.length || style.draw === "bridge" || route.isExact ? "butt" : "round";
        context.lineJoin = route.isExact ? "miter" : "round";
        context.setLineDash([...style.dash]);
        context.lineWidth = style.width;
        context.strokeStyle = css(style.fill, style.draw === "cut" ? 0.4 : 1);
        context.stroke(path);
        context.setLineDash([]);
        if (style.draw === "cut") this.banks(context, path, route);
        if (style.draw === "stream") {
          context.lineWidth = style.width * 0.35;
          context.strokeStyle = css(shade(style.fill, 1.2), 0.7);
          context.stroke(path);
        }
        if (style.draw === "bridge") this.planks(context, route);
      }
    }
  }

  /** The relief shades a gully; here its bed is made paler and its stones are strewn. */
  private banks(context: Context, path: Path2D, route: Route): void {
    const { width, casing, fill } = route.style;
    context.lineWidth = width * 0.42;
    context.strokeStyle = css(shade(fill, 1.08), 0.55);
    context.stroke(path);
    for (const [dash, offset] of [[[0.02, 0.23, 0.02, 0.41], 0], [[0.02, 0.37], 0.15]] as const) {
      context.setLineDash([...dash]);
      context.lineDashOffset = offset;
      context.lineWidth = width * (offset ? 0.14 : 0.06);
      context.strokeStyle = css(casing, 0.55);
      context.stroke(path);
    }
    context.setLineDash([]);
    context.lineDashOffset = 0;
  }

  private planks(context: Context, route: Route): void {
    context.setLineDash([0.02, 0.09]);
    context.lineWidth = route.style.width;
    context.strokeStyle = css(route.style.casing, 0.4);
    context.stroke(polylinePath(route.points));
    context.setLineDash([]);
  }

  private itemsIn(left: number, top: number, size: number): Item[] {
    const items: Item[] = [];
    for (let cy = Math.floor((top - 1) / CELL); cy <= Math.floor((top + size + 1) / CELL); cy++) {
      for (let cx = Math.floor((left - 1) / CELL); cx <= Math.floor((left + size + 1) / CELL); cx++) {
        items.push(...(this.cells.get(keyOf(cx, cy)) ?? []));
      }
    }
    return items.sort((a, b) => a.y - b.y);
  }

  private flatItems(context: Context, items: readonly Item[]): void {
    for (const item of items) {
      if (item.layer) continue;
      const { x, y, size } = item;
      switch (item.what) {
        case "dot":
          context.fillStyle = css(item.colour, 0.55);
          context.fillRect(x, y, size, size);
          break;
        case "ripple":
          context.strokeStyle = css(item.colour, 0.55);
          context.lineWidth = 0.025;
          context.beginPath();
          context.moveTo(x - size, y + 0.06);
          context.quadraticCurveTo(x - size * 0.2, y - 0.16, x + size, y + 0.03 + item.angle * 0.2);
          context.stroke();
          break;
        case "furrow":
          context.strokeStyle = css(item.colour, 0.5);
          context.lineWidth = 0.04;
          context.beginPath();
          context.moveTo(x - Math.cos(item.angle) * size, y - Math.sin(item.angle) * size);
          context.lineTo(x + Math.cos(item.angle) * size, y + Math.sin(item.angle) * size);
          context.stroke();
          break;
        case "crater":
          context.fillStyle = css(shade(item.colour, 0.72), 0.8);
          context.beginPath();
          context.ellipse(x, y, size, size * 0.8, 0, 0, 7);
          context.fill();
          context.fillStyle = css(shade(item.colour, 1.12), 0.8);
          context.beginPath();
          context.ellipse(x + size * 0.18, y + size * 0.2, size * 0.66, size * 0.5, 0, 0, 7);
          context.fill();
          break;
        case "reed":
          context.strokeStyle = css(item.colour, 0.8);
          context.lineWidth = 0.025;
          context.beginPath();
          for (const lean of [-0.4, 0, 0.4]) {
            context.moveTo(x, y);
            context.lineTo(x + lean * size, y - size);
          }
          context.moveTo(x - size, y);
          context.lineTo(x + size, y);
          context.stroke();
          break;
      }
    }
  }

  private standingItems(context: Context, items: readonly Item[], scale: number): void {
    let sprites = this.sprites.get(scale);
    if (!sprites) this.sprites.set(scale, (sprites = new Sprites(scale, this.scene.palette.shadow)));
    for (const item of items) {
      if (!item.layer) continue;
      if (item.what === "house") houseShadow(context, item, this.scene.palette.shadow);
      else if (item.what !== "pebble") sprites.stampShadow(context, item);
    }
    // What belongs to an exact outline is cut off at it: there the shape is what blocks the view.
    const groups = new Map<Area | undefined, Item[]>();
    for (const item of items) {
      const group = groups.get(item.within);
      if (group) group.push(item);
      else groups.set(item.within, [item]);
    }
    for (const [within, group] of groups) {
      context.save();
      if (within) context.clip(this.pathOf(within));
      for (const item of group) this.stamp(context, item, sprites);
      context.restore();
    }
  }

  private stamp(context: Context, item: Item, sprites: Sprites): void {
    if (item.what === "crown") sprites.stampCrown(context, item);
    else if (item.what === "rock") sprites.stampRock(context, item);
    else if (item.what === "pebble") pebble(context, item);
    else if (item.what === "house") house(context, item, this.scene.source.climate === "arid");
  }

  private readonly paths = new Map<Area, Path2D>();

  private pathOf(area: Area): Path2D {
    let path = this.paths.get(area);
    if (!path) this.paths.set(area, (path = ringsPath(area.rings)));
    return path;
  }

  /** Rows of crops in fields that are drawn to their outline. */
  private fields(context: Context, left: number, top: number, size: number): void {
    for (const { area, path } of this.areas) {
      if (!area.isExact || area.style.draw !== "furrows") continue;
      context.save();
      context.clip(path);
      context.strokeStyle = css(area.style.line, 0.55);
      context.lineWidth = 0.035;
      context.beginPath();
      const reach = size * 1.2;
      for (let x = Math.floor((left - reach) / 0.15) * 0.15; x < left + size; x += 0.15) {
        context.moveTo(x, top + size);
        context.lineTo(x + reach * 0.5, top - 0.01);
      }
      context.stroke();
      context.restore();
      context.strokeStyle = css(shade(area.style.line, 0.8), 0.8);
      context.lineWidth = 0.03;
      context.stroke(path);
    }
  }

  /** The outlines of woods and brush, thin and dark. */
  private edges(context: Context, scale: number): void {
    for (const { area, path } of this.areas) {
      if (!area.isExact || (area.style.draw !== "trees" && area.style.draw !== "bushes")) continue;
      context.lineWidth = Math.max(0.035, 0.8 / scale);
      context.lineJoin = "round";
      context.strokeStyle = css(shade(area.style.tint, 0.42), area.style.draw === "trees" ? 0.85 : 0.4);
      context.stroke(path);
    }
  }

  /** Buildings that are drawn to their outline: walls, a roof with its courses, a shadow. */
  private footprints(context: Context, scale: number, left: number, top: number, size: number): void {
    const [right, bottom] = [left + size + 1, top + size + 1];
    const those = this.areas.filter(({ area }) => area.isExact && area.style.draw === "buildings" && area.rings[0]!.some((p) => p.x > left - 1 && p.x < right && p.y > top - 1 && p.y < bottom));
    context.save();
    context.translate(0.07, 0.08);
    context.fillStyle = this.scene.palette.shadow;
    for (const { path } of those) context.fill(path);
    context.restore();
    for (const { area, path } of those) {
      if (area.style.draw !== "buildings") continue;
      const { roof } = area.style;
      context.fillStyle = css(roof);
      context.fill(path);
      context.save();
      context.clip(path);
      if (scale >= 24) this.courses(context, area);
      context.lineJoin = "round";
      context.strokeStyle = css(shade(roof, 1.3), 0.7);
      context.lineWidth = 0.12;
      context.stroke(path);
      context.restore();
      context.strokeStyle = css(shade(roof, 0.32));
      context.lineWidth = Math.max(0.045, 1 / scale);
      context.stroke(path);
    }
  }

  /** Lines of a roof along the longer way of a building. */
  private courses(context: Context, area: Area): void {
    const ring = area.rings[0]!;
    const [xs, ys] = [ring.map((p) => p.x), ring.map((p) => p.y)];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    context.beginPath();
    if (x1 - x0 > y1 - y0) for (let y = y0; y < y1; y += 0.075) context.rect(x0, y, x1 - x0, 0.018);
    else for (let x = x0; x < x1; x += 0.075) context.rect(x, y0, 0.018, y1 - y0);
    context.fillStyle = "rgba(20, 16, 10, 0.2)";
    context.fill();
  }

  private grid(context: Context, scale: number, left: number, top: number, size: number): void {
    if (this.scene.source.table) return drawEdges(context, this.scene, scale, this.scene.source.table);
    if (scale < 10) return;
    context.strokeStyle = this.scene.palette.grid;
    context.lineWidth = Math.max(1 / scale, 0.018);
    context.beginPath();
    for (const hex of this.scene.source.hexes) {
      const c = centre(hex.q, hex.r);
      if (c.x < left - 1 || c.x > left + size + 1 || c.y < top - 1 || c.y > top + size + 1) continue;
      // Three sides of every hex; the border adds the rest.
      for (let d = 0; d < 3; d++) {
        const [a, b] = [CORNERS[d]!, CORNERS[d + 1]!];
        context.moveTo(c.x + a.x, c.y + a.y);
        context.lineTo(c.x + b.x, c.y + b.y);
      }
    }
    context.stroke();
    context.lineWidth = 0.05;
    context.stroke(this.border);
  }

  private labels(context: Context, scale: number, left: number, top: number, size: number): void {
    const palette = this.scene.palette;
    context.textAlign = "center";
    const seen = (x: number, y: number, margin: number): boolean =>
      x > left - margin && x < left + size + margin && y > top - margin && y < top + size + margin;
    if (this.scene.source.table) numberEdges(context, this.scene, scale, this.scene.source.table, this.isDark);
    if (scale >= 24) {
      context.font = `${LETTER}px ${LABELS}`;
      context.textBaseline = "top";
      context.fillStyle = this.isDark ? "rgba(236, 230, 214, 0.8)" : palette.label;
      context.strokeStyle = this.isDark ? "rgba(24, 22, 18, 0.55)" : palette.halo;
      context.lineJoin = "round";
      context.globalAlpha = scale >= 40 ? 0.9 : 0.65;
      for (const hex of this.scene.source.hexes) {
        const c = centre(hex.q, hex.r);
        if (!seen(c.x, c.y, 1)) continue;
        write(context, hex.label, c.x, c.y - 0.84, 0.21, 0.06);
      }
      context.globalAlpha = 1;
    }
    context.textBaseline = "middle";
    const font = Math.max(0.34, 9.5 / scale);
    context.font = `italic 600 ${LETTER}px ${NAMES}`;
    context.lineJoin = "round";
    for (const name of this.scene.names) {
      if (!seen(name.at.x, name.at.y, 4)) continue;
      context.strokeStyle = this.isDark ? "rgba(24, 22, 18, 0.7)" : palette.halo;
      context.fillStyle = this.isDark ? "rgba(244, 236, 214, 0.95)" : palette.name;
      write(context, name.text, name.at.x, name.at.y + NAME_BELOW, font, font * 0.28);
    }
  }
}

const corners = (item: Item, grow = 0): [number, number][] => {
  const [c, s] = [Math.cos(item.angle), Math.sin(item.angle)];
  const [w, d] = [item.size / 2 + grow, item.depth / 2 + grow];
  return ([[-w, -d], [w, -d], [w, d], [-w, d]] as const).map(([x, y]) => [item.x + x * c - y * s, item.y + x * s + y * c]);
};

const fillPolygon = (context: Context, points: readonly (readonly [number, number])[], style: string): void => {
  context.fillStyle = style;
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fill();
};

const houseShadow = (context: Context, item: Item, shadow: string): void => {
  fillPolygon(context, corners(item, 0.01).map(([x, y]) => [x + 0.06, y + 0.07] as const), shadow);
};

const pebble = (context: Context, item: Item): void => {
  for (const [grow, colour] of [[1.3, shade(item.colour, 0.6)], [1, item.colour]] as const) {
    context.fillStyle = css(colour, 0.9);
    context.beginPath();
    context.ellipse(item.x, item.y, item.size * grow, item.size * grow * 0.75, 0, 0, 7);
    context.fill();
  }
};

const house = (context: Context, item: Item, isFlat: boolean): void => {
  const [a, b, c, d] = corners(item) as [[number, number], [number, number], [number, number], [number, number]];
  const tone = 0.9 + 0.06 * item.variant;
  const middle = (p: readonly [number, number], q: readonly [number, number]): [number, number] => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  fillPolygon(context, corners(item, 0.018), css(shade(item.colour, 0.45)));
  if (isFlat) {
    fillPolygon(context, [a, b, c, d], css(shade(item.colour, tone * 1.08)));
    fillPolygon(context, corners(item, -0.035), css(shade(item.colour, tone * 0.9)));
    return;
  }
  const [left, right] = [middle(a, d), middle(b, c)];
  // The half of the roof that faces north-west is lit.
  const lit = Math.sin(item.angle) - Math.cos(item.angle) < 0 ? 1.14 : 0.84;
  fillPolygon(context, [a, b, right, left], css(shade(item.colour, tone * lit)));
  fillPolygon(context, [left, right, c, d], css(shade(item.colour, tone * (1.98 - lit))));
  context.strokeStyle = css(shade(item.colour, 0.6), 0.8);
  context.lineWidth = 0.014;
  context.beginPath();
  context.moveTo(...left);
  context.lineTo(...right);
  context.stroke();
};
