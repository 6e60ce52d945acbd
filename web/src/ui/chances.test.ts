import { expect, test } from "vitest";
import { chanceRows } from "./chances";

const chance = (what: string, probability: number) => ({ what, probability, exact: "" });

test("what is hardly possible is one sum, unless there is but one of it", () => {
  const rare = Array.from({ length: 100 }, (_, i) => chance(`rare ${i}`, 0.0005));
  expect(chanceRows([chance("hit", 0.6), chance("", 0.35), ...rare], 7).map((row) => [row.what, row.figure])).toEqual([
    ["hit", "60.0 %"],
    ["no effect", "35.0 %"],
    ["everything else", "5.0 %"],
  ]);
  expect(chanceRows([chance("", 0.9996), chance("wrecked", 0.0004)], 7).map((row) => row.figure)).toEqual(["100 %", "< 0.1 %"]);
});
