import { describe, expect, test } from "vitest";
import { counter } from "../testing/told";
import type { WireBeat, WireEntry, Scene } from "../wire.gen";
import { beatsOf, isSeen } from "./beats";
import { Playback } from "./playback.svelte";

const told = (kind: WireBeat["kind"], more: Partial<WireBeat> = {}): WireBeat => ({ kind, units: [], lines: [], path: [], hex: "", facing: null, faces: [], needed: "", rolled: "", effect: "", came_off: null, ...more });

const step = (unit: string, from: string, to: string): WireBeat => told("move", { units: [unit], path: [from, to], hex: to });

const entry = (seq: number, beats: WireBeat[], more: Partial<WireEntry> = {}): WireEntry => ({
  seq,
  kind: "action",
  seat: "red",
  text: `line ${seq}`,
  sentences: beats.map((beat, i) => ({ text: `${seq}.${i}`, breakdowns: [], kind: beat.kind, refs: [], beat })),
  rolls: [],
  tracks: {},
  back_to: null,
  rule: "",
  ...more,
});

const scene = (places: Record<string, string>, seat = "blue"): Scene => ({ seat, counters: Object.entries(places).map(([id, hex]) => counter(id, { hex })), hex_markers: [] }) as unknown as Scene;

/** A clock that stands still until it is told to go on. */
class Clock {
  private call: (() => void) | null = null;
  readonly later = (call: () => void): (() => void) => {
    this.call = call;
    return () => {
      if (this.call === call) this.call = null;
    };
  };
  get isSet(): boolean {
    return this.call !== null;
  }
  tick(): void {
    const call = this.call;
    this.call = null;
    call?.();
  }
}

const slow = { time: (beat: Parameters<typeof isSeen>[0]) => (isSeen(beat) ? 100 : 0) };
const atOnce = { time: () => 0 };
const at = (story: Playback, unit: string): string | undefined => story.scene?.counters.find((one) => one.id === unit)?.hex;

const begun = (speed: typeof slow | typeof atOnce = slow): { story: Playback; clock: Clock; heard: string[] } => {
  const clock = new Clock();
  const story = new Playback(speed, clock.later);
  const heard: string[] = [];
  story.onbeat = (beat) => void heard.push(beat.text);
  story.jump(scene({ U: "A1", V: "C3" }));
  return { story, clock, heard };
};

const MOVE = entry(1, [step("U", "A1", "A2"), step("U", "A2", "A3")]);
const SHOT = entry(2, [
  told("fire", { units: ["V"], lines: [{ a: "A3", b: "C3" }], hex: "C3" }),
  told("result", { units: ["V"], lines: [{ a: "A3", b: "C3" }], hex: "C3", faces: [42], needed: "45 or less", rolled: "42", effect: "hit", came_off: true }),
  told("effect", { units: ["V"], hex: "C3", effect: "knocked out" }),
]);

describe("beats", () => {
  test("the steps of a move are one beat", () => {
    const [beat, ...more] = beatsOf(MOVE);
    expect(more).toEqual([]);
    expect(beat!.told.path).toEqual(["A1", "A2", "A3"]);
    expect(beat!.told.hex).toBe("A3");
  });

  test("a turn on the way belongs to the move", () => {
    const beats = beatsOf(entry(1, [step("U", "A1", "A2"), told("mark", { units: ["U"], facing: 2, hex: "A2" }), step("U", "A2", "A3")]));
    expect(beats.length).toBe(1);
    expect(beats[0]!.facings).toEqual([2, 2]);
  });

  test("two units' moves are two beats", () => {
    expect(beatsOf(entry(1, [step("U", "A1", "A2"), step("V", "C3", "C4")])).length).toBe(2);
  });
});

