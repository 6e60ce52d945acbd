import { describe, expect, it } from "vitest";
import { ahead, along, cutAt, drawingText, endOf, headingTo, inches, inchMarks, isWithin, labelOf, lay, lengthOf, nearestOn, readDrawing, runTo, type Spot, spotOf, turned } from "./plane";

const START = { at: [4000, 4000] as Spot, heading: 0 };

describe("places and headings", () => {
  it("are written as the server writes them", () => {
    expect(labelOf([36250, 24000])).toBe("36.25,24");
    expect(spotOf("36.25,24")).toEqual([36250, 24000]);
    expect(inches(-50)).toBe("-0.05");
    for (const wrong of ["A1", "1", "1,2,3", "1,2.0001", "NaN,1", "1e3,4", ""]) expect(spotOf(wrong)).toBeNull();
  });

  it("count from north, clockwise", () => {
    const here: Spot = [0, 0];
    expect([headingTo(here, [0, -5]), headingTo(here, [5, 0]), headingTo(here, [0, 5]), headingTo(here, [-5, 0])]).toEqual([0, 900, 1800, 2700]);
    expect(headingTo(here, here)).toBeNull();
    expect(turned(50, -100)).toBe(3550);
    expect(ahead([5000, 5000], 900, 1000)).toEqual([6000, 5000]);
  });
});

describe("drawings", () => {
  it("read back", () => {
    const text = "go 12.5,30; back 12.5,31; face 45.5; along mill road to 20,31; put 4,4 facing 180";
    expect(drawingText(readDrawing(text)!)).toBe(text);
    expect(readDrawing("stay")).toEqual([]);
    expect(drawingText([])).toBe("stay");
    expect(readDrawing("go nowhere at all!")).toBeNull();
  });

  it("are laid leg by leg", () => {
    const legs = lay(START, readDrawing("go 4,1; back 4,2; face 90")!);
    expect(legs.map((leg) => leg.heading)).toEqual([0, 0, 900]);
    expect(endOf(START, legs)).toEqual({ at: [4000, 2000], heading: 900 });
    expect(lengthOf(legs)).toBe(4000);
    expect(endOf(START, [])).toBe(START);
  });

  it("follow a road through its bends, both ways", () => {
    const road: Spot[] = [[0, 0], [0, 5000], [5000, 5000]];
    expect(along(road, [0, 1000], [3000, 5000])).toEqual([[0, 5000], [3000, 5000]]);
    expect(along(road, [3000, 5000], [0, 1000])).toEqual([[0, 5000], [0, 1000]]);
    expect(nearestOn(road, [1000, 2000])).toMatchObject({ part: 0, at: [0, 2000], distance: 1000 });
    expect(lengthOf(lay({ at: [0, 1000], heading: 0 }, readDrawing("along r to 3,5")!, { r: road }))).toBe(7000);
  });

  it("have inch marks that run on through bends, and are cut anywhere", () => {
    const legs = lay(START, readDrawing("go 4,2.5; go 6,2.5")!);
    expect(inchMarks(legs).map(({ at }) => at)).toEqual([[4000, 3000], [4500, 2500], [5500, 2500]]);
    expect(cutAt(START.at, legs, 2000)).toEqual([[[4000, 4000], [4000, 2500], [4500, 2500]], [[4500, 2500], [6000, 2500]]]);
    expect(cutAt(START.at, legs, 1500)[1]).toEqual([[4000, 2500], [6000, 2500]]);
    expect(cutAt(START.at, legs, 9000)[1]).toEqual([]);
    expect([runTo(legs, [4500, 2500]), runTo(legs, [4000, 4000]), runTo([], [1, 1])]).toEqual([2000, 0, 0]);
    expect(cutAt(START.at, legs, 0)[0]).toEqual([[4000, 4000]]);
  });
});

describe("shapes", () => {
  it("hold what lies inside them", () => {
    expect(isWithin([[0, 0], [4, 0], [4, 4], [0, 4]], [1, 3])).toBe(true);
    expect(isWithin([[0, 0], [4, 0], [4, 4], [0, 4]], [5, 3])).toBe(false);
  });
});
