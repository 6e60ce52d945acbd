/**
 * Colours of the sides. Chosen so that any two differ in lightness or along the blue-orange axis, which every kind of
 * colour vision keeps apart; the shape of the counter differs as well.
 */

import { hashText } from "../../geo/noise";

export interface SideColours {
  fill: string;
  edge: string;
  ink: string;
  /** Silhouette on the counter. */
  figure: string;
  /** Fill of the strip with the values. */
  strip: string;
}

const dark = (fill: string, edge: string, figure: string, strip: string): SideColours => ({ fill, edge, ink: "#ffffff", figure, strip });
const light = (fill: string, edge: string, figure: string, strip: string): SideColours => ({ fill, edge, ink: "#16140f", figure, strip });

const NAMED: Record<string, SideColours> = {
  grey: dark("#4d6075", "#1d2731", "#dfe7ee", "#34424f"),
  green: light("#a3bf63", "#38461a", "#2e3a14", "#c9dc98"),
  brown: dark("#8f4527", "#3a190b", "#f3ddcf", "#66301a"),
  khaki: light("#e2c67c", "#5a4718", "#4a3a12", "#f1e1b2"),
  red: dark("#a8322c", "#430f0c", "#f7dcd9", "#7a2320"),
  blue: dark("#2f6ea3", "#0e2c47", "#d9ebf9", "#214f77"),
  black: dark("#2b2b30", "#000000", "#d8d8de", "#45454d"),
  white: light("#f1efe8", "#6b675c", "#3b3830", "#dcd8cb"),
  yellow: light("#f0cf4a", "#6b5507", "#4f3f05", "#f8e596"),
  purple: dark("#6d4a86", "#2a1738", "#ecdff5", "#4e3461"),
  orange: light("#e79a45", "#6b3a06", "#52300a", "#f3c591"),
};

/** Other words for the same. */
const ALIASES: Record<string, string> = { gray: "grey", olive: "green", tan: "khaki", sand: "khaki", beige: "khaki" };

/** What sides get whose colour is not told, by their names. */
const ROTATION = ["blue", "orange", "grey", "khaki", "purple", "white"] as const;

/** The colours of a side from the word that a system gives it. */
export const sideColours = (word: string): SideColours => {
  const name = word.trim().toLowerCase();
  const named = NAMED[ALIASES[name] ?? name];
  return named ?? NAMED[ROTATION[hashText(name) % ROTATION.length]!]!;
};
