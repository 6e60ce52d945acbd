/** A table as this browser knows it: what the server told last, and how to ask it more. */

import { type Ground, groundOf } from "../map/ground";
import type {
  Advice,
  Ask,
  ChatLine,
  FieldSeen,
  WireClock,
  WireEntry,
  WireLesson,
  WireNode,
  WireOutcome,
  Preview,
  Refusal,
  Scene,
  SightReport,
  WireSeat,
  WireSlot,
  ServerMessage,
  TableInfo,
  Threats,
  Tried,
  WireUndo,
  Why,
  Zone,
} from "../wire.gen";
import { pace } from "../story/pace.svelte";
import { Playback } from "../story/playback.svelte";
import { api, troubleOf } from "./api";
import { followAsk, followScene } from "./changes";
import { NO_CONNECTION, type Reply, TableSocket } from "./socket";

const NO_UNDO: WireUndo = { free: false, reason: "", asked_by: "", agreed: [], waits_for: [] };

/** An answer by the branches that lead to it, or as the action that a hint brought. */
export interface Answer {
  keys: string[];
  to?: string;
  action?: Record<string, unknown>;
}

/** What would come of an answer, and that answer. */
export interface Quote {
  preview: Preview;
  answer: Answer;
}

export class Table {
  private newestScene: Scene | null = null;
  private newestAsk: Ask | null = $state.raw(null);
  private newestUndo: WireUndo = $state.raw(NO_UNDO);
  private newestOutcome: WireOutcome | null = $state.raw(null);
  private entries: WireEntry[] = $state.raw([]);
  info: TableInfo | null = $state.raw(null);
  atlas: Ground | null = $state.raw(null);
  v = $state.raw(0);
  /** What happened, shown at the player's pace. The page shows its picture, and answers questions of that picture only. */
  readonly story = new Playback(pace);
  readonly scene: Scene | null = $derived(this.story.scene);
  seats: WireSeat[] = $state.raw([]);
  /** Whether a bot plays the seat that the page looks from: then nothing is asked of whoever sits here. */
  private readonly isPlayed: boolean = $derived(this.seats.some((one) => one.seat === this.scene?.seat && isPlayed(one)));
  readonly ask: Ask | null = $derived(this.story.isRunning || this.isPlayed ? null : this.newestAsk);
  /** The newest question of this seat, whether or not the page has come to it; -1 for none. */
  readonly called: number = $derived(this.isPlayed ? -1 : (this.newestAsk?.question ?? -1));
  readonly log: WireEntry[] = $derived(this.entries.filter((entry) => entry.seq < this.story.until));
  watchers = $state.raw(0);
  /** Whether bots may help in this game. */
  help = $state.raw(false);
  clocks: WireClock[] = $state.raw([]);
  /** When the clocks were told, by this browser's time. */
  clocksAt = $state.raw(0);
  chat: ChatLine[] = $state.raw([]);
  /** What is being written: kept when something that is asked takes its place. */
  draft = $state.raw("");
  readonly undo: WireUndo = $derived(this.story.isRunning || this.isPlayed ? { ...this.newestUndo, free: false } : this.newestUndo);
  readonly outcome: WireOutcome | null = $derived(this.story.isRunning ? null : this.newestOutcome);
  /** The open step, where a lesson is given. */
  lesson: WireLesson | null = $state.raw(null);
  status: "loading" | "open" | "lost" | "refused" | "failed" = $state.raw("loading");
  trouble = $state.raw("");
  /** Whether an action is on its way. */
  isSending = $state.raw(false);
  private socket: TableSocket | null = null;

  constructor(
    readonly id: string,
    private readonly seat: string | null,
  ) {}

  async load(): Promise<void> {
    try {
      this.info = await api.table(this.id);
      if (this.info.has_map) this.atlas = groundOf(await api.map(this.id));
      this.seats = this.info.seats;
    } catch (error) {
      this.status = "failed";
      this.trouble = troubleOf(error);
    }
  }

  connect(): void {
    this.socket ??= new TableSocket(this.id, this.seat, {
      message: (message) => this.receive(message),
      status: (status, reason) => {
        this.status = status;
        this.trouble = reason;
      },
    });
  }

