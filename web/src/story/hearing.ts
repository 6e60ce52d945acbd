/** Beats for the ear: sounds, and lines for those who listen to the page. */

import type { WireEntry } from "../wire.gen";
import type { Beat } from "./beats";
import type { Playback } from "./playback.svelte";
import type { Cue, Sounds } from "./sound.svelte";

/** Lines that are kept in the live region. */
const MOST = 30;

/** What a beat sounds like. */
export const cueOf = ({ told }: Beat): Cue | null => {
  if (told.kind === "move") return "move";
  if (told.kind === "effect") return "hit";
  if (told.kind === "fire" || (told.kind === "result" && told.lines.length)) return told.came_off ? "hit" : "fire";
  return null;
};

/** What of a line no beat has told. */
const rest = (entry: WireEntry): string[] => entry.sentences.filter((one) => !one.beat && one.text).map((one) => one.text);

/** Lets a story be heard; `say` is given the lines for the live region. */
export const hear = (story: Playback, sounds: Pick<Sounds, "play">, say: (lines: string[]) => void): void => {
  let lines: string[] = [];
  const add = (more: string[]): void => {
    if (more.length) say((lines = [...lines, ...more].slice(-MOST)));
  };
  let lastCue: Cue | null = null;
  story.onbeat = (beat, isPassed) => {
    add([beat.text]);
    const cue = cueOf(beat);
    // Of what is passed over all at once one sound of a kind is enough.
    if (cue && !(isPassed && cue === lastCue)) sounds.play(cue);
    lastCue = isPassed ? cue : null;
  };
  story.online = (entry) => {
    lastCue = null;
    if (!story.isReplaying) add(rest(entry));
  };
};
