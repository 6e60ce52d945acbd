/**
 * How a kind of terrain looks, found from its word. New systems bring new words; the patterns cover the common
 * vocabulary of hex wargames, and a word that fits none is drawn as a hatched area with its own colour.
 */

import { hashText } from "../../geo/noise";
import type { Climate } from "./source";

export type Rgb = readonly [number, number, number];

export type AreaStyle =
  | { draw: "trees"; density: number; size: number; rows: boolean; tint: Rgb; crowns: readonly Rgb[] }
  | { draw: "bushes"; density: number; size: number; tint: Rgb; crowns: readonly Rgb[] }
  | { draw: "rocks"; density: number; size: number; tint: Rgb; stone: Rgb }
  | { draw: "dots"; density: number; tint: Rgb; dot: Rgb }
  | { draw: "ripples"; tint: Rgb; line: Rgb }
  | { draw: "furrows"; tint: Rgb; line: Rgb }
  | { draw: "craters"; density: number; tint: Rgb }
  | { draw: "buildings"; tint: Rgb; roof: Rgb; flat: boolean }
  | { draw: "water"; deep: Rgb; shore: Rgb }
  | { draw: "marsh"; tint: Rgb; reed: Rgb }
  | { draw: "cut"; depth: number; tint: Rgb; wet: boolean }
  | { draw: "ford"; tint: Rgb; stone: Rgb }
  | { draw: "hatch"; tint: Rgb; line: Rgb }
  | { draw: "none" };

export interface LineStyle {
  draw: "road" | "track" | "rail" | "stream" | "cut" | "bridge" | "ford";
  width: number;
  casing: Rgb;
  fill: Rgb;
  dash: readonly number[];
  rank: number;
  /** How deep it lies in the ground. */
  depth: number;
}

export type SideStyle = "wall" | "hedge" | "crest" | "cliff" | "slope" | "bank" | "stream" | "river" | "wide river" | "bridge" | "ford" | "plain";

export interface Palette {
  /** Ground colour by level, from the deepest (-1) upwards. */
  ramp: readonly Rgb[];
  contour: string;
  grid: string;
  label: string;
  halo: string;
  name: string;
  shadow: string;
}

const PALETTES: Record<Climate, Palette> = {
  arid: {
    ramp: [[188, 158, 112], [229, 207, 162], [216, 184, 131], [199, 159, 104], [176, 131, 81], [150, 106, 64]],
    contour: "rgba(116, 74, 34, 0.55)",
    grid: "rgba(88, 60, 28, 0.26)",
    label: "rgba(72, 48, 22, 0.72)",
    halo: "rgba(240, 226, 196, 0.75)",
    name: "rgba(62, 38, 16, 0.92)",
    shadow: "rgba(70, 42, 14, 0.34)",
  },
  temperate: {
    ramp: [[146, 158, 104], [190, 203, 148], [206, 203, 142], [205, 184, 124], [189, 158, 104], [164, 129, 86]],
    contour: "rgba(98, 78, 36, 0.5)",
    grid: "rgba(48, 58, 24, 0.24)",
    label: "rgba(46, 52, 24, 0.72)",
    halo: "rgba(232, 236, 208, 0.75)",
    name: "rgba(40, 40, 18, 0.92)",
    shadow: "rgba(34, 42, 12, 0.34)",
  },
  winter: {
    ramp: [[196, 206, 212], [234, 238, 240], [222, 226, 228], [207, 211, 214], [190, 193, 197], [172, 174, 178]],
    contour: "rgba(84, 92, 108, 0.5)",
    grid: "rgba(60, 70, 86, 0.24)",
    label: "rgba(44, 52, 66, 0.75)",
    halo: "rgba(246, 248, 250, 0.8)",
    name: "rgba(30, 38, 52, 0.92)",
    shadow: "rgba(40, 52, 76, 0.32)",
  },
};

export const paletteOf = (climate: Climate): Palette => PALETTES[climate];

const LEAF: readonly Rgb[] = [[92, 118, 66], [104, 128, 72], [82, 108, 62], [116, 136, 80]];
const OLIVE: readonly Rgb[] = [[116, 122, 68], [102, 112, 62], [130, 132, 80], [94, 104, 60]];
const CONIFER: readonly Rgb[] = [[62, 92, 66], [70, 100, 72], [56, 84, 62]];
const SCRUB_ARID: readonly Rgb[] = [[138, 132, 78], [122, 118, 70], [152, 142, 88]];
const SCRUB_GREEN: readonly Rgb[] = [[112, 132, 70], [96, 120, 62], [130, 142, 82]];

const weight = (word: string): number =>
  /light|sparse|thin|open/.test(word) ? 0.62 : /heavy|dense|thick|jungle/.test(word) ? 1.4 : /medium/.test(word) ? 0.9 : 1;

