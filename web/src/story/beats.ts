/** What happened, cut into beats that are shown one after another, and what each of them changes in the picture. */

import type { WireBeat, Counter, WireEntry, Scene } from "../wire.gen";

export interface Beat {
  /** Line of the log that it belongs to. */
  seq: number;
  seat: string;
  text: string;
  told: WireBeat;
  /** Facings after each hex of the path. */
  facings: (number | null)[];
}

/** The beats of a line; steps of one move follow one another in one beat, hex by hex. */
export const beatsOf = (entry: WireEntry): Beat[] => {
  const beats: Beat[] = [];
  for (const sentence of entry.sentences) {
    const told = sentence.beat;
    if (!told) continue;
    const last = beats.at(-1);
    if (last && goesOn(last.told, told)) {
      const isTurn = told.kind !== "move";
      const path = isTurn ? last.told.path : [...last.told.path, ...told.path.slice(1)];
      const facing = told.facing ?? last.told.facing;
      last.facings = isTurn ? [...last.facings.slice(0, -1), facing] : [...last.facings, facing];
      last.told = { ...last.told, path, hex: isTurn ? last.told.hex : told.hex, facing };
      if (!isTurn) last.text = sentence.text;
    } else beats.push({ seq: entry.seq, seat: entry.seat, text: sentence.text, told, facings: told.path.slice(1).map(() => told.facing) });
  }
  return beats;
};

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one, i) => one === b[i]);

/** Whether a move goes on: by another hex, or by a turn on the way. */
const goesOn = (before: WireBeat, next: WireBeat): boolean =>
  before.kind === "move" && same(before.units, next.units) && ((next.kind === "move" && next.path.length > 1) || (next.kind === "mark" && next.facing !== null && before.path.length > 1));

/** A move as a person sees it: from hex to hex, with something to see. */
export const isJourney = (beat: Beat): boolean => beat.told.kind === "move" && beat.told.path.length > 1;

/** Whether a beat is worth a moment of its own; others only change the picture. */
export const isSeen = (beat: Beat): boolean => beat.told.kind !== "mark" && (beat.told.kind !== "move" || isJourney(beat));

const isWith = (counter: Counter, units: readonly string[]): boolean => units.includes(counter.id) || (counter.held_by !== "" && units.includes(counter.held_by));

/** The picture with the movers in a hex of their path. */
export const moved = (scene: Scene, beat: Beat, step: number): Scene => {
  const { path, units } = beat.told;
  const hex = path[Math.min(step, path.length - 1)] ?? beat.told.hex;
  const facing = step > 0 ? (beat.facings[step - 1] ?? null) : null;
  return { ...scene, counters: scene.counters.map((one) => (isWith(one, units) ? { ...one, hex, box: hex ? "" : one.box, facing: units.includes(one.id) ? (facing ?? one.facing) : one.facing } : one)) };
};

/** The picture after a beat. What becomes of a counter is taken from the picture after the whole line. */
export const after = (scene: Scene, beat: Beat, end: Scene): Scene => {
  const { kind, units, hex, path, facing } = beat.told;
  if (kind === "move" && hex && path.length) return moved(scene, beat, path.length - 1);
  if (kind === "fire" || kind === "result" || kind === "phase") return scene;
  const ends = new Map(end.counters.map((one) => [one.id, one]));
  const touched = new Set(units);
  const counters = scene.counters.flatMap((one) => {
    if (!touched.has(one.id)) return [one];
    const last = ends.get(one.id);
    if (!last) return [];
    // It stays where it is shown: it may move on after this, or have come here before.
    return [kind === "move" ? last : { ...last, hex: last.hex ? one.hex : "", facing: facing ?? one.facing }];
  });
  const marked = kind === "mark" && hex ? end.hex_markers.filter((one) => one.hex === hex) : null;
  return { ...scene, counters, hex_markers: marked ? [...scene.hex_markers.filter((one) => one.hex !== hex), ...marked] : scene.hex_markers };
};
