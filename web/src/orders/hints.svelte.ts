/** Help from the computer: a hint for the open question, and a seat handed over. */

import { troubleOf } from "../net/api";
import type { Table } from "../net/table.svelte";
import type { Advice } from "../wire.gen";

export class Hints {
  advice: Advice | null = $state.raw(null);
  isThinking = $state.raw(false);
  trouble = $state.raw("");
  /** Whether the choice of a bot to take over is open. */
  isHandingOver = $state.raw(false);
  bot = $state.raw("captain:2:steady");
  private question = -1;

  constructor(readonly table: Table) {}

  /** A hint is about one question and goes with it. */
  follow(): void {
    const question = this.table.ask?.question ?? -1;
    if (question === this.question) return;
    this.question = question;
    this.advice = null;
    this.trouble = "";
  }

  async ask(): Promise<void> {
    if (this.isThinking || !this.table.ask) return;
    const question = this.table.ask.question;
    this.isThinking = true;
    this.trouble = "";
    const found = await this.table.hint(this.bot).catch(troubleOf);
    this.isThinking = false;
    if (this.table.ask?.question !== question) return;
    if (typeof found === "string") this.trouble = found;
    else this.advice = found;
  }

  /** Plays what was advised. */
  async play(): Promise<void> {
    const advice = this.advice;
    if (!advice) return;
    this.advice = null;
    const refusal = await this.table.act({ keys: [], action: advice.action }, this.question);
    this.trouble = refusal?.reason ?? "";
  }

  async handOver(bot: string, seat = ""): Promise<void> {
    this.isHandingOver = false;
    const refusal = await this.table.handOver(bot, seat).catch((error: unknown) => ({ reason: troubleOf(error) }));
    this.trouble = refusal?.reason ?? "";
  }
}
