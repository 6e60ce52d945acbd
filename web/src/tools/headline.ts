import type { WireEntry } from "../wire.gen";

/** What came of a move last, in a sentence; a marker or a turn on the spot speaks for it only where nothing else happened. */
const outcomeOf = (entry: WireEntry): string => {
  const weighty = entry.sentences.filter((one) => one.breakdowns.length);
  return (weighty.findLast((one) => one.beat?.kind !== "mark") ?? weighty.at(-1))?.text ?? "";
};

/** The lines whose moves no longer stand: somebody took them back, to the position after an earlier line. */
export const takenBack = (log: readonly WireEntry[]): ReadonlySet<number> =>
  new Set(log.flatMap(({ seq, back_to }) => (back_to === null ? [] : log.filter((one) => one.seq > back_to && one.seq < seq).map((one) => one.seq))));

/** A move in one line: what was done and, where the line stands for the whole, what came of it. */
export const headline = (entry: WireEntry, isOpen: boolean): string => {
  if (entry.kind === "begin" || !entry.text) return entry.sentences[0]?.text ?? "The beginning";
  const outcome = outcomeOf(entry);
  return outcome && outcome !== entry.text && !isOpen ? `${entry.text}: ${outcome}` : entry.text;
};
