/** Where small plates lie side by side without covering one another: in rows, the first one lowest. */

import type { Point } from "../geo/hex";

/** Between two plates of a row. */
const GAP = 4;

/** The centres of plates of these widths around the origin, as many in a row as there is `room` for; rows are `pitch` apart. */
export const platesAt = (widths: readonly number[], room: number, pitch: number): Point[] => {
  const rows: number[][] = [];
  const used = (row: readonly number[]): number => row.reduce((sum, i) => sum + widths[i]!, GAP * (row.length - 1));
  widths.forEach((_, i) => {
    const last = rows.at(-1);
    if (last && used([...last, i]) <= room) last.push(i);
    else rows.push([i]);
  });
  const found: Point[] = [];
  rows.forEach((row, number) => {
    let left = -used(row) / 2;
    for (const i of row) {
      found[i] = { x: left + widths[i]! / 2, y: 0 - number * pitch };
      left += widths[i]! + GAP;
    }
  });
  return found;
};
