import { expect, test } from "vitest";
import { type Corner, freeCorner } from "./corners";

const ORDER: Corner[] = ["top left", "bottom left", "top right", "bottom right"];
const NONE = { left: 0, top: 0, right: 0, bottom: 0 };
const size = { width: 1000, height: 800 };
const note = { width: 400, height: 120 };

test("a note stands in the first corner where it hides nobody", () => {
  expect(freeCorner([], note, size, NONE, ORDER)).toBe("top left");
  expect(freeCorner([{ x: 50, y: 50 }], note, size, NONE, ORDER)).toBe("bottom left");
  expect(freeCorner([{ x: 50, y: 50 }, { x: 60, y: 760 }], note, size, NONE, ORDER)).toBe("top right");
});

test("where every corner hides somebody, the fewest", () => {
  const all = [{ x: 50, y: 50 }, { x: 60, y: 60 }, { x: 50, y: 760 }, { x: 950, y: 50 }, { x: 950, y: 60 }, { x: 950, y: 760 }, { x: 940, y: 750 }];
  expect(freeCorner(all, note, size, NONE, ORDER)).toBe("bottom left");
});

test("what a sheet covers is not free", () => {
  expect(freeCorner([{ x: 50, y: 50 }, { x: 50, y: 400 }], note, size, { ...NONE, bottom: 350 }, ORDER)).toBe("top right");
});
