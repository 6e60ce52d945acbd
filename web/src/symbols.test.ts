import { expect, test } from "vitest";
import { SYMBOLS } from "./symbols";

const sources = import.meta.glob<string>("./**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true });

/** What the Latin subsets of the text fonts hold beside the letters. */
const isLatin = (sign: string): boolean => sign <= "\u00ff" || (sign >= "\u2000" && sign <= "\u206f") || "€™−".includes(sign);

test("every sign that the page writes is in a font that it brings", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(50);
  const missing = Object.entries(sources).flatMap(([file, text]) => [...new Set(text)].filter((sign) => !isLatin(sign) && !SYMBOLS.includes(sign)).map((sign) => `${file}: ${sign}`));
  expect(missing).toEqual([]);
});
