/** Text that has a place of a given width: measured in the font of counters, narrowed, made smaller, at last cut off. */

import { NARROW } from "../../fonts";

/** So narrow letters may become before they become smaller. */
const NARROWEST = 0.84;

const known = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

/** Width of a text in the font of counters, by the size of its letters. */
export const widthOf = (text: string, weight = 700): number => {
  const key = `${weight} ${text}`;
  let width = known.get(key);
  if (width === undefined) {
    pen ??= document.createElement("canvas").getContext("2d");
    if (!pen) return text.length * 0.5;
    pen.font = `${weight} 100px "${NARROW}"`;
    width = pen.measureText(text).width / 100;
    known.set(key, width);
  }
  return width;
};

export interface Fitted {
  text: string;
  size: number;
  /** The width to press the text into, where it has to be narrowed. */
  squeezed: number | undefined;
  /** How wide it is in the end. */
  width: number;
}

/** The size of letters `width` wide (by their size) that go into `room`, no larger than `size`; first they are narrowed. */
export const fitSize = (width: number, size: number, room: number): { size: number; isNarrowed: boolean } => {
  if (width * size <= room) return { size, isNarrowed: false };
  return { size: Math.min(size, room / (width * NARROWEST)), isNarrowed: true };
};

/** A text in its place: where letters of the size `least` are still too wide, the end is cut off. */
export const fitted = (text: string, size: number, room: number, least = size * 0.62, weight = 700, measure = widthOf): Fitted => {
  let shown = text;
  let fit = fitSize(measure(shown, weight), size, room);
  for (let length = text.length - 1; fit.size < least && length > 1; length--) {
    shown = `${text.slice(0, length).trimEnd()}…`;
    fit = fitSize(measure(shown, weight), size, room);
  }
  return { text: shown, size: fit.size, squeezed: fit.isNarrowed ? room : undefined, width: Math.min(room, measure(shown, weight) * fit.size) };
};
