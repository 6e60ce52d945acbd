import { expect, test } from "vitest";
import { densest, inView, isDrawn, shows } from "./sight";

const size = { width: 400, height: 200 };

test("what is drawn reaches beyond the window, and not over the whole map", () => {
  const view = inView({ x: 10, y: 10, zoom: 20 }, size);
  expect(shows(view, { x: 10, y: 10 })).toBe(true);
  expect(shows(view, { x: 24, y: 10 })).toBe(true);
  expect(shows(view, { x: 30, y: 10 })).toBe(false);
});

test("one can pan a little before anything has to be drawn anew", () => {
  const drawn = inView({ x: 10, y: 10, zoom: 20 }, size);
  expect(isDrawn(drawn, inView({ x: 13, y: 10, zoom: 20 }, size, 0))).toBe(true);
  expect(isDrawn(drawn, inView({ x: 17, y: 10, zoom: 20 }, size, 0))).toBe(false);
});

test("the window in which most units are", () => {
  const far = [{ x: 0, y: 0 }, { x: 1, y: 0 }];
  const group = [{ x: 40, y: 0 }, { x: 41, y: 1 }, { x: 42, y: 0 }];
  expect(densest([...far, ...group], 10, 10)).toEqual(group);
  expect(densest([], 10, 10)).toEqual([]);
});
