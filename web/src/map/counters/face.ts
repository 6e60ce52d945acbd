/** A counter as it is printed: its outline, and values that are underlined, raised or in a square. */

import { bearing, DIRECTION_NAMES, spineBearing, spineName } from "../../geo/hex";
import type { Counter, Marker, Value } from "../../wire.gen";

/** The outline of a counter, 100 wide; the corners of the second shape are cut off. */
export const bodyPath = (isSecond: boolean): string =>
  isSecond ? "M-36-50H36L50-36V36L36 50H-36L-50 36V-36Z" : "M-42-50H42a8 8 0 0 1 8 8V42a8 8 0 0 1-8 8H-42a8 8 0 0 1-8-8V-42a8 8 0 0 1 8-8Z";

/** Points to where a counter faces, before it is turned. */
export const WEDGE = "M0-91L15-54L0-62L-15-54Z";

/** A barrel that points to where a turret does, before it is turned; it leaves the counter's numbers alone. */
export const TURRET = "M-5-58H5V-84H9V-93H-9V-84H-5Z";

const LAYOUTS = ["strength", "vehicle", "staff"] as const;

/** How a face is laid out: its values in a line under a picture or under a sign of the staffs, as a vehicle, or plainly. */
export const layoutOf = ({ layout }: Counter["face"]): (typeof LAYOUTS)[number] | "plain" => LAYOUTS.find((one) => layout.startsWith(one)) ?? "plain";

/** Whether its values are one line. */
export const isLine = (face: Counter["face"]): boolean => layoutOf(face) === "strength" || layoutOf(face) === "staff";

/** Whether a marker is shown from afar too, where there is room for few. */
export const isSeenFromAfar = ({ tone }: Pick<Marker, "tone">): boolean => tone === "bad" || tone === "posture";

/** Where the front of a counter points, in degrees clockwise from north; null if nowhere. */
export const frontOf = ({ facing, spine }: Pick<Counter, "facing" | "spine">): number | null => (facing !== null ? bearing(facing) : spine !== null ? spineBearing(spine) : null);

/** Where a counter points, in words. */
export const pointing = ({ facing, spine, turret }: Counter, names: readonly string[] = DIRECTION_NAMES): string => {
  const front = facing !== null ? names[facing]! : spine !== null ? spineName(spine, names) : "";
  return turret !== null && turret !== spine ? `${front}, turret ${spineName(turret, names)}` : front;
};

/** How a counter belongs to the one that it lies upon: whoever can be spotted rides on it, a weapon is manned by it. */
export const heldAs = ({ spotted_by }: Pick<Counter, "spotted_by">): string => (spotted_by ? "on" : "manned by");

export interface Printed {
  name: string;
  text: string;
  raised: string;
  isUnderlined: boolean;
  isBoxed: boolean;
  isRound: boolean;
}

const FORM = /^([[(])?(.*?)[\])]?(_)?(?:\^(.+))?$/;

export const printed = (value: Value): Printed => {
  const found = FORM.exec(value.text)!;
  return { name: value.name, text: found[2] ?? value.text, raised: found[4] ?? "", isUnderlined: Boolean(found[3]), isBoxed: found[1] === "[", isRound: found[1] === "(" };
};

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A value in running text: raised digits stay raised, lines and squares are left out. */
export const inText = (value: Value): string => {
  const { text, raised } = printed(value);
  return text + [...raised].map((digit) => RAISED[Number(digit)] ?? digit).join("");
};

/** The values of a face in one line, with dashes between those that do not bring a sign or a bracket of their own. */
export const strengthLine = (values: readonly Value[]): (Printed & { dash: string })[] => {
  const line = values.filter((value) => !value.place).map(printed);
  return line.map((one, i) => {
    const dash = i === 0 || /^[+-]/.test(one.text) ? "" : one.isBoxed ? " " : "-";
    return { ...one, dash, text: one.isBoxed && line.length > 1 ? `[${one.text}]` : one.text };
  });
};

/** A piece of a strength line; raised ones are smaller, and what follows comes down again. */
export interface Run {
  text: string;
  scale: number;
  /** How far the line moves down before it, by the size of its letters. */
  dy: number;
  isUnderlined: boolean;
}

const RAISED_SCALE = 0.58;
const RAISED_BY = 0.36;

/** A strength line piece by piece. */
export const runsOf = (line: readonly (Printed & { dash: string })[]): Run[] => {
  const runs: Run[] = [];
  let isUp = false;
  const add = (text: string, isRaised: boolean, isUnderlined: boolean): void => {
    if (!text) return;
    runs.push({ text, scale: isRaised ? RAISED_SCALE : 1, dy: isRaised === isUp ? 0 : isRaised ? -RAISED_BY : RAISED_BY, isUnderlined });
    isUp = isRaised;
  };
  for (const one of line) {
    add(one.dash, false, false);
    add(one.text, false, one.isUnderlined);
    add(one.raised, true, false);
  }
  return runs;
};
