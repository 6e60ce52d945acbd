/** Fonts of what is written on the ground. A worker has none of the page's fonts: it loads its own. */

import labels from "@fontsource-variable/archivo-narrow/files/archivo-narrow-latin-wght-normal.woff2?url";
import names from "@fontsource/source-serif-4/files/source-serif-4-latin-600-italic.woff2?url";

/** Labels of hexes, and names of places. */
export const LABELS = `"Archivo Narrow", sans-serif`;
export const NAMES = `"Source Serif 4", serif`;

/** Loads both; a map without them is painted in what the machine has. */
export const lettersLoaded = async (scope: { fonts: FontFaceSet }): Promise<void> => {
  const faces = [new FontFace("Archivo Narrow", `url(${labels})`), new FontFace("Source Serif 4", `url(${names})`, { style: "italic", weight: "600" })];
  for (const face of faces) scope.fonts.add(face);
  await Promise.allSettled(faces.map((face) => face.load()));
};
