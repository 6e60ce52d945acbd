/**
 * Who takes part in a gathering. What is ticked is a wish; the server answers with those who can take part together,
 * and these are ticked, told of and sent.
 */

import type { Answer, Quote } from "../net/table.svelte";
import type { WireNode } from "../wire.gen";
import { idle } from "./judge";

/** Values by slot; a slot that is left out has none. */
export type Ticks = Readonly<Record<string, string>>;

const LEFT_OUT = "-";

/** Everybody, each in the first of his ways. */
export const everybody = (node: WireNode): Ticks => only(node, node.slots.map((slot) => slot.key));

/** Some, each in the first of his ways. */
export const only = (node: WireNode, keys: readonly string[]): Ticks =>
  Object.fromEntries(node.slots.filter((slot) => keys.includes(slot.key)).map((slot) => [slot.key, slot.values[0]!]));

/** The answer that ticks stand for, or null where nobody is ticked. */
export const answerOf = (node: WireNode, ticks: Ticks): Answer | null =>
  node.slots.some((slot) => ticks[slot.key]) ? { keys: [...node.keys, ...node.slots.map((slot) => ticks[slot.key] || LEFT_OUT), "done"] } : null;

/** The ticks of an answer. */
export const ticksOf = (node: WireNode, answer: Answer): Ticks =>
  Object.fromEntries(node.slots.map((slot, i) => [slot.key, answer.keys[node.keys.length + i] ?? LEFT_OUT] as const).filter(([, value]) => value !== LEFT_OUT));

/** Who was wanted and is out, and who was not and is in. */
export const differences = (node: WireNode, wanted: Ticks, ticks: Ticks): { out: string[]; more: string[] } => ({
  out: node.slots.filter((slot) => wanted[slot.key] && !ticks[slot.key]).map((slot) => slot.key),
  more: node.slots.filter((slot) => !wanted[slot.key] && ticks[slot.key]).map((slot) => slot.key),
});

type Price = (answer: Answer) => Promise<Quote | null>;

/** Where all are chosen at first and some cannot go along: those, if they do better by themselves. */
export const better = async (node: WireNode, wanted: Ticks, quote: Quote, price: Price): Promise<Quote> => {
  const { out } = differences(node, wanted, ticksOf(node, quote.answer));
  const answer = answerOf(node, only(node, out));
  if (!answer || node.slots.some((slot) => !wanted[slot.key])) return quote;
  const others = await price(answer);
  return others && idle(others.preview) < idle(quote.preview) ? others : quote;
};

/** What is offered at first: all who can go together. */
export const firstQuote = async (node: WireNode, price: Price): Promise<Quote | null> => {
  const wanted = everybody(node);
  const answer = answerOf(node, wanted);
  const quote = answer && (await price(answer));
  return quote && better(node, wanted, quote, price);
};
