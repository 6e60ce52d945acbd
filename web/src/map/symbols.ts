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
const TRACTOR = `${wheels([49], 25, 5.5)}M8 20h30l4 5l-5 6H12l-5-6z M8 19v-4h22V9h7l4 5l15 4v3H9z`;
const BRIDGE = `${tracks(10, 52)}M9 20l5-5h32l8 5z M6 12h52v-4l-8-3H14l-8 3z`;
const OBSERVER = `${wheels([17, 47], 25, 5.5)}M7 22l5-9h26l6 4l10 3v3H7z M24 12V4h2v8z M20 3l5-2l5 2l-5 2z`;
const GUN = `${wheels([26], 23, 8)}${barrel(20, 60, 13, 2.6)}M26 20L6 30h5l18-7z M30 6h4v16h-4z`;
const MORTAR = `M26 27L40 6l4 2.5L31 29z M20 28h22v3H20z M36 14l9 15h-3.5L34 17z`;
const MACHINE_GUN = `${barrel(8, 58, 12, 3)}M12 9h18v7H12z M24 16l-10 14h4l8-11l8 11h4L28 16z`;
const SQUAD = [16, 32, 48].map((x) => `M${x - 3.5} 6a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z M${x - 6} 11h12l1.500 10h-3.500l-1 10h-6l-1-10h-3.500z`).join("");
const LEADER = `M28.500 5a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0z M26 10h12l1.500 10H36l-1 11h-6l-1-11h-3.500z M44 4l1.400 3h3.300l-2.600 2.200l1 3.300l-3.100-2l-3.100 2l1-3.300L39.300 7h3.300z`;
const HELICOPTER = `M4 8h50v2H31v4h9q14 1 16 11q-16 3-26 0q-6-1-8-6L6 17v-6h3l2 3h13v-4H4z`;
const AIRCRAFT = `M4 17l20-3l8-12h5l-3 12h14l6-5h4l-3 8l3 6h-4l-6-4H34l3 11h-5l-8-11z`;

const KINDS: [RegExp, string][] = [
  [/tank destroyer|panzerj|hunter/, OPEN_HUNTER],
  [/assault gun|self-propelled|spg/, HUNTER],
  [/fighting vehicle|ifv|mechani[sz]ed/, FIGHTING],
  [/armou?red car|recon|scout/, CAR],
  [/half/, HALF_TRACK],
  [/carrier|apc|personnel/, CARRIER],
  [/observer|command|hq|headquarters/, OBSERVER],
  [/prime mover|tractor/, TRACTOR],
  [/truck|supply|transport|wagon/, TRUCK],
  [/bridge|engineer vehicle/, BRIDGE],
  [/tank|armou?r|panzer/, TANK],
  [/mortar/, MORTAR],
  [/machine gun|\bmg\b|hmg|lmg/, MACHINE_GUN],
  [/gun|artillery|howitzer|flak|at\b/, GUN],
  [/leader|officer|commander/, LEADER],
  [/squad|infantry|team|crew|rifle|platoon|company/, SQUAD],
  [/helicopter/, HELICOPTER],
  [/air/, AIRCRAFT],
];

/** Path data for a kind of unit, or null where the word says nothing: then the code stands large. */
export const symbolPath = (kind: string): string | null => {
  const word = kind.toLowerCase();
  return KINDS.find(([pattern]) => pattern.test(word))?.[1] ?? null;
};