/** The look of an area of that kind; the hint decides where the word is unknown. */
export const areaStyle = (kind: string, hint: string, climate: Climate): AreaStyle => {
  const own = styleOfWord(kind, climate);
  if (own.draw !== "hatch" || !hint || hint === "other") return own;
  return styleOfWord(hint, climate);
};

const styleOfWord = (kind: string, climate: Climate): AreaStyle => {
  const word = kind.toLowerCase().replaceAll("_", " ");
  const arid = climate === "arid";
  if (/hill|plateau|elevation|level|name|label|objective|clear|open|alley/.test(word)) return { draw: "none" };
  if (/slope|ramp/.test(word)) return { draw: "hatch", tint: arid ? [214, 190, 140] : [186, 184, 134], line: arid ? [150, 118, 70] : [124, 122, 78] };
  if (/orchard|vineyard|plantation/.test(word))
    return { draw: "trees", density: 0.7, size: 0.15, rows: true, tint: arid ? [190, 176, 118] : [168, 186, 118], crowns: arid ? OLIVE : LEAF };
  if (/palm|oasis/.test(word))
    return { draw: "trees", density: 0.7, size: 0.2, rows: false, tint: [176, 172, 104], crowns: OLIVE };
  if (/wood|forest|grove|tree|jungle|pine/.test(word) && !/building|bridge/.test(word))
    return {
      draw: "trees",
      density: weight(word),
      size: /grove/.test(word) ? 0.15 : 0.165,
      rows: false,
      tint: arid ? [184, 170, 112] : [128, 150, 94],
      crowns: arid || /grove/.test(word) ? OLIVE : /pine|heavy|conifer/.test(word) ? CONIFER : LEAF,
    };
  if (/building|house|village|town|city|factory|fort|bunker|ruin|station|church|farm/.test(word)) return buildings(word, arid);
  if (/marsh|swamp|bog|sebkha|paddy|mud/.test(word)) return { draw: "marsh", tint: [150, 172, 140], reed: [84, 108, 62] };
  if (/ford/.test(word)) return { draw: "ford", tint: arid ? [206, 188, 148] : [186, 194, 158], stone: [196, 192, 178] };
  if (/stream|brook/.test(word)) return { draw: "cut", depth: 0.55, tint: arid ? [170, 150, 108] : [140, 158, 108], wet: true };
  if (/gully|wadi|ravine|ditch|gulch|trench|depression|cut/.test(word))
    return { draw: "cut", depth: 1, tint: arid ? [186, 152, 104] : [150, 148, 100], wet: false };
  if (/water|lake|river|sea|pond|canal|ocean/.test(word)) return { draw: "water", deep: [92, 138, 160], shore: [154, 188, 192] };
  if (/soft sand|dune|deep sand/.test(word)) return { draw: "ripples", tint: [240, 220, 168], line: [196, 160, 102] };
  if (/sand|beach|gravel|salt/.test(word)) return { draw: "dots", density: 1, tint: [238, 218, 172], dot: [178, 140, 88] };
  if (/shell|crater/.test(word)) return { draw: "craters", density: 1, tint: arid ? [206, 180, 134] : [172, 170, 120] };
  if (/rough|rock|boulder|broken|rubble|stone|debris|mountain/.test(word))
    return {
      draw: "rocks",
      density: weight(word),
      size: /rubble|debris/.test(word) ? 0.1 : 0.13,
      tint: arid ? [198, 168, 122] : [180, 176, 138],
      stone: arid ? [176, 146, 108] : [156, 152, 140],
    };
  if (/crop|field|grain|wheat|plow|plough|meadow|steppe|kunai/.test(word))
    return { draw: "furrows", tint: arid ? [222, 200, 136] : [216, 204, 128], line: arid ? [178, 146, 84] : [168, 152, 74] };
  if (/scrub|shrub|heath/.test(word))
    return { draw: "bushes", density: 0.6, size: 0.075, tint: arid ? [206, 186, 130] : [172, 182, 120], crowns: arid ? SCRUB_ARID : SCRUB_GREEN };
  if (/brush|bush|grass|thicket/.test(word))
    return { draw: "bushes", density: 1.2, size: 0.085, tint: arid ? [196, 182, 120] : [156, 176, 106], crowns: arid ? SCRUB_ARID : SCRUB_GREEN };
  const seed = hashText(word);
  const own: Rgb = [150 + (seed % 60), 140 + ((seed >> 6) % 60), 110 + ((seed >> 12) % 80)];
  return { draw: "hatch", tint: own, line: [own[0] - 70, own[1] - 70, own[2] - 60] };
};

