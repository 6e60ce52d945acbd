import { expect, test } from "vitest";
import { sideColours } from "./colours";

test("a side has the colour that it is told, by any word for it", () => {
  expect(sideColours("grey")).not.toEqual(sideColours("green"));
  expect(sideColours(" Gray ")).toEqual(sideColours("grey"));
});

test("a side whose colour is not told always has the same one", () => {
  expect(sideColours("somebody").fill).toMatch(/^#/);
  expect(sideColours("somebody")).toEqual(sideColours("Somebody"));
});
