/** Chances as rows of a bar list: the likely ones, and the rest in one sum; one that is hardly possible stands alone. */

import type { WireChance } from "../wire.gen";

/** Below this the figure is the same for all. */
const LEAST = 0.001;

const percent = (p: number): string => (p >= 0.9995 || p === 0 ? `${Math.round(p * 100)} %` : p < LEAST ? "< 0.1 %" : `${(p * 100).toFixed(1)} %`);

export const chanceRows = (chances: readonly WireChance[], most: number): { what: string; width: number | null; figure: string; hint?: string }[] => {
  const likely = chances.filter((chance) => chance.probability >= LEAST);
  const listed = (chances.length - likely.length > 1 ? likely : chances).slice(0, most);
  const rest = chances.filter((chance) => !listed.includes(chance)).reduce((sum, chance) => sum + chance.probability, 0);
  return [
    ...listed.map((chance) => ({
      what: chance.what || "no effect",
      width: chance.probability * 100,
      figure: percent(chance.probability),
      ...(chance.exact && chance.exact.length < 24 ? { hint: `exactly ${chance.exact}` } : {}),
    })),
    ...(rest > 0 ? [{ what: "everything else", width: null, figure: percent(rest) }] : []),
  ];
};
