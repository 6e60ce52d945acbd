/**
 * What happened, shown at the player's pace.
 *
 * The table is always as the server told it last; this is the picture of it that the page shows. Lines that arrive wait
 * here until those before them have been shown, beat by beat. While something is being shown nothing is asked, so nobody
 * acts on a picture that has passed; a press passes over the rest, and the question is there.
 */

import type { WireEntry, Scene } from "../wire.gen";
import { after, type Beat, beatsOf, isSeen, moved } from "./beats";
import type { Pace } from "./pace.svelte";

/** A line of the log, between the pictures before and after it. */
export interface Chapter {
  entry: WireEntry;
  before: Scene;
  after: Scene;
}

/** The clock, so that tests need none: calls back after a while, and gives a way to call it off. */
export type Later = (call: () => void, ms: number) => () => void;

export const later: Later = (call, ms) => {
  const timer = window.setTimeout(call, ms);
  return () => window.clearTimeout(timer);
};

const MOST_KEPT = 120;

export class Playback {
  scene: Scene | null = $state.raw(null);
  /** The beat that is shown. */
  beat: Beat | null = $state.raw(null);
  /** How far along its path a move has come. */
  step = $state.raw(0);
  isPaused = $state.raw(false);
  /** Whether something is shown that is not the newest picture. */
  isRunning = $state.raw(false);
  /** Whether an earlier line is shown once more. */
  isReplaying = $state.raw(false);
  /** Lines since one's own last order, newest last. */
  since: Chapter[] = $state.raw([]);
  /** Lines that wait. */
  waiting = $state.raw(0);
  /** The first line that has not been shown to its end. */
  until = $state.raw(Infinity);
  /** Called with every beat as it begins, and with what is passed over. */
  onbeat: (beat: Beat, isPassed: boolean) => void = () => undefined;
  /** Called with every line that has been shown or passed over. */
  online: (entry: WireEntry) => void = () => undefined;
  /** Called when all that there was has been shown. */
  onend: () => void = () => undefined;
  private latest: Scene | null = null;
  private queue: Chapter[] = [];
  private now: { chapter: Chapter; beats: Beat[]; at: number } | null = null;
  private callOff: () => void = () => undefined;

  constructor(
    private readonly pace: Pick<Pace, "time">,
    private readonly later_: Later = later,
  ) {}

  /** A whole new picture: nothing of what was on the way matters any more. */
  jump(scene: Scene): void {
    if (scene.seat !== this.latest?.seat) this.since = [];
    this.latest = scene;
    this.end();
  }

  /** One more line. */
  add(entry: WireEntry, scene: Scene): void {
    const before = this.latest;
    this.latest = scene;
    if (!before || entry.kind === "undo") {
      this.since = this.since.filter((one) => entry.back_to === null || one.entry.seq <= entry.back_to);
      return this.end();
    }
    const chapter = { entry, before, after: scene };
    const isOwn = entry.kind === "action" && entry.seat !== "" && entry.seat === scene.seat;
    this.since = [...(isOwn ? [] : this.since), chapter].slice(-MOST_KEPT);
    if (this.isReplaying) this.end(before);
    this.queue.push(chapter);
    this.waiting = this.queue.length;
    if (!this.now) this.next();
  }

  /** Shows a line once more. */
  replay(chapter: Chapter): void {
    this.end();
    this.isReplaying = true;
    this.queue = [chapter];
    this.next();
  }

  /** To the newest picture, at once. */
  skip(): void {
    const rest = this.now ? [{ entry: this.now.chapter.entry, beats: this.now.beats.slice(this.now.at + 1) }] : [];
    for (const { entry } of this.queue) rest.push({ entry, beats: beatsOf(entry) });
    this.end();
    for (const { entry, beats } of rest) {
      for (const beat of beats) this.onbeat(beat, true);
      this.online(entry);
    }
    this.onend();
  }

  pause(): void {
    this.isPaused = true;
    this.callOff();
  }

  resume(): void {
    this.isPaused = false;
    if (this.now) this.wait();
  }

  /** One picture on, and there it stays. */
  stepOn(): void {
    this.pause();
    if (this.now) this.advance();
  }

  /** The pace is another one from now on. */
  repace(): void {
    if (!this.beat) return;
    if (this.pace.time(this.beat) === 0) this.skip();
    else if (!this.isPaused) this.wait();
  }

  private end(scene: Scene | null = this.latest): void {
    this.callOff();
    this.queue = [];
    this.now = null;
    this.beat = null;
    this.waiting = 0;
    this.until = Infinity;
    this.isRunning = this.isReplaying = this.isPaused = false;
    this.scene = scene;
  }

  private next(): void {
    const chapter = this.queue.shift();
    this.waiting = this.queue.length;
    if (!chapter) {
      this.end();
      return this.onend();
    }
    this.scene = chapter.before;
    this.now = { chapter, beats: beatsOf(chapter.entry), at: -1 };
    this.show();
  }

  /** The next beat that takes its time; what takes none changes the picture on the way. */
  private show(): void {
    const now = this.now;
    if (!now) return;
    for (now.at++; now.at < now.beats.length; now.at++) {
      const beat = now.beats[now.at]!;
      const time = this.pace.time(beat);
      if (isSeen(beat) && time > 0) {
        this.isRunning = true;
        this.until = this.isReplaying ? Infinity : beat.seq;
        this.beat = beat;
        this.step = 0;
        this.scene = beat.told.kind === "effect" ? after(this.scene!, beat, now.chapter.after) : this.scene;
        this.onbeat(beat, false);
        if (!this.isPaused) this.wait();
        return;
      }
      this.onbeat(beat, true);
      this.scene = after(this.scene!, beat, now.chapter.after);
    }
    this.scene = now.chapter.after;
    this.beat = null;
    this.now = null;
    this.online(now.chapter.entry);
    this.next();
  }

  private wait(): void {
    const beat = this.beat;
    if (!beat) return;
    this.callOff();
    const time = this.pace.time(beat);
    if (Number.isFinite(time)) this.callOff = this.later_(() => this.advance(), time);
  }

  /** The next hex of a move, or the next beat. */
  private advance(): void {
    const [now, beat] = [this.now, this.beat];
    if (!now || !beat) return;
    this.callOff();
    if (beat.told.kind === "move" && this.step < beat.told.path.length - 1) {
      this.step++;
      this.scene = moved(this.scene!, beat, this.step);
      if (!this.isPaused) this.wait();
      return;
    }
    this.scene = after(this.scene!, beat, now.chapter.after);
    this.beat = null;
    this.show();
  }
}