describe("playback", () => {
  test("a move goes hex by hex", () => {
    const { story, clock } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    expect(story.isRunning).toBe(true);
    const seen = [at(story, "U")];
    while (clock.isSet) {
      clock.tick();
      seen.push(at(story, "U"));
    }
    expect([...new Set(seen)]).toEqual(["A1", "A2", "A3"]);
    expect(story.isRunning).toBe(false);
  });

  test("fire, result and effect come one after another, and the line after them waits", () => {
    const { story, clock, heard } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.add(SHOT, scene({ U: "A3" }));
    expect(story.waiting).toBe(1);
    const kinds: string[] = [];
    for (let i = 0; i < 20 && clock.isSet; i++) {
      if (kinds.at(-1) !== story.beat!.told.kind) kinds.push(story.beat!.told.kind);
      // Who is shot is there until his end is shown.
      if (story.beat!.told.kind === "result") expect(at(story, "V")).toBe("C3");
      if (story.beat!.told.kind === "effect") expect(at(story, "V")).toBeUndefined();
      clock.tick();
    }
    expect(kinds).toEqual(["move", "fire", "result", "effect"]);
    expect(heard).toEqual(["1.1", "2.0", "2.1", "2.2"]);
  });

  test("a skip leads to the newest picture at once, and everything has been told", () => {
    const { story, clock, heard } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.add(SHOT, scene({ U: "A3" }));
    story.skip();
    expect(story.isRunning).toBe(false);
    expect(clock.isSet).toBe(false);
    expect(story.scene).toEqual(scene({ U: "A3" }));
    expect(heard).toEqual(["1.1", "2.0", "2.1", "2.2"]);
    expect(story.until).toBe(Infinity);
  });

  test("held, it stays; a step goes one picture on and holds again", () => {
    const { story, clock } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.pause();
    expect(clock.isSet).toBe(false);
    story.stepOn();
    expect(at(story, "U")).toBe("A2");
    expect(clock.isSet).toBe(false);
    story.add(SHOT, scene({ U: "A3" }));
    expect(at(story, "U")).toBe("A2");
    story.resume();
    expect(clock.isSet).toBe(true);
  });

  test("at once nothing is ever in the way", () => {
    const { story, clock } = begun(atOnce);
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.add(SHOT, scene({ U: "A3" }));
    expect(story.isRunning).toBe(false);
    expect(clock.isSet).toBe(false);
    expect(story.scene).toEqual(scene({ U: "A3" }));
  });

  test("what has nothing to see takes no time", () => {
    const { story } = begun();
    story.add(entry(1, [told("mark", { units: ["U"] })]), scene({ U: "A1", V: "C3" }));
    story.add(entry(2, [told("move", { units: ["W"], path: ["B2"], hex: "B2" })], { seat: "blue" }), scene({ U: "A1", V: "C3", W: "B2" }));
    expect(story.isRunning).toBe(false);
    expect(at(story, "W")).toBe("B2");
  });

  test("the log is told no further than the picture", () => {
    const { story, clock } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.add(SHOT, scene({ U: "A3" }));
    expect(story.until).toBe(1);
    while (story.beat?.seq === 1) clock.tick();
    expect(story.until).toBe(2);
  });

  test("since one's own last order: a list whose lines are shown once more", () => {
    const { story, clock } = begun();
    story.add(entry(1, [], { seat: "blue" }), scene({ U: "A1", V: "C3" }));
    story.add({ ...MOVE, seq: 2 }, scene({ U: "A3", V: "C3" }));
    story.add({ ...SHOT, seq: 3 }, scene({ U: "A3" }));
    story.skip();
    expect(story.since.map((one) => one.entry.seq)).toEqual([1, 2, 3]);
    story.replay(story.since[1]!);
    expect(story.isReplaying).toBe(true);
    expect(at(story, "U")).toBe("A1");
    expect(story.until).toBe(Infinity);
    while (clock.isSet) clock.tick();
    expect(story.scene).toEqual(scene({ U: "A3" }));
    story.add(entry(4, [], { seat: "blue" }), scene({ U: "A3" }));
    expect(story.since.map((one) => one.entry.seq)).toEqual([4]);
  });

  test("what comes in while an old line is shown once more is shown from its own picture", () => {
    const { story, clock } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.skip();
    story.replay(story.since[0]!);
    story.add(SHOT, scene({ U: "A3" }));
    expect(story.isReplaying).toBe(false);
    expect(at(story, "U")).toBe("A3");
    while (clock.isSet) clock.tick();
    expect(story.scene).toEqual(scene({ U: "A3" }));
  });

  test("what is taken back is not shown, and is gone from the list", () => {
    const { story } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.add(entry(2, [], { kind: "undo", back_to: 0 }), scene({ U: "A1", V: "C3" }));
    expect(story.isRunning).toBe(false);
    expect(at(story, "U")).toBe("A1");
    expect(story.since).toEqual([]);
  });

  test("a whole new picture ends everything", () => {
    const { story, clock } = begun();
    story.add(MOVE, scene({ U: "A3", V: "C3" }));
    story.jump(scene({ U: "B9" }, "red"));
    expect(story.isRunning).toBe(false);
    expect(clock.isSet).toBe(false);
    expect(story.since).toEqual([]);
  });
});
