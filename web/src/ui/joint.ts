/** Chances in a table: their sums, and a chance in so few letters that ten stand beside one another on a phone. */

export const sumsOf = (cells: readonly (readonly number[])[]): { rows: number[]; columns: number[] } => ({
  rows: cells.map((row) => row.reduce((sum, one) => sum + one, 0)),
  columns: (cells[0] ?? []).map((_, j) => cells.reduce((sum, row) => sum + row[j]!, 0)),
});

/** In percent: whole ones, one figure more below ten, and a point for less than a thousandth. */
export const hundredths = (chance: number): string => {
  const percent = chance * 100;
  if (percent < 0.1) return chance ? "·" : "";
  return percent < 9.95 ? percent.toFixed(1).replace(/\.0$/, "") : `${Math.round(percent)}`;
};