  close(): void {
    this.socket?.close();
    this.socket = null;
  }

  // --- what the server tells -------------------------------------------------------------------------------

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "Snapshot":
        this.v = message.v;
        this.entries = message.log;
        this.newestAsk = message.ask;
        this.newestScene = message.scene;
        this.story.jump(message.scene);
        this.seats = message.seats;
        this.watchers = message.watchers;
        this.help = message.help;
        this.chat = message.chat;
        this.newestUndo = message.undo;
        this.newestOutcome = message.outcome;
        this.lesson = message.lesson;
        this.setClocks(message.clocks);
        this.socket?.remember(message.scene.seat);
        break;
      case "Update":
        if (message.v <= this.v) return;
        if (message.v > this.v + 1 || !this.newestScene) {
          this.socket?.tell({ type: "Resync" });
          return;
        }
        this.v = message.v;
        this.entries = [...this.entries, message.entry];
        this.newestAsk = followAsk(this.newestAsk, message);
        this.newestScene = followScene(this.newestScene, message.scene);
        this.story.add(message.entry, this.newestScene);
        this.newestUndo = message.undo;
        this.newestOutcome = message.outcome;
        this.lesson = message.lesson;
        this.setClocks(message.clocks);
        break;
      case "Presence":
        this.seats = message.seats;
        this.watchers = message.watchers;
        this.help = message.help;
        break;
      case "Clocks":
        this.setClocks(message.clocks);
        this.newestOutcome = message.outcome ?? this.newestOutcome;
        if (message.outcome) this.newestAsk = null;
        break;
      case "UndoChanged":
        this.newestUndo = message.undo;
        break;
      case "Said":
        if (!this.chat.some((line) => line.n === message.line.n)) this.chat = [...this.chat, message.line];
        break;
      case "Rejected":
        this.trouble = message.faults.map((fault) => fault.wrong).join("; ");
        break;
      default:
        break;
    }
  }

  private setClocks(clocks: WireClock[]): void {
    this.clocks = clocks;
    this.clocksAt = Date.now();
  }

  // --- asking ----------------------------------------------------------------------------------------------

  private question(message: Parameters<TableSocket["ask"]>[0]): Promise<Reply> {
    if (!this.socket) return Promise.reject(new Error(NO_CONNECTION));
    return this.socket.ask(message);
  }

  /** Gives an answer to the question that it was made for, and to no later one; null if it is done, else why not. */
  async act(answer: Answer, question: number): Promise<Refusal | null> {
    this.isSending = true;
    try {
      return refusalOf(await this.question({ type: "Act", v: question, ...answer }));
    } catch (error) {
      return { rule: "", reason: troubleOf(error), remedy: "", slots: [] };
    } finally {
      this.isSending = false;
    }
  }

  async walk(keys: string[]): Promise<WireNode | null> {
    const reply = await this.question({ type: "Walk", v: this.v, keys });
    return reply.type === "Walked" ? reply.node : null;
  }

  /** The values of some slots of a node, or null if it is no longer asked. */
  async values(keys: string[], slots: string[]): Promise<WireSlot[] | null> {
    const reply = await this.question({ type: "ListValues", v: this.v, keys, slots });
    return reply.type === "ValuesListed" ? reply.slots : null;
  }

  /** What stands against values for all slots of an assignment. */
  async judge(keys: string[], values: string[]): Promise<Refusal[] | null> {
    const reply = await this.question({ type: "Judge", v: this.v, keys, values });
    return reply.type === "Judged" ? reply.refusals : null;
  }

  /** How far a drawing holds; null if it is no longer asked. */
  async tryDrawing(keys: string[], strokes: string): Promise<Tried | null> {
    const reply = await this.question({ type: "Try", v: this.v, keys, strokes });
    return reply.type === "Tried" ? reply : null;
  }

  /** Shapes on a table that belong to a counter. */
  async outline(unit: string, what: string): Promise<Zone[] | string> {
    const reply = await this.question({ type: "Outline", unit, what });
    return reply.type === "Outlined" ? reply.zones : (refusalOf(reply)?.reason ?? "There is no answer to that here.");
  }

  /** What would come of an answer, and the answer that this is told of: the one to send. */
  async price(answer: Answer, question: number, estimate = true): Promise<Quote | null> {
    const reply = await this.question({ type: "Price", v: question, estimate, ...answer });
    return reply.type === "Priced" ? { preview: reply.preview, answer: { keys: reply.keys, to: reply.to } } : null;
  }

  async whyNot(keys: string[], ref: string, isHex: boolean): Promise<Why | null> {
    const reply = await this.question({ type: "WhyNot", v: this.v, keys, ref, is_hex: isHex });
    if (reply.type === "WireWhy") return reply.why;
    const refusal = refusalOf(reply);
    return refusal ? { allowed: false, refusal } : null;
  }

  async sight(a: string, b: string): Promise<SightReport | string> {
    const reply = await this.question({ type: "Sight", a, b });
    if (reply.type === "Sighted") return reply.report;
    return refusalOf(reply)?.reason ?? "There is no answer to that here.";
  }

  async field(from: { hex?: string; unit?: string }): Promise<{ hex: string; seen: Set<string>; outlines: FieldSeen["outlines"] } | string> {
    const reply = await this.question({ type: "Field", ...from });
    if (reply.type === "FieldSeen") return { hex: reply.hex, seen: new Set([...reply.seen, reply.hex]), outlines: reply.outlines };
    return refusalOf(reply)?.reason ?? "There is no answer to that here.";
  }

  async threats(hex: string): Promise<Threats | string> {
    const reply = await this.question({ type: "Threaten", hex });
    return reply.type === "Threats" ? reply : (refusalOf(reply)?.reason ?? "There is no answer to that here.");
  }

  async takeBack(): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "Undo", v: this.v }));
  }

  async consent(agree: boolean): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "ConsentUndo", v: this.v, agree }));
  }

  async say(text: string): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "Say", text }));
  }

  async resign(): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "Resign" }));
  }

  /** What a bot would do in this seat, or why it does not say. */
  async hint(bot: string): Promise<Advice | string> {
    const reply = await this.question({ type: "Hint", v: this.v, bot });
    return reply.type === "Hinted" ? reply.advice : (refusalOf(reply)?.reason ?? "There is no answer to that here.");
  }

  /** Lets a bot play a seat of mine, or (with no name) takes it back; `""` is the seat that the page looks from. */
  async handOver(bot: string, seat: string): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "HandOver", bot, seat }));
  }

  /** Of a lesson: begins this step anew. */
  async turnTo(step: number): Promise<Refusal | null> {
    return refusalOf(await this.question({ type: "TurnTo", step }));
  }

  sit(seat: string): void {
    this.socket?.remember(seat);
    this.socket?.tell({ type: "Sit", seat });
  }

  /** Entries before the newest ones that came with the snapshot. */
  async earlier(): Promise<void> {
    const first = this.entries[0]?.seq ?? 0;
    if (first <= 0 || !this.scene) return;
    const entries = await api.entries(this.id, this.scene.seat, Math.max(0, first - 200), first);
    this.entries = [...entries.filter((entry) => entry.seq < first), ...this.entries];
  }

  // --- what follows from it --------------------------------------------------------------------------------

  /** Seats that this browser holds. */
  get mine(): WireSeat[] {
    return this.seats.filter((seat) => seat.yours);
  }

  seatTitle(seat: string): string {
    const told = this.seats.find((one) => one.seat === seat);
    return told?.title || this.info?.sides.find((side) => side.id === seat)?.title || seat;
  }
}

/** Whether a bot plays a seat of this browser for its holder. */
export const isPlayed = (seat: WireSeat): boolean => seat.yours && seat.stand_in !== "";

/** Why a message was not done, or null if it was. A stale answer is no fault: the new position is already here. */
const refusalOf = (reply: Reply): Refusal | null => {
  switch (reply.type) {
    case "Refused":
      return { rule: reply.rule, reason: reply.reason, remedy: reply.remedy, slots: reply.slots };
    case "Rejected":
      return { rule: "", reason: reply.faults.map((fault) => [fault.where, fault.wrong].filter(Boolean).join(": ")).join("; "), remedy: "", slots: [] };
    case "Stale":
      return { rule: "", reason: "The position has changed meanwhile; please choose again.", remedy: "", slots: [] };
    default:
      return null;
  }
};
