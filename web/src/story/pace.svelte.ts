/** How fast what happened is shown; the player's choice is kept in his browser. */

import { type Beat, isJourney, isSeen } from "./beats";

/** `by steps`: every picture waits for a press. */
export type Speed = "normal" | "quick" | "at once" | "by steps";
export const SPEEDS: readonly Speed[] = ["normal", "quick", "at once", "by steps"];

const KEY = "sandtable.speed";
const FACTOR: Record<Speed, number> = { normal: 1, quick: 0.4, "at once": 0, "by steps": Infinity };

/** Milliseconds at normal speed. */
const TIMES = { fire: 750, result: 1700, effect: 950, phase: 700, step: 300, rest: 250 };

const isCalm = (): boolean => window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

const kept = (): Speed => {
  const found = localStorage.getItem(KEY) as Speed | null;
  // Whoever wants little motion gets the end of it at once, unless he chose otherwise.
  return found && SPEEDS.includes(found) ? found : isCalm() ? "at once" : "normal";
};

export class Pace {
  speed: Speed = $state(kept());

  choose(speed: Speed): void {
    this.speed = speed;
    localStorage.setItem(KEY, speed);
  }

  /** How long one picture of a beat is shown: a move has as many as hexes. */
  time(beat: Beat): number {
    const { kind } = beat.told;
    if (!isSeen(beat) || kind === "mark") return 0;
    const whole = isJourney(beat) ? TIMES.step : kind === "move" ? TIMES.rest : TIMES[kind];
    return whole * FACTOR[this.speed];
  }
}

export const pace = new Pace();
