/** The glossary of the table that is open, and how texts are taken apart by it. */

import type { Term } from "../wire.gen";

/** A piece of a text: as it stands, with the term that it is, if it is one. */
export interface Piece {
  text: string;
  term: Term | null;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** A term stands by itself: what is part of a longer word, or of a hex's label, is none; a number may stand before it. */
const patternOf = (texts: readonly string[]): RegExp | null => {
  if (!texts.length) return null;
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}#/-])(?:${longestFirst.map(escaped).join("|")})(?![\\p{L}\\d#])`, "gu");
};

/** Takes texts apart into terms and what stands between; a term is marked where a text has it first. */
export class Marker {
  private readonly byText = new Map<string, Term>();
  private readonly byTerm = new Map<string, Term>();
  private readonly pattern: RegExp | null;

  constructor(terms: readonly Term[]) {
    for (const term of terms) {
      this.byTerm.set(term.term, term);
      for (const text of term.written.length ? term.written : [term.term]) this.byText.set(text, term);
    }
    this.pattern = patternOf([...this.byText.keys()]);
  }

  pieces(text: string): Piece[] {
    const whole = this.byTerm.get(text);
    if (whole) return [{ text, term: whole }];
    if (!this.pattern || !text) return [{ text, term: null }];
    const found: Piece[] = [];
    const seen = new Set<Term>();
    let end = 0;
    for (const match of text.matchAll(this.pattern)) {
      const term = this.byText.get(match[0])!;
      if (seen.has(term)) continue;
      seen.add(term);
      if (match.index > end) found.push({ text: text.slice(end, match.index), term: null });
      found.push({ text: match[0], term });
      end = match.index + match[0].length;
    }
    if (end < text.length || !found.length) found.push({ text: text.slice(end), term: null });
    return found;
  }
}

class Glossary {
  private read: () => readonly Term[] = () => [];
  private terms: readonly Term[] = [];
  private marker = new Marker([]);
  /** The term whose tip is open, and what it hangs on. */
  open: { term: Term; anchor: Element } | null = $state.raw(null);

  /** The page that shows a table says where its glossary is. */
  lend(read: () => readonly Term[]): void {
    this.read = read;
    this.open = null;
  }

  pieces(text: string): Piece[] {
    const terms = this.read();
    if (terms !== this.terms) {
      this.terms = terms;
      this.marker = new Marker(terms);
    }
    return this.marker.pieces(text);
  }

  /** A word as its term is written, where it is an abbreviation of the glossary; else as it stands. */
  spelled(word: string): string {
    const term = word.toUpperCase();
    return this.read().some((one) => one.term === term) ? term : word;
  }

  show(term: Term, anchor: Element): void {
    this.open = { term, anchor };
  }

  hide(anchor?: Element): void {
    if (!anchor || this.open?.anchor === anchor) this.open = null;
  }
}

export const glossary = new Glossary();
