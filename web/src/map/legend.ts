/** What the legend of a map says of its kinds of terrain. */

import type { MapDrawing } from "../wire.gen";

const FACTS = 6;

/** What the rules make of a kind of terrain: what is so is said, what is not so is not. */
export const factsOf = (drawing: MapDrawing, kind: string): (readonly [string, string])[] =>
  Object.entries(drawing.legend[kind]?.facts ?? {})
    .filter(([, text]) => text !== "no")
    .map(([name, text]) => [name, text === "yes" ? "" : text] as const)
    .slice(0, FACTS);

export const titleOf = (drawing: MapDrawing, kind: string): string => drawing.legend[kind]?.title || kind.replaceAll("_", " ");
