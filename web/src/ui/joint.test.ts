import { describe, expect, test } from "vitest";
import { hundredths, sumsOf } from "./joint";

describe("joint odds", () => {
  test("rows and columns add up", () => {
    const { rows, columns } = sumsOf([
      [0.25, 0.5],
      [0.125, 0.125],
    ]);
    expect(rows).toEqual([0.75, 0.25]);
    expect(columns).toEqual([0.375, 0.625]);
  });

  test("few letters for every chance", () => {
    expect([0, 0.0004, 0.001, 0.02, 0.034, 0.0994, 0.0996, 0.5, 1].map(hundredths)).toEqual(["", "·", "0.1", "2", "3.4", "9.9", "10", "50", "100"]);
  });
});
