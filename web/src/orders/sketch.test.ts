import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { branch, counter, node } from "../testing/told";
import type { Tried, WireSketch } from "../wire.gen";
import { Sketch } from "./sketch.svelte";

const DRIVE: WireSketch = { verbs: ["go", "back", "face", "along"], turns: true, base: [1000, 1000], start: [4000, 4000], heading: 0, rails: { road: [[4000, 4000], [4000, 9000], [9000, 9000]] }, region: [], followers: [] };
const PUT: WireSketch = { ...DRIVE, verbs: ["put"], start: null, heading: null, rails: {} };

/** A judge who lets nobody farther than four inches, and notes what he was asked. */
const judge = () => {
  const asked: string[] = [];
  const tryDrawing = async (_: string[], strokes: string): Promise<Tried> => {
    asked.push(strokes);
    const isFar = strokes.includes("go 0,");
    return { type: "Tried", re: 1, v: 1, marks: [{ at: isFar ? [3000, 4000] : [4000, 3000], heading: 0, spent: 2, left: 22 }], upto: isFar ? 0 : 1, refusal: isFar ? { rule: "2.1", reason: "too far", remedy: "", slots: [] } : null } as unknown as Tried;
  };
  return { asked, tryDrawing };
};

const drive = (judging = judge(), more: string[] = []): Sketch => new Sketch(judging, node("sweep", { sketch: DRIVE, branches: ["stay", ...more].map((key) => branch(key, { kind: "drawing", leaf: true })) }), [counter("r1", { hex: "4,4" })]);

// The pause between two questions goes by at once, however slow the machine is.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a way under the hand", () => {
  it("is dragged, judged and turned", async () => {
    const judging = judge();
    const sketch = drive(judging);
    expect(sketch.unit).toBe("r1");
    sketch.grab("move", [4100, 4100]);
    sketch.drag([6100, 4100], 0);
    expect(sketch.text).toBe("go 6,4");
    expect(sketch.isLegal).toBe(false);
    sketch.drop();
    await vi.waitFor(() => expect(sketch.isLegal).toBe(true));
    expect(sketch.said).toBe("2 in · 90° · cost 2 · 22 left");
    sketch.grab("turn", [6000, 3000]);
    sketch.drag([6000, 9000], 0);
    expect(sketch.text).toBe("go 6,4; face 180");
    sketch.drag([9000, 4000], 0);
    // To look where one looks anyway is no stroke.
    expect(sketch.text).toBe("go 6,4");
    expect(judging.asked[0]).toBe("stay");
  });

  it("may be what a lesson wants: that is suggested first, and near is near enough", async () => {
    const told = node("sweep", { sketch: DRIVE, branches: [branch("stay", { kind: "drawing", leaf: true })] });
    const sketch = new Sketch(judge(), told, [], undefined, { key: "go 6,2", label: "drive there" });
    expect(sketch.suggestions.map(({ key }) => key)).toEqual(["go 6,2", "stay"]);
    sketch.tap([6500, 2300], 0);
    await vi.waitFor(() => expect(sketch.isLegal).toBe(true));
    expect([sketch.isNear("go 6,2"), sketch.isNear("go 8,2"), sketch.isNear("nonsense")]).toEqual([true, false, false]);
    sketch.tap([6500, 2350], 0);
    // Right place, but it looks the other way.
    await vi.waitFor(() => expect(sketch.isLegal).toBe(true));
    expect(sketch.isNear("go 6,2")).toBe(false);
  });

  it("is told from another that is called the same by where it ends", () => {
    const ways = ["along road to 4,8", "along road to 6,9", "go 4,2"].map((key) => branch(key, { kind: "drawing", leaf: true, label: key.startsWith("along") ? "along road" : "north" }));
    const sketch = new Sketch(judge(), node("sweep", { sketch: DRIVE, branches: ways }), []);
    expect(sketch.suggestions.map(({ label }) => label)).toEqual(["along road to 4,8", "along road to 6,9", "north"]);
  });

  it("is asked about no more once it is left, even if nobody answers", async () => {
    let asked = 0;
    const sketch = drive({ asked: [], tryDrawing: async () => (asked++, Promise.reject(new Error("no connection"))) });
    sketch.tap([6000, 4000], 0);
    // As long as somebody draws, it is tried again.
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBeGreaterThan(5);
    sketch.leave();
    const before = asked;
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toBe(before);
  });

  it("is red beyond where it holds", async () => {
    const sketch = drive();
    sketch.tap([0, 4000], 0);
    await vi.waitFor(() => expect(sketch.isJudged).toBe(true));
    expect([sketch.isLegal, sketch.holds, sketch.length]).toEqual([false, 1000, 4000]);
  });

  it("goes leg by leg where it is pressed, and back", () => {
    const sketch = drive();
    sketch.tap([6000, 4000], 0);
    sketch.tap([6000, 2000], 0);
    expect(sketch.text).toBe("go 6,4; go 6,2");
    sketch.reverse();
    expect(sketch.text).toBe("go 6,4; back 6,2");
    expect(sketch.undo()).toBe(true);
    expect(sketch.text).toBe("go 6,4");
    sketch.clear();
    expect([sketch.text, sketch.undo()]).toEqual(["stay", false]);
  });

  it("snaps to roads and suggestions that are near", () => {
    const sketch = drive(judge(), ["go 7,3"]);
    sketch.tap([4200, 7000], 0.4);
    expect(sketch.text).toBe("along road to 4,7");
    sketch.clear();
    sketch.tap([7100, 3100], 0.4);
    expect(sketch.text).toBe("go 7,3");
    sketch.clear();
    sketch.tap([7100, 3100], 0);
    expect(sketch.text).toBe("go 7.1,3.1");
  });

  it("is drawn by keys", () => {
    const sketch = drive();
    const press = (...keys: string[]): void => keys.forEach((key) => sketch.key(key.replace("+", ""), key.startsWith("+")));
    press("ArrowUp", "ArrowUp");
    expect(sketch.text).toBe("go 4,3");
    press("+ArrowUp");
    expect(sketch.text).toBe("go 4,2.95");
    press("ArrowRight", "Enter");
    expect(sketch.legs).toHaveLength(1);
    expect(sketch.pose.heading).toBe(50);
    press("+ArrowLeft");
    expect(sketch.text).toMatch(/; face 4\.5$/);
    press("ArrowDown", "Enter", "Backspace", "n");
    expect(sketch.text).toBe("stay");
    expect(sketch.key("x", false)).toBe(false);
  });
});

describe("something that is put", () => {
  const put = (): Sketch => new Sketch(judge(), node("put", { sketch: PUT, branches: [branch("put 2,2 facing 180", { kind: "drawing", leaf: true })] }), []);

  it("lies nowhere until somebody puts it down", async () => {
    const sketch = put();
    expect([sketch.isDrawn, sketch.isLegal]).toEqual([false, false]);
    sketch.tap([5000, 5000], 0);
    expect(sketch.text).toBe("put 5,5 facing 180");
    sketch.key("ArrowRight", false);
    sketch.key("d", false);
    expect(sketch.text).toBe("put 5.5,5 facing 185");
    await vi.waitFor(() => expect(sketch.isLegal).toBe(true));
  });
});
