/** Computer players by kind, level and character. */

import type { BotRow } from "../wire.gen";

const USUAL = "captain:2:steady";

/** The one that is offered first. */
export const usualBot = (bots: readonly BotRow[]): string => (bots.find((one) => one.name === USUAL) ?? bots.at(-1))?.name ?? "random";

export const kindsOf = (bots: readonly BotRow[]): string[] => [...new Set(bots.map((one) => one.kind))];

/** The bot of a kind that is nearest to the level and character wanted. */
export const named = (bots: readonly BotRow[], kind: string, level: number | null, character: string): string => {
  const those = bots.filter((one) => one.kind === kind);
  const fits = (one: BotRow): number => (one.level === (level ?? 2) ? 2 : 0) + (one.character === (character || "steady") ? 1 : 0);
  return those.reduce((best, one) => (fits(one) > fits(best) ? one : best), those[0]!).name;
};
