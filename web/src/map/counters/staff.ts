/** Signs of the staffs: what stands in the frame of a counter, as lines in a box 60 wide and 38 high around its middle. */

const CROSS = "M-30-19L30 19M-30 19L30-19";
const OVAL = "M-13-9H13a9 9 0 0 1 0 18H-13a9 9 0 0 1 0-18Z";
const SLASH = "M-30 19L30-19";

const SIGNS: [RegExp, string][] = [
  [/headquarters/, "M-30-5H30M-30-19V34"],
  [/armou?red infantry/, CROSS + OVAL],
  [/hybrid/, CROSS + OVAL],
  [/infantry/, CROSS],
  [/engineer/, "M-16 10V-8H16V10M0-8V10"],
  [/tank destroyer/, `${OVAL}M-30 19L0-19L30 19`],
  [/anti-tank/, "M-30 19L0-19L30 19"],
  [/recon/, SLASH + OVAL],
  [/tanks?/, OVAL],
  [/flak/, "M-20 19Q0-22 20 19M0-1V19"],
  [/artillery/, "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0"],
];

/** Lines of the sign of a kind of unit; an empty frame where it has none. */
export const staffSign = (kind: string): string => SIGNS.find(([pattern]) => pattern.test(kind.toLowerCase()))?.[1] ?? "";

/** Whether the sign is filled, as a gun is. */
export const isFilledSign = (kind: string): boolean => /artillery/.test(kind.toLowerCase());

/** The hue of a formation's stripe: the same for the same name, and far from those of its neighbours in a list. */
export const stripeHue = (formation: string): number => {
  let sum = 0;
  for (const letter of formation) sum = (sum * 31 + letter.charCodeAt(0)) % 4093;
  return Math.round((sum * 137.508) % 360);
};
