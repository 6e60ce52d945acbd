/** The rulebook of the table that is open: what a number says, and where it was used in this game. */

import type { WireBreakdown, WireEntry } from "../wire.gen";

/** A moment of the game at which a rule was used. */
export interface Use {
  seq: number;
  text: string;
}

export interface Shelf {
  rules: Record<string, string>;
  summaries: Record<string, string>;
  waits: Record<string, string>;
}

/** As many as somebody reads. */
const MOST_USES = 5;

const cites = (breakdown: WireBreakdown, number: string): boolean => breakdown.rule === number || breakdown.terms.some((term) => term.rule === number);

/** The newest entries that rest on a rule, newest first: by the question they answer, or by a number in them. */
export const usesOf = (log: readonly WireEntry[], number: string): Use[] => {
  const found: Use[] = [];
  for (let i = log.length - 1; i >= 0 && found.length < MOST_USES; i--) {
    const entry = log[i]!;
    const sentence = entry.sentences.find((one) => one.breakdowns.some((breakdown) => cites(breakdown, number)));
    if (sentence) found.push({ seq: entry.seq, text: sentence.text || entry.text });
    else if (entry.rule === number && (entry.text || entry.sentences[0])) found.push({ seq: entry.seq, text: entry.text || entry.sentences[0]!.text });
  }
  return found;
};

class Rulebook {
  /** The number whose card is open. */
  number = $state.raw("");
  /** What was pressed to open it. */
  anchor: HTMLElement | null = $state.raw(null);
  private read: () => { shelf: Shelf | null; log: readonly WireEntry[] } = () => ({ shelf: null, log: [] });

  /** The page that shows a table says where its rules and its log are. */
  lend(read: () => { shelf: Shelf | null; log: readonly WireEntry[] }): void {
    this.read = read;
    this.close();
  }

  open(number: string, anchor: HTMLElement): void {
    this.anchor = anchor;
    this.number = number;
  }

  close(): void {
    this.number = "";
  }

  title(number: string): string {
    return this.read().shelf?.rules[number] ?? "";
  }

  /** What a number says in a sentence or two. */
  summary(number: string): string {
    return this.read().shelf?.summaries[number] ?? "";
  }

  /** What of it is not here yet. */
  waits(number: string): string {
    return this.read().shelf?.waits[number] ?? "";
  }

  uses(number: string): Use[] {
    return usesOf(this.read().log, number);
  }
}

export const rulebook = new Rulebook();
