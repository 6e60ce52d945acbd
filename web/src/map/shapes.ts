/** Shapes on a table as path data. */

import { INCH, type Spot } from "../geo/plane";

/** An outline in thousandths of an inch, `unit` pixels an inch. */
export const outlinePath = (outline: readonly Spot[], unit: number): string => (outline.length ? `${linePath(outline, unit)}Z` : "");

/** A line, open. */
export const linePath = (line: readonly Spot[], unit: number): string =>
  line.map(([x, y], i) => `${i ? "L" : "M"}${((x / INCH) * unit).toFixed(1)} ${((y / INCH) * unit).toFixed(1)}`).join("");
