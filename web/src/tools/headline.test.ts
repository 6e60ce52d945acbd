import { describe, expect, it } from "vitest";
import type { WireBeat, WireEntry, Sentence } from "../wire.gen";
import { headline, takenBack } from "./headline";

const sentence = (text: string, kind: WireBeat["kind"] | null, isWeighty = true): Sentence =>
  ({ text, beat: kind && { kind }, breakdowns: isWeighty ? [{}] : [] }) as unknown as Sentence;
const entry = (...sentences: Sentence[]): WireEntry => ({ kind: "action", text: "G1 moves", sentences }) as unknown as WireEntry;

describe("a move in one line", () => {
  const drive = entry(sentence("to J6", "move"), sentence("to J7", "move"), sentence("turns to SE", "mark"), sentence("the end", "phase", false));

  it("ends where the unit went, not how it turned there", () => {
    expect(headline(drive, false)).toBe("G1 moves: to J7");
  });
  it("tells a turn on the spot where that is all", () => {
    expect(headline(entry(sentence("turns to SE", "mark")), false)).toBe("G1 moves: turns to SE");
  });
  it("does not say twice what stands below it", () => {
    expect(headline(drive, true)).toBe("G1 moves");
  });
  it("begins with the first sentence", () => {
    expect(headline({ ...drive, kind: "begin", text: "" }, false)).toBe("to J6");
  });
});

describe("what was taken back", () => {
  const line = (seq: number, back_to: number | null = null): WireEntry => ({ seq, back_to }) as unknown as WireEntry;

  it("is every move after the position that stands again, not the line that says so", () => {
    expect([...takenBack([line(0), line(1), line(2), line(3, 1), line(4)])]).toEqual([2]);
  });
  it("may itself have been taken back", () => {
    expect([...takenBack([line(0), line(1), line(2), line(3, 1), line(4), line(5, 0)])].sort()).toEqual([1, 2, 3, 4]);
  });
});
