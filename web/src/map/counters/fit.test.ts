import { expect, test } from "vitest";
import { fitSize, fitted } from "./fit";

/** A font whose letters are all half as wide as they are high. */
const half = (text: string): number => text.length * 0.5;

test("what fits stays as it is", () => {
  expect(fitted("4-5-8", 38, 96, 20, 700, half)).toEqual({ text: "4-5-8", size: 38, squeezed: undefined, width: 95 });
});

test("what is a little too wide is narrowed, and nothing else", () => {
  expect(fitted("Pz IVF2", 19, 60, 12, 700, half)).toMatchObject({ text: "Pz IVF2", size: 19, squeezed: 60 });
});

test("what is much too wide becomes smaller as well", () => {
  const { size, isNarrowed } = fitSize(10, 20, 100);
  expect(isNarrowed).toBe(true);
  expect(size).toBeCloseTo(100 / 8.4);
});

test("what would become too small to read is cut off", () => {
  const found = fitted("SdKfz 251/9 Stummel Ausf D", 19, 90, 12, 700, half);
  expect(found.text).toMatch(/^SdKfz 251.*…$/);
  expect(found.size).toBeGreaterThanOrEqual(12);
  expect(found.width).toBeLessThanOrEqual(90);
});

test("nothing is ever wider than its room", () => {
  for (const text of ["4", "1-2-6", "M1A1 Abrams", "BMP-2", "[11]", "an endless name of a vehicle"])
    for (const room of [18, 44, 90]) {
      const found = fitted(text, 21, room, 12, 700, half);
      expect(found.squeezed ?? half(found.text) * found.size).toBeLessThanOrEqual(room + 1e-9);
    }
});
