import { expect, it } from "vitest";
import type { FeatureDrawn, MapDrawing } from "../wire.gen";
import { groundOf } from "./ground";

const feature = (kind: string, more: Partial<FeatureDrawn>): FeatureDrawn => ({ kind, hexes: [], sides: [], outline: [], line: [], at: null, text: "", level: null, attributes: {}, board: "", ...more });
const drawing: MapDrawing = {
  digest: "t",
  hexes: [],
  sides: [],
  features: [feature("hill", { level: 1, outline: [[2, 2], [8, 2], [8, 8], [2, 8]] }), feature("woods", { outline: [[4, 4], [6, 4], [6, 6], [4, 6]] })],
  legend: { "": { title: "Clear", paint: "open", facts: {}, status: {} }, hill: { title: "Hill", paint: "level", facts: {}, status: {} }, woods: { title: "Woods", paint: "woods", facts: { height: "2", blocks: "yes", fun: "no" }, status: {} } },
  names: {},
  exits: {},
  table: { title: "T", width: 36, depth: 30 },
};

it("every point of a table is a place", () => {
  const ground = groundOf(drawing);
  expect(ground.labels).toBeNull();
  expect(ground.at("12.5,3")).toEqual({ x: 12.5, y: 3 });
  expect(ground.placeAt({ x: 12.52, y: 3.04 })).toBe("12.5,3");
  expect(ground.placeAt({ x: 37, y: 3 })).toBeNull();
  expect(ground.step("12.5,3", "ArrowLeft")).toBe("12,3");
  expect(ground.step("0,3", "ArrowLeft")).toBeNull();
});

it("the ground under the pointer is told from the outlines", () => {
  const ground = groundOf(drawing);
  expect(ground.about("5,5")).toEqual({ text: "Woods, level 1", facts: [["height", "2"], ["blocks", ""]] });
  expect(ground.describe("3,3")).toBe("Clear, level 1");
  expect(ground.describe("20,20")).toBe("Clear");
});
