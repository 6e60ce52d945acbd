import { describe, expect, it } from "vitest";
import { isFilledSign, staffSign, stripeHue } from "./staff";

describe("signs of the staffs", () => {
  it("tells arms apart, and what is armoured has more than the foot", () => {
    const kinds = ["headquarters", "infantry", "armoured infantry", "engineers", "recon", "tanks", "tank destroyers", "anti-tank", "flak", "artillery"];
    expect(new Set(kinds.map(staffSign)).size).toBe(kinds.length);
    expect(staffSign("armoured infantry").startsWith(staffSign("infantry"))).toBe(true);
    expect(staffSign("field kitchen")).toBe("");
    expect(kinds.filter(isFilledSign)).toEqual(["artillery"]);
  });

  it("gives a formation the same stripe every time, and two of them two", () => {
    expect(stripeHue("61-inf")).toBe(stripeHue("61-inf"));
    expect(stripeHue("61-inf")).not.toBe(stripeHue("791-inf"));
  });
});
