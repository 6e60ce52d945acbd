import { expect, test } from "vitest";
import { winnerText } from "./words";

test("a side of many win, any other wins", () => {
  expect(["axis", "allies", "german", "West-German", ""].map(winnerText)).toEqual(["Axis wins", "Allies win", "German wins", "West-German wins", "A draw"]);
});
