/** Words for people: a beginning as a sentence has it, and lists as one says them. */

/** A label of a hex (vR6) begins small, whatever stands after it. */
const HEX = /^[a-z]\d?[A-Z]{1,2}\d/;

/** With a capital, unless it begins with the label of a hex. */
export const sentence = (text: string): string => (HEX.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** A side by its id; what has capitals of its own is left alone. */
export const sideName = (seat: string): string => (seat !== seat.toLowerCase() ? seat : seat.replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase()));

/** The values of a slot for people. */
export const wordFor = (slot: { values: readonly string[]; words: readonly string[] }, value: string): string => slot.words[slot.values.indexOf(value)] ?? value;
