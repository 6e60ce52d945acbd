import { expect, test } from "vitest";
import { branch, node, way } from "../testing/told";
import { costText, hexesAmong, placeless, placesOf } from "./ways";

test("ways to one hex are one place, cheapest first", () => {
  const places = placesOf(
    node("path", { destinations: [way("b", "to B2 facing SE", { ref: "B2", cost: 4 }), way("a", "to B2 facing N", { ref: "B2", cost: 3 }), way("c", "to C3", { ref: "C3", cost: 1.5 })] }),
  );
  expect([...places.keys()]).toEqual(["B2", "C3"]);
  expect(places.get("B2")?.ways.map((one) => one.key)).toEqual(["a", "b"]);
  expect(places.get("B2")?.cost).toBe(3);
  expect(places.get("C3")?.cost).toBe(1.5);
});

test("what a label says is for people alone", () => {
  const [place] = placesOf(node("path", { destinations: [way("B2", "to B2 facing SE (3)", { cost: null, facing: null })] })).values();
  expect(place?.ways[0]).toMatchObject({ cost: null, facing: null });
});

test("a hex without a cost has none, not zero", () => {
  const [place] = placesOf(node("path", { destinations: [way("B2", "retreat to B2")] })).values();
  expect(place?.cost).toBeNull();
});

test("ways without a hex are left to the panel", () => {
  const path = node("path", { destinations: [way("stay", "stay", { ref: "" }), way("B2", "B2 (1)")] });
  expect(placeless(path).map((one) => one.key)).toEqual(["stay"]);
  expect([...placesOf(path).keys()]).toEqual(["B2"]);
});

test("halves are written as halves", () => {
  expect([3, 1.5, 0.5].map(costText)).toEqual(["3", "1½", "½"]);
});

test("lit hexes are counted as hexes, however many choices each has, and counters are none", () => {
  const told = node("pick", { branches: [branch("a", { ref: "B2", is_hex: true }), branch("b", { ref: "B2", is_hex: true }), branch("c", { ref: "C3", is_hex: true }), branch("B2"), branch("pass", { ref: "" })] });
  expect(hexesAmong(told)).toBe(2);
});
