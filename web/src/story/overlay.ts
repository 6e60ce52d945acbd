/** What a beat looks like on the map. */

import type { Overlay } from "../map/overlay";
import type { Playback } from "./playback.svelte";

/** The map as the orders leave it, with the beat that is shown. */
export const withStory = (overlay: Overlay, story: Playback): Overlay => {
  const beat = story.beat;
  if (!story.isRunning || !beat) return overlay;
  const { kind, units, lines, path, hex, effect, came_off } = beat.told;
  return {
    ...overlay,
    lines: [...overlay.lines, ...lines.map((line) => ({ ...line, tone: "fire" as const, at: "" }))],
    path: path.slice(0, story.step + 1).map((label) => ({ hex: label, text: "" })),
    selected: new Set([...overlay.selected, ...units]),
    flash: kind === "effect" && hex ? new Set([hex]) : overlay.flash,
    captions: hex && effect ? [{ hex, text: effect, tone: came_off === false ? "plain" : "strong" }] : [],
  };
};

/** Hexes that have to be in sight to follow a beat. */
export const placesOf = (story: Playback): string[] => {
  const told = story.beat?.told;
  return told ? [...new Set([...told.lines.flatMap((line) => [line.a, line.b]), ...told.path, told.hex])].filter(Boolean) : [];
};
