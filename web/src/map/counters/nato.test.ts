import { describe, expect, it } from "vitest";
import { isFilledSign, natoSign, stripeHue } from "./nato";

describe("signs of the staffs", () => {
  it("tells arms apart, and what is armoured has more than the foot", () => {
    const kinds = ["headquarters", "infantry", "armoured infantry", "engineers", "recon", "tanks", "tank destroyers", "anti-tank", "flak", "artillery"];
    expect(new Set(kinds.map(natoSign)).size).toBe(kinds.length);
    expect(natoSign("armoured infantry").startsWith(natoSign("infantry"))).toBe(true);
    expect(natoSign("field kitchen")).toBe("");
    expect(kinds.filter(isFilledSign)).toEqual(["artillery"]);
  });

  it("gives a formation the same stripe every time, and two of them two", () => {
    expect(stripeHue("61-inf")).toBe(stripeHue("61-inf"));
    expect(stripeHue("61-inf")).not.toBe(stripeHue("791-inf"));
  });
});