const buildings = (word: string, arid: boolean): AreaStyle => {
  const wood = /wood/.test(word);
  const stone = /stone|fort|bunker|church|factory/.test(word);
  const roof: Rgb = arid
    ? wood ? [184, 150, 106] : stone ? [222, 210, 184] : [206, 164, 124]
    : wood ? [142, 108, 74] : stone ? [136, 138, 140] : [172, 92, 68];
  return { draw: "buildings", tint: arid ? [214, 192, 150] : [188, 186, 150], roof, flat: arid };
};

/** The look of a line of that kind. */
export const lineStyle = (kind: string, hint: string, climate: Climate): LineStyle => {
  const word = `${kind} ${hint}`.toLowerCase().replaceAll("_", " ");
  const arid = climate === "arid";
  if (/bridge|pontoon|causeway/.test(word))
    return { draw: "bridge", width: 0.2, casing: [70, 58, 46], fill: [206, 194, 172], dash: [], rank: 9, depth: 0 };
  if (/ford/.test(word)) return { draw: "ford", width: 0.2, casing: [120, 140, 140], fill: [196, 204, 190], dash: [], rank: 8, depth: 0 };
  if (/rail/.test(word)) return { draw: "rail", width: 0.1, casing: [58, 54, 50], fill: [232, 226, 214], dash: [0.16, 0.16], rank: 6, depth: 0 };
  if (/gully|wadi|ravine|ditch|gulch|trench/.test(word))
    return { draw: "cut", width: 0.52, casing: arid ? [120, 82, 42] : [92, 84, 46], fill: arid ? [196, 164, 116] : [160, 158, 110], dash: [], rank: 0, depth: 0.8 };
  if (/stream|river|brook|canal|water/.test(word))
    return { draw: "stream", width: /river|canal/.test(word) ? 0.5 : 0.26, casing: [86, 118, 118], fill: [128, 172, 186], dash: [], rank: 1, depth: 0.35 };
  if (/highway|autobahn|paved|primary|main/.test(word))
    return { draw: "road", width: 0.24, casing: [96, 78, 60], fill: [238, 226, 198], dash: [], rank: 5, depth: 0 };
  if (/road|street/.test(word))
    return { draw: "road", width: 0.17, casing: arid ? [124, 92, 54] : [104, 92, 66], fill: arid ? [246, 234, 204] : [240, 232, 208], dash: [], rank: 4, depth: 0 };
  if (/path|trail|lane/.test(word))
    return { draw: "track", width: 0.085, casing: arid ? [150, 112, 64] : [128, 112, 74], fill: arid ? [240, 222, 180] : [228, 216, 178], dash: [0.3, 0.1], rank: 3, depth: 0 };
  return { draw: "track", width: 0.06, casing: arid ? [140, 100, 56] : [116, 100, 64], fill: arid ? [232, 210, 164] : [216, 204, 166], dash: [0.14, 0.1], rank: 2, depth: 0 };
};

/** The look of a line of a table that has a width: what stands on hexsides is such a line there. */
export const stripStyle = (kind: string, hint: string, climate: Climate): LineStyle => {
  const plain = (casing: Rgb, fill: Rgb): LineStyle => ({ draw: "road", width: 0, casing, fill, dash: [], rank: 7, depth: 0 });
  switch (sideStyle(kind, hint)) {
    case "hedge":
      return plain([42, 64, 30], [92, 122, 62]);
    case "wall":
      return plain([60, 58, 54], [166, 160, 148]);
    case "cliff":
      return plain([70, 44, 26], [146, 106, 74]);
    case "bank":
    case "crest":
      return plain([110, 88, 52], [186, 168, 118]);
    default:
      return lineStyle(kind, hint, climate);
  }
};

export const sideStyle = (kind: string, hint: string): SideStyle => {
  const word = `${kind} ${hint}`.toLowerCase();
  if (/hedge|bocage/.test(word)) return "hedge";
  if (/wall|fence|roadblock/.test(word)) return "wall";
  if (/cliff|scarp|bluff/.test(word)) return "cliff";
  if (/crest|ridge/.test(word)) return "crest";
  if (/slope/.test(word)) return "slope";
  if (/bank|defilade|dike|levee|embank/.test(word)) return "bank";
  if (/bridge/.test(word)) return "bridge";
  if (/ford/.test(word)) return "ford";
  if (/(major|great).river/.test(word)) return "wide river";
  if (/river|canal/.test(word)) return "river";
  if (/stream|brook/.test(word)) return "stream";
  return "plain";
};

export const css = (c: Rgb, alpha = 1): string => `rgba(${c[0]}, ${c[1]}, ${c[2]}, ${alpha})`;

export const shade = (c: Rgb, factor: number): Rgb => [
  Math.max(0, Math.min(255, Math.round(c[0] * factor))),
  Math.max(0, Math.min(255, Math.round(c[1] * factor))),
  Math.max(0, Math.min(255, Math.round(c[2] * factor))),
];
