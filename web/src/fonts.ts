/** The fonts that come with the page, for those who measure text or draw it on a canvas. */

import "./fonts.css";

/** The family of counters and of numbers on the map. */
export const NARROW = "Archivo Narrow";
export const SERIF = "Source Serif 4";

const WANTED = [`400 16px "Source Sans 3"`, `700 16px "${NARROW}"`, `700 16px "${SERIF}"`, `16px "Sandtable Symbols"`];

/** Text is measured before it is drawn, so the page waits for its fonts; without them it is shown all the same. */
export const fontsLoaded = async (): Promise<void> => {
  await Promise.allSettled(WANTED.map((font) => document.fonts.load(font, font.includes("Symbols") ? "✓" : "A1")));
};
