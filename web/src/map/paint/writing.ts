/** Text on the ground. */

/** The font's size in pixels where text is written: its widths are whole parts of a pixel, so it must not be tiny. */
export const LETTER = 32;

/** Writes with the font that is set, its letters `size` high, with a halo around them. */
export const write = (context: OffscreenCanvasRenderingContext2D, text: string, x: number, y: number, size: number, halo: number): void => {
  const k = size / LETTER;
  context.save();
  context.translate(x, y);
  context.scale(k, k);
  context.lineWidth = halo / k;
  context.strokeText(text, 0, 0);
  context.fillText(text, 0, 0);
  context.restore();
};
