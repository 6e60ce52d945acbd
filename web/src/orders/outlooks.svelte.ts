/**
 * The chance beside each target of a list: what the first answer that choosing it would offer can bring. The server is
 * asked for one after the other, without haste, and no more once the list is gone. What may be foreseen it decides.
 */

import type { Answer, Quote } from "../net/table.svelte";
import type { WireBranch, WireNode } from "../wire.gen";
import { firstQuote } from "./gathering";
import { isModes } from "./judge";

/** Between two questions, so that what a player does himself never waits for long. */
const PAUSE_MS = 60;
/** More than this are not asked for. */
const MOST = 40;
/** As many choices of a way to do it may stand between a target and who takes part. */
const DEEPEST = 2;

interface Asking {
  walk: (keys: string[]) => Promise<WireNode | null>;
  price: (answer: Answer) => Promise<Quote | null>;
}

export class Outlooks {
  /** Chance of some effect, by the key of the target. */
  effects: ReadonlyMap<string, number> = $state.raw(new Map());
  private turn = 0;

  constructor(private readonly asking: Asking) {}

  /** The list is gone: nothing more is asked for it. */
  stop(): void {
    this.turn++;
    this.effects = new Map();
  }

  async follow(node: WireNode): Promise<void> {
    this.stop();
    const turn = this.turn;
    const isGone = (): boolean => turn !== this.turn;
    for (const branch of node.branches.filter((one) => one.kind === "target").slice(0, MOST)) {
      const quote = await this.quote(node, branch, isGone).catch(() => null);
      if (isGone()) return;
      const effect = quote?.preview.effect ?? null;
      if (effect !== null) this.effects = new Map(this.effects).set(branch.key, effect);
    }
  }

  private async quote(node: WireNode, branch: WireBranch, isGone: () => boolean): Promise<Quote | null> {
    const pause = (): Promise<void> => new Promise((done) => setTimeout(done, PAUSE_MS));
    const price = async (answer: Answer): Promise<Quote | null> => {
      await pause();
      return isGone() ? null : this.asking.price(answer);
    };
    let keys = [...node.keys, branch.key];
    if (branch.leaf) return price({ keys });
    for (let depth = 0; depth < DEEPEST; depth++) {
      await pause();
      const next = isGone() ? null : await this.asking.walk(keys);
      if (next?.shape === "gather") return firstQuote(next, price);
      if (!next || !isModes(next)) return null;
      keys = [...keys, next.branches[0]!.key];
    }
    return null;
  }
}

/** A chance in a list: whole per cents, and never certain where it is not. */
export const effectText = (effect: number): string => (effect <= 0 ? "0 %" : effect < 0.01 ? "< 1 %" : effect > 0.99 && effect < 1 ? "> 99 %" : `${Math.round(effect * 100)} %`);
