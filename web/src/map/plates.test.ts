import { expect, test } from "vitest";
import { platesAt } from "./plates";

test("a single plate lies in the middle, two of them side by side", () => {
  expect(platesAt([60], 140, 28)).toEqual([{ x: 0, y: 0 }]);
  expect(platesAt([60, 40], 140, 28)).toEqual([{ x: -22, y: 0 }, { x: 32, y: 0 }]);
});

test("what has no room in a row lies above it", () => {
  expect(platesAt([90, 90, 40], 140, 28)).toEqual([{ x: 0, y: 0 }, { x: -22, y: -28 }, { x: 47, y: -28 }]);
});

test("no two plates cover one another", () => {
  const widths = [64, 64, 30, 90, 120, 20];
  const at = platesAt(widths, 140, 28);
  at.forEach((a, i) => at.slice(i + 1).forEach((b, k) => {
    const other = i + 1 + k;
    expect(a.y !== b.y || Math.abs(a.x - b.x) >= (widths[i]! + widths[other]!) / 2).toBe(true);
  }));
});

test("a plate that is wider than all room has a row of its own", () => {
  expect(platesAt([200, 50], 140, 28).map((one) => one.y)).toEqual([0, -28]);
});
