/** Chances as rows of a bar list: the likely ones, and the rest in one sum. */

import type { WireChance } from "../wire.gen";

const percent = (p: number): string => (p >= 0.9995 || p === 0 ? `${Math.round(p * 100)} %` : p < 0.001 ? "< 0.1 %" : `${(p * 100).toFixed(1)} %`);

export const chanceRows = (chances: readonly WireChance[], most: number): { what: string; width: number | null; figure: string; hint?: string }[] => {
  const rest = chances.slice(most).reduce((sum, chance) => sum + chance.probability, 0);
  return [
    ...chances.slice(0, most).map((chance) => ({
      what: chance.what || "no effect",
      width: chance.probability * 100,
      figure: percent(chance.probability),
      ...(chance.exact && chance.exact.length < 24 ? { hint: `exactly ${chance.exact}` } : {}),
    })),
    ...(rest > 0 ? [{ what: "everything else", width: null, figure: percent(rest) }] : []),
  ];
};
