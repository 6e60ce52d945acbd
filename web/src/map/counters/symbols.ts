/** Silhouettes by kind of unit, seen from the side and driving to the right, in a box 64 wide and 32 high. */

const wheels = (xs: readonly number[], y: number, r: number): string =>
  xs.map((x) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`).join("");

const tracks = (left: number, right: number): string => `M${left + 4} 21H${right - 4}l4 4l-5 6H${left + 5}l-5-6z`;

const barrel = (from: number, to: number, y: number, thick = 2): string => `M${from} ${y - thick / 2}H${to}v${thick}H${from}z`;

const TANK = `${tracks(8, 52)}M7 20l5-5h34l8 5z M18 14l3-7h15l5 7z${barrel(38, 61, 10)}`;
const HUNTER = `${tracks(8, 52)}M7 20l4-5l6-6h14l8 6h6l9 5z${barrel(34, 62, 13)}`;
const OPEN_HUNTER = `${tracks(8, 50)}M7 20l4-5h36l6 5z M20 14l2-9h4v4h10l5 5z${barrel(36, 62, 10)}`;
const CAR = `${wheels([16, 28, 46], 25, 5.5)}M7 22l5-8h30l12 6v3H7z M22 13l2-6h11l3 6z${barrel(37, 52, 10, 1.8)}`;
const HALF_TRACK = `${wheels([49], 25, 5.5)}M8 20h30l4 5l-5 6H12l-5-6z M8 19V9h26l8 5l14 4v3H9z`;
const CARRIER = `${tracks(8, 52)}M7 20l3-9h28l8 4l8 5z${barrel(30, 42, 9, 1.8)}M24 10l2-4h6l2 4z`;
const FIGHTING = `${tracks(8, 54)}M6 20l4-9h36l10 8z M22 10l2-5h13l4 5z${barrel(38, 54, 7.5, 1.8)}`;
const TRUCK = `${wheels([15, 26, 48], 26, 5)}M7 23V8h30v15z M39 23V11h8l7 7v5z`;
const PORTEE = `${wheels([15, 26, 48], 26, 5)}M7 23v-5h30v5z M39 23V11h8l7 7v5z${barrel(6, 36, 11, 2.400)}M22 6h3.500v12H22z`;
const MOTORCYCLE = `${wheels([16, 48], 24, 7)}M16 22h18l8-8h6v2.500h-5l-7 8H16z M28 20l-2-8l5-3l3 3l7 1v2.500h-8l2 5z M27 7q0-4 4-4t4 4z`;
const TRACTOR = `${wheels([49], 25, 5.5)}M8 20h30l4 5l-5 6H12l-5-6z M8 19v-4h22V9h7l4 5l15 4v3H9z`;
const BRIDGE = `${tracks(10, 52)}M9 20l5-5h32l8 5z M6 12h52v-4l-8-3H14l-8 3z`;
const OBSERVER = `${wheels([17, 47], 25, 5.5)}M7 22l5-9h26l6 4l10 3v3H7z M24 12V4h2v8z M20 3l5-2l5 2l-5 2z`;
const GUN = `${wheels([26], 23, 8)}${barrel(20, 60, 13, 2.6)}M26 20L6 30h5l18-7z M30 6h4v16h-4z`;
const MORTAR = `M26 27L40 6l4 2.5L31 29z M20 28h22v3H20z M36 14l9 15h-3.5L34 17z`;
const MACHINE_GUN = `${barrel(8, 58, 12, 3)}M12 9h18v7H12z M24 16l-10 14h4l8-11l8 11h4L28 16z`;
/** A soldier who goes forward with his rifle, about 16 wide and 32 high. */
const soldier = (x: number, y = 1): string =>
  `M${x + 6.5} ${y}c-3 0-5 2-5.200 4.600h-1.300v1.400h13v-1.400h-1.300c-.2-2.600-2.200-4.600-5.200-4.600z` +
  `M${x + 3} ${y + 6.800}h7v2.400l-2 1.800h-3.400z` +
  `M${x + 2} ${y + 11}h7.500l3.500 4.500l4-1.500l.8 2l-5.800 2.500l-2-2v5.500l4 4v6h2v2h-4.600v-6.800l-4.400-3.400l-3 5l-3.500 3.200l-2.500-2l3.500-3.800l1-8.200l-2.500 3l-2.200-1.600l3.200-5.400z` +
  `M${x - 2} ${y + 20.500}l18.500-9.500l.9 1.700l-18.500 9.500z`;
/** One who points the way. */
const OFFICER =
  "M25 5.500l1.500-3.800q5-1.800 10 0l1.500 3.800h2.500l-1 1.700h-16z M27 8h9v3l-2.500 2.400h-4z M24 14.500h13l3 3l13-5.500l1 2.400l-14 7.600l-3.500-2.500v6l2 7h-4.500l-2.500-7h-1l-2.500 7h-4.500l2-7v-6l-3 4l-2.500-2z";
const PRONE = "M8 22q0-6 6-6t6 6h1.500v2H6.500v-2z M22 20h18l8 3l8-1v4l-9 2l-9-2H22z M20 27h34v2.500H14z";
const SQUAD = [5, 24, 43].map((x) => soldier(x)).join("");
const TEAM = [14, 34].map((x) => soldier(x)).join("");
const CREW = `M12 24q0-6 5.500-6t5.500 6h1v2H11v-2z M34 24q0-6 5.500-6t5.500 6h1v2H33v-2z M10 27h14v5H10z M32 27h14v5H32z${barrel(20, 60, 12, 2.600)}M26 5h4v15h-4z`;
const FLAMETHROWER = "M12 8q0-4 4-4t4 4v18h-8z M22 8q0-4 4-4t4 4v18h-8z M30 22q6 6 10-2l3-8h14v3H45l-3 7q-5 11-14 4z M57 9q5 1 6 5q-3 4-6 3z";
const CHARGE = "M14 12h36v18H14z M20 12V6h3v6z M41 12V6h3v6z M20 5h24v2.500H20z";
const TUBE = `${barrel(4, 60, 12, 5)}M4 8h5v8H4z M24 15h4v8h-4z M38 15h4v7h-4z`;
const RIFLE = `${barrel(14, 62, 12, 2.200)}M2 10h18v5H10l-8 5z M44 13l-5 13h2.500l5-13z M47 13l5 13h-2.500l-5-13z`;
const HELICOPTER = `M4 8h50v2H31v4h9q14 1 16 11q-16 3-26 0q-6-1-8-6L6 17v-6h3l2 3h13v-4H4z`;
const AIRCRAFT = `M4 17l20-3l8-12h5l-3 12h14l6-5h4l-3 8l3 6h-4l-6-4H34l3 11h-5l-8-11z`;

const WRECK = `${tracks(8, 52)}M7 20l5-5h34l8 5z M20 14l-6-8l13 3l4 5z M40 12q-4-5 1-9q-1 4 3 5q2-2 1-5q6 5 2 9z`;

const KINDS: [RegExp, string][] = [
  [/wreck/, WRECK],
  [/anti-tank rifle/, RIFLE],
  [/anti-tank gun|anti-aircraft gun|field gun/, GUN],
  [/port[ée]e/, PORTEE],
  [/motorcycle/, MOTORCYCLE],
  [/tank destroyer|hunter/, OPEN_HUNTER],
  [/assault gun|self-propelled|spg/, HUNTER],
  [/fighting vehicle|ifv|mechani[sz]ed/, FIGHTING],
  [/armou?red car|recon|scout/, CAR],
  [/half-?track/, HALF_TRACK],
  [/carrier|apc|personnel/, CARRIER],
  [/observer|command|hq|headquarters/, OBSERVER],
  [/prime mover|tractor/, TRACTOR],
  [/truck|supply|transport|wagon/, TRUCK],
  [/bridge|engineer vehicle/, BRIDGE],
  [/tank|armou?r/, TANK],
  [/mortar/, MORTAR],
  [/machine gun|\bmg\b|hmg|lmg/, MACHINE_GUN],
  [/gun|artillery|howitzer|flak|\bat\b/, GUN],
  [/leader|officer|commander/, OFFICER],
  [/broken|prone/, PRONE],
  [/crew/, CREW],
  [/team|half/, TEAM],
  [/squad|infantry|rifle|platoon|company/, SQUAD],
  [/flame/, FLAMETHROWER],
  [/charge|demolition/, CHARGE],
  [/rocket/, TUBE],
  [/helicopter/, HELICOPTER],
  [/air/, AIRCRAFT],
];

/** Path data for a kind of unit, or null where the word says nothing: then the code stands large. */
export const symbolPath = (kind: string): string | null => {
  const word = kind.toLowerCase();
  return KINDS.find(([pattern]) => pattern.test(word))?.[1] ?? null;
};
