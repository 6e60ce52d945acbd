/** Words for people: a beginning as a sentence has it, and lists as one says them. */

/** A first word with capitals or digits of its own is a name, such as that of a hex or a counter. */
const NAME = /^\p{Ll}\S*[\p{Lu}\d]/u;

/** With a capital, unless it begins with a name that is written small. */
export const sentence = (text: string): string => (NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** A side by its id; what has capitals of its own is left alone. */
export const sideName = (seat: string): string => (seat !== seat.toLowerCase() ? seat : seat.replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase()));

/** How far a side is with something: a number, or `2 of 3` where there is something to reach. */
export const reached = (part: { number: number; of: number | null }): string => (part.of === null ? `${part.number}` : `${part.number} of ${part.of}`);

/** Who has won: the Allies win, the Axis wins. */
export const winnerText = (seat: string): string => (seat ? `${sideName(seat)} ${/[^is]s$/.test(seat) ? "win" : "wins"}` : "A draw");

/** The values of a slot for people. */
export const wordFor = (slot: { values: readonly string[]; words: readonly string[] }, value: string): string => slot.words[slot.values.indexOf(value)] ?? value;

/** The word of a value, and what is remarked on it behind in parentheses, as "FIRE (wasted: no target)". */
export const remarked = (word: string): { word: string; remark: string } => {
  const found = /^(.*?) \((.+)\)$/.exec(word);
  return found ? { word: found[1]!, remark: found[2]! } : { word, remark: "" };
};
