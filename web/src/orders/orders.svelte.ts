/**
 * An answer in the making. The server gives a tree of choices; this walks it branch by branch, keeps what is half
 * chosen, prices it, and sends it. It knows the shapes of a choice and nothing of what they mean.
 */

import { untrack } from "svelte";
import { wantedDrawing } from "../lessons/lit";
import type { Answer, Quote, Table } from "../net/table.svelte";
import type { WireBranch, WireNode, Preview, Refusal, WireSlot, Destination } from "../wire.gen";
import type { Crumb } from "./crumb";
import { answerOf, better, differences, everybody, only, ticksOf, type Ticks } from "./gathering";
import { isPlain, plainly } from "./formations";
import { isModes, isYesOrNo, worthALook } from "./judge";
import { Outlooks } from "./outlooks.svelte";
import { Reasons } from "./reasons";
import { Sketch } from "./sketch.svelte";
import { ordersOf, placeOf, type Stand, Standing } from "./standing";
import { aboutOf, type Place, placesOf } from "./ways";

/** How long a pointer must rest on something before the server is asked about it. */
const REST_MS = 90;

/** Branches that are plain enough to be done without looking at odds first. */
const PLAIN = new Set(["pass", "stop", "done", "seat"]);

export class Orders {
  node: WireNode | null = $state.raw(null);
  /** Choices that led here. */
  trail: Crumb[] = $state.raw([]);
  /** What stands against the values of an `assign` node as they are, by the rules. */
  objections: Refusal[] = $state.raw([]);
  /** Values of an `assign` or `gather` node, by slot; a slot left out of a `gather` has none. */
  values: Ticks = $state.raw({});
  /** The slot that the panel shows first: that of the counter pointed at. */
  slot = $state.raw("");
  /** What is being drawn, at a `sweep` or `put` node. */
  sketch: Sketch | null = $state.raw(null);
  /** A destination, or a leaf, that waits for confirmation. */
  way: Destination | null = $state.raw(null);
  leaf: WireBranch | null = $state.raw(null);
  /** What would come of the answer as it stands; of a gathering also the answer itself, as it will be sent. */
  quote: Quote | null = $state.raw(null);
  isPricing = $state.raw(false);
  /** The path under the pointer, before it is chosen. */
  glimpse: Preview | null = $state.raw(null);
  glimpsed = $state.raw("");
  /** Who was chosen for a gathering and cannot take part together with the others. */
  leftOut: string[] = $state.raw([]);
  /** Who was not chosen for it and has to take part as well. */
  joined: string[] = $state.raw([]);
  /** Ways to do the same thing (to move, to move fast): the first is taken at once, the others stand beside it. */
  modes: { node: WireNode; chosen: string } | null = $state.raw(null);
  /** Whether a path is built leg by leg. */
  isByLegs = $state.raw(false);
  /** A counter was pressed that could be chosen instead, in a hex that could be gone to: which is meant? */
  doubt: { unit: string; hex: string } | null = $state.raw(null);
  /** Why the last thing that was tried cannot be done. */
  refusal: (Refusal & { about: string }) | null = $state.raw(null);
  /** What was pressed without being a choice: it is looked at, and why it is none is told beside it. */
  regarded: { ref: string; isHex: boolean; why: Refusal | null } | null = $state.raw(null);
  isBusy = $state.raw(false);
  private question = -1;
  /** The box from which counters are being placed one after the other. */
  private placing = "";
  private readonly prices = new Map<string, Quote>();
  private turn = 0;
  /** Slots whose values have been asked for. */
  private readonly listing = new Set<string>();
  private isJudging = false;
  private judged: Promise<void> = Promise.resolve();
  /** How many choices led to the modes. */
  private depthOfModes = 0;

  /** Orders that are about nothing on the map, or the ways to do the same thing: each in its place, with its key. */
  standing: Stand[] = $state.raw([]);
  /** The values that slots can take, each in its place. */
  columns: string[] = $state.raw([]);
  private readonly memory = new Standing();
  /** The chances beside targets. */
  readonly outlooks = new Outlooks({ walk: (keys) => this.table.walk(keys), price: (answer) => this.priced(answer, false) });

  private readonly reasons: Reasons;

  constructor(readonly table: Table) {
    this.reasons = new Reasons(table);
  }

  /** Follows the server's question; a half-made answer stays as long as the question does. */
  follow(): void {
    const ask = this.table.ask;
    untrack(() => {
      if (!ask) {
        this.question = -1;
        this.node = null;
        this.clear();
        this.modes = null;
        this.trail = [];
        return;
      }
      if (ask.question === this.question) return;
      this.question = ask.question;
      this.refusal = null;
      this.regarded = null;
      this.begin(ask.root);
    });
  }

  private begin(root: WireNode): void {
    this.trail = [];
    this.modes = null;
    this.prices.clear();
    this.reasons.clear();
    this.enter(root);
    if (isYesOrNo(root)) void this.choose(root.branches[0]!);
    // Whoever places counters from a box goes on with the next one of it; Back leads to the others.
    const next = this.placing ? root.branches.find((branch) => !branch.leaf && this.boxOf(branch.ref) === this.placing) : undefined;
    this.placing = "";
    if (next) void this.choose(next);
  }

  private boxOf = (ref: string): string => this.table.scene?.counters.find((counter) => counter.id === ref)?.box ?? "";

  private enter(node: WireNode): void {
    this.clear();
    this.node = node;
    const kind = `${this.table.ask?.rule} ${this.trail.length}`;
    if (node.sketch) {
      this.standing = [];
      this.sketch = new Sketch(this.table, node, this.table.scene?.counters ?? [], () => void this.foretellDrawing(), wantedDrawing(node, this.table.lesson));
      return;
    }
    this.columns = node.shape === "assign" ? this.memory.columns(kind, node) : [];
    this.standing = this.modes ? this.memory.arrange(`${kind} ways`, this.modes.node.branches) : this.memory.arrange(kind, ordersOf(node));
    if (node.shape === "pick") void this.outlooks.follow(node);
    if (node.shape === "assign") {
      this.values = plainly(node);
      this.rejudge();
    }
    if (node.shape === "gather") {
      this.values = everybody(node);
      void this.price();
    }
  }

  private clear(): void {
    this.turn++;
    this.outlooks.stop();
    this.sketch?.leave();
    this.values = {};
    this.listing.clear();
    this.objections = [];
    this.leftOut = this.joined = [];
    this.slot = this.glimpsed = "";
    this.sketch = this.way = this.leaf = this.quote = this.glimpse = this.doubt = null;
    this.isByLegs = this.isPricing = this.isBusy = this.isJudging = false;
  }

  // --- what can be chosen ----------------------------------------------------------------------------------

  readonly places: Map<string, Place> = $derived.by(() => (this.node?.shape === "path" && !this.isByLegs ? placesOf(this.node) : new Map()));

  /** Branches about counters, by the id of the counter. */
  readonly byCounter: Map<string, WireBranch[]> = $derived.by(() => aboutOf(this.node, this.isByLegs, false));
  /** Branches about hexes, by the label of the hex. */
  readonly byHex: Map<string, WireBranch[]> = $derived.by(() => aboutOf(this.node, this.isByLegs, true));

  /** Slots of the node that are still open. */
  readonly open: WireSlot[] = $derived(this.node?.shape === "assign" ? this.node.slots.filter((slot) => !this.values[slot.key]) : []);

  /** Whether every slot stands as it did before anybody chose: nobody is told what is wrong with that. */
  readonly isUntouched: boolean = $derived(!this.node || isPlain(this.node, this.values));

  readonly gathered: WireSlot[] = $derived(this.node?.shape === "gather" ? this.node.slots.filter((slot) => this.values[slot.key]) : []);

  /** The complete answer as it stands, or null while something is missing. */
  readonly answer: Answer | null = $derived.by(() => {
    const node = this.node;
    if (!node) return null;
    if (node.shape === "assign") return this.open.length || this.objections.length ? null : { keys: [...node.keys, ...node.slots.map((slot) => this.values[slot.key]!), "done"] };
    // Those who fire are those of whom the odds are told: before they are, there is nothing to send.
    if (node.shape === "gather") return this.isPricing ? null : (this.quote?.answer ?? null);
    if (this.sketch) return this.sketch.isLegal ? { keys: [...node.keys, this.sketch.text] } : null;
    if (this.way) return { keys: node.keys, to: this.way.key };
    if (this.leaf) return { keys: [...node.keys, this.leaf.key] };
    return null;
  });

  get preview(): Preview | null {
    // What was told of another drawing says nothing of this one.
    if (this.sketch && this.quote?.answer.keys.at(-1) !== this.sketch.text) return null;
    return this.quote?.preview ?? null;
  }

  /** What would turn the question down, where the one way to answer it was taken at once. */
  readonly otherwise: WireBranch[] = $derived.by(() => {
    const first = this.trail.length === 1 && !this.leaf && !this.way ? this.trail[0]!.node : null;
    return first && isYesOrNo(first) ? first.branches.slice(1) : [];
  });

  /** Takes one of them. */
  async turnDown(branch: WireBranch): Promise<void> {
    const first = this.trail[0]?.node;
    if (first) await this.send({ keys: [...first.keys, branch.key] });
  }

  get canGoBack(): boolean {
    if (this.otherwise.length) return false;
    return this.trail.length > 0 || this.way !== null || this.leaf !== null || this.isByLegs || Boolean(this.sketch?.strokes.length);
  }

  // --- choosing --------------------------------------------------------------------------------------------

  /** A counter was pointed at. */
  async unit(id: string): Promise<void> {
    const node = this.node;
    this.regarded = null;
    if (!node) return this.regard(id, false);
    this.refusal = null;
    this.doubt = null;
    if (node.shape === "assign" && node.slots.some((slot) => slot.key === id)) return void (this.slot = id);
    if (node.shape === "gather" && node.slots.some((slot) => slot.key === id)) return this.toggle(id);
    const branches = this.byCounter.get(id);
    if (branches?.length === 1) return this.choose(branches[0]!);
    if (branches) return void (this.slot = id);
    const place = this.table.scene?.counters.find((counter) => counter.id === id)?.hex ?? "";
    const isGoal = this.places.has(place) || this.byHex.has(place);
    const isOther = this.trail.some((crumb) => crumb.node.branches.some((branch) => branch.ref === id && !branch.is_hex)) && !node.keys.includes(id);
    if (isGoal && isOther) {
      this.doubt = { unit: id, hex: place };
      return;
    }
    if (isGoal) return this.hex(place);
    if (isOther) return this.instead(id);
    return this.regard(id, false);
  }

  /** Another counter than the one in hand: back to where it could be chosen. */
  async instead(id: string): Promise<void> {
    for (let i = this.trail.length - 1; i >= 0; i--) {
      const branch = this.trail[i]!.node.branches.find((one) => one.ref === id && !one.is_hex);
      if (!branch) continue;
      const crumb = this.trail[i]!;
      this.trail = this.trail.slice(0, i);
      this.modes = null;
      this.enter(crumb.node);
      return this.choose(branch);
    }
  }

  /** A hex was pointed at. */
  async hex(label: string): Promise<void> {
    this.refusal = null;
    this.regarded = null;
    this.doubt = null;
    const place = this.places.get(label);
    if (place) {
      // A second click on the chosen hex confirms it.
      if (this.way?.ref === label) return this.confirm();
      return this.go(place.ways[0]!);
    }
    const branches = this.byHex.get(label);
    if (branches?.length === 1) return this.choose(branches[0]!);
    if (branches) return void (this.slot = label);
    return this.regard(label, true);
  }

  /** Takes a branch: on to the next choice, or to its confirmation if it completes the answer. */
  async choose(branch: WireBranch): Promise<void> {
    const node = this.node;
    if (!node) return;
    this.refusal = this.regarded = null;
    if (!branch.leaf) {
      const next = await this.walk([...node.keys, branch.key]);
      if (!next) return;
      const byLegs = this.isByLegs;
      this.trail = [...this.trail, { label: branch.label, kind: branch.kind, ref: branch.ref, isHex: branch.is_hex, node }];
      if (isModes(next) && (await this.mode(next, next.branches[0]!, false))) return;
      this.enter(next);
      this.isByLegs = byLegs && next.shape === "path";
      return;
    }
    if (PLAIN.has(branch.kind)) {
      await this.send({ keys: [...node.keys, branch.key] });
      return;
    }
    this.leaf = branch;
    await this.price();
    if (this.leaf === branch && !worthALook(this.preview)) await this.confirm();
  }

  private async walk(keys: string[]): Promise<WireNode | null> {
    const turn = this.turn;
    this.isBusy = true;
    const next = await this.table.walk(keys).catch(() => null);
    if (turn !== this.turn) return null;
    this.isBusy = false;
    return next;
  }

  /**
   * Takes one of several ways to go; it is no step of its own, so Back leads before it. What does not lead to a path is
   * a step like any other, and taken only if it was pressed.
   */
  async mode(node: WireNode, branch: WireBranch, isPressed = true): Promise<boolean> {
    this.refusal = null;
    const next = await this.walk([...node.keys, branch.key]);
    if (!next || (next.shape !== "path" && !isPressed)) return false;
    if (this.modes?.node === node) this.trail = this.trail.slice(0, this.depthOfModes);
    this.depthOfModes = this.trail.length;
    this.modes = next.shape === "path" ? { node, chosen: branch.key } : null;
    if (!this.modes) this.trail = [...this.trail, { label: branch.label, kind: branch.kind, ref: branch.ref, isHex: branch.is_hex, node }];
    this.enter(next);
    return true;
  }

  /** Chooses a destination; it shows the way and waits to be confirmed. */
  async go(way: Destination): Promise<void> {
    this.way = way;
    this.refusal = null;
    if (!way.ref) return this.confirm();
    await this.price();
  }

  set(slot: string, value: string): void {
    this.refusal = null;
    this.values = { ...this.values, [slot]: value };
    if (this.node?.shape === "gather") void this.price();
    else {
      if (this.slot === slot) this.slot = this.open[0]?.key ?? "";
      this.rejudge();
    }
  }

  /** Asks for the values of slots that were told without them, once each. */
  async list(slots: readonly WireSlot[]): Promise<void> {
    const [node, turn] = [this.node, this.turn];
    const wanted = slots.filter((slot) => !slot.listed && !this.listing.has(slot.key)).map((slot) => slot.key);
    if (!node || !wanted.length) return;
    for (const key of wanted) this.listing.add(key);
    const told = await this.table.values(node.keys, wanted).catch(() => null);
    if (turn !== this.turn || !this.node) return;
    for (const key of wanted) this.listing.delete(key);
    if (!told) return;
    const fresh = new Map(told.map((slot) => [slot.key, slot]));
    this.node = { ...this.node, slots: this.node.slots.map((slot) => fresh.get(slot.key) ?? slot) };
    this.columns = this.memory.columns(`${this.table.ask?.rule} ${this.trail.length}`, this.node);
  }

  /** Gives a value to every slot of a formation that can take it. */
  fillGroup(name: string, value: string): void {
    this.refusal = null;
    this.fillThese(this.node?.slots.filter((slot) => slot.group === name) ?? [], value);
  }

  /** Asks what the rules have against the values as they stand: one question at a time, and the last about the last. */
  private rejudge(): void {
    if (this.node?.limited && !this.isJudging) this.judged = this.judge(this.node);
    void this.foretell();
  }

  private async judge(node: WireNode): Promise<void> {
    const turn = this.turn;
    this.isJudging = true;
    while (turn === this.turn && !this.open.length) {
      const values = this.values;
      const found = await this.table.judge(node.keys, node.slots.map((slot) => values[slot.key]!)).catch(() => null);
      if (turn !== this.turn) return;
      if (this.values !== values) continue;
      // If nobody answers, what is sent is judged all the same.
      this.objections = found ?? [];
      break;
    }
    if (turn === this.turn) this.isJudging = false;
  }

  /** What would come of an assignment as it stands, where the server can tell; the last question is about the last. */
  private async foretell(): Promise<void> {
    const [node, turn, values] = [this.node, this.turn, this.values];
    if (!node?.foretold) return;
    this.isPricing = true;
    await this.judged;
    const isLast = (): boolean => turn === this.turn && values === this.values;
    const quote = isLast() && this.answer ? await this.priced(this.answer) : null;
    if (!isLast()) return;
    this.isPricing = false;
    this.quote = quote;
  }

  /** Gives a value to every open slot that can take it. */
  fill(value: string): void {
    this.fillThese(this.open, value);
  }

  private fillThese(slots: readonly WireSlot[], value: string): void {
    this.values = { ...this.values, ...Object.fromEntries(slots.filter((slot) => slot.values.includes(value)).map((slot) => [slot.key, value])) };
    this.rejudge();
  }

  /** A number key: the order that stands there, or the value of that column for the slot in hand; whether it is one. */
  press(key: string): boolean {
    const node = this.node;
    if (!node || this.isBusy) return false;
    if (node.shape === "assign") return this.pressValue(node, key);
    if (this.sketch) return false;
    const branch = placeOf(key, this.standing)?.branch;
    if (!branch || this.leaf) return false;
    void (this.modes ? this.mode(this.modes.node, branch) : this.choose(branch));
    return true;
  }

  private pressValue(node: WireNode, key: string): boolean {
    const held = node.slots.find((one) => one.key === this.slot) ?? this.open[0];
    // Where all stand at something, the first press takes one in hand, so that it is seen what the next will change.
    if (!held && node.slots[0]?.plain) {
      this.slot = node.slots[0].key;
      return true;
    }
    const [slot, value] = [held ?? node.slots[0], placeOf(key, this.columns)];
    if (!slot || !value || !slot.values.includes(value)) return false;
    const next = node.slots[node.slots.indexOf(slot) + 1];
    this.set(slot.key, value);
    if (slot.plain && !this.open.length) this.slot = (next ?? slot).key;
    return true;
  }

  private toggle(id: string): void {
    const slot = this.node?.slots.find((one) => one.key === id);
    if (slot) this.set(id, this.values[id] ? "" : slot.values[0]!);
  }

  back(): void {
    this.refusal = null;
    if (this.regarded) {
      this.regarded = null;
      return;
    }
    if (this.doubt) {
      this.doubt = null;
      return;
    }
    if (this.sketch?.undo()) return;
    if (this.way || this.leaf) {
      this.way = this.leaf = null;
      this.quote = null;
      return;
    }
    const last = this.trail.at(-1);
    // The first step back from going leg by leg is to the whole way.
    if (this.isByLegs && last?.node.shape !== "path") {
      this.isByLegs = false;
    } else if (last) {
      const byLegs = this.isByLegs;
      this.trail = this.trail.slice(0, -1);
      if (this.trail.length < this.depthOfModes) this.modes = null;
      this.enter(last.node);
      this.isByLegs = byLegs && last.node.shape === "path";
    }
  }

  /** Sends the answer, once what is still being judged is. */
  async confirm(): Promise<void> {
    const turn = this.turn;
    await this.judged;
    if (turn !== this.turn || !this.answer) return;
    if (this.sketch) await this.draw(this.sketch, this.answer);
    else await this.send(this.answer);
  }

  /** Takes what was drawn: it is the answer, or there is more to choose after it. */
  private async draw(sketch: Sketch, answer: Answer): Promise<void> {
    const [turn, next] = [this.turn, await this.walk(answer.keys)];
    if (turn !== this.turn) return;
    if (next && next.shape !== "leaf") {
      this.trail = [...this.trail, { label: sketch.said, kind: "drawing", ref: "", isHex: false, node: sketch.node }];
      this.enter(next);
    } else await this.send(answer);
  }

  /** What would come of the drawing as it stands, where that can be told at once. */
  private async foretellDrawing(): Promise<void> {
    const [sketch, answer] = [this.sketch, this.answer];
    if (!sketch || !answer) return;
    const quote = await this.priced(answer, false);
    if (this.sketch === sketch && sketch.text === answer.keys.at(-1)) this.quote = quote;
  }

  private async send(answer: Answer): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.placing = this.node?.shape === "pick" ? this.boxOf(this.trail[0]?.ref ?? "") : "";
    const refusal = await this.table.act(answer, this.question);
    this.isBusy = false;
    if (refusal) {
      this.refusal = { ...refusal, about: "" };
      // Nothing changed on the server, or something did: begin again from its question.
      const ask = this.table.ask;
      if (ask && ask.question !== this.question) this.follow();
    }
  }

  // --- looking ahead ---------------------------------------------------------------------------------------

  /** Odds and breakdown of the answer as it stands; `others` are those whom a gathering may take instead. */
  private async price(others: readonly string[] = []): Promise<void> {
    const node = this.node;
    const [turn, wanted, isGathering] = [++this.turn, this.values, node?.shape === "gather"];
    this.leftOut = this.joined = [];
    const answer = node && isGathering ? answerOf(node, wanted) : this.answer;
    this.isPricing = answer !== null;
    if (!answer) {
      this.quote = null;
      return;
    }
    // Where it falls is seen at once; odds that have to be estimated come after it.
    const quick = this.leaf ? await this.priced(answer, false) : null;
    if (turn !== this.turn) return;
    if (quick?.preview.areas.length) this.quote = quick;
    let quote = await this.priced(answer);
    if (turn !== this.turn) return;
    if (quote && isGathering) quote = await better(node!, wanted, quote, (answer) => this.priced(answer));
    if (turn !== this.turn) return;
    this.isPricing = false;
    this.quote = quote;
    if (quote && isGathering) this.settle(node!, wanted, quote, others);
  }

  /** The ticks become those of the answer that was priced. */
  private settle(node: WireNode, wanted: Ticks, quote: Quote, others: readonly string[]): void {
    const ticks = ticksOf(node, quote.answer);
    const { out, more } = differences(node, wanted, ticks);
    this.leftOut = node.slots.map((slot) => slot.key).filter((key) => out.includes(key) || (others.includes(key) && !ticks[key]));
    this.joined = more;
    this.values = ticks;
  }

  /** Those who were left out, in place of those who were not. */
  swap(): void {
    const node = this.node;
    if (!node || !this.leftOut.length) return;
    const before = this.gathered.map((slot) => slot.key);
    this.values = only(node, this.leftOut);
    void this.price(before);
  }

  private async priced(answer: Answer, estimate = true): Promise<Quote | null> {
    const key = JSON.stringify([this.question, answer]);
    const known = this.prices.get(key);
    if (known) return known;
    const quote = await this.table.price(answer, this.question, estimate).catch(() => null);
    if (quote && (estimate || quote.preview.exact)) this.prices.set(key, quote);
    return quote;
  }

  /** Shows the way to the hex under the pointer. */
  async look(label: string | null): Promise<void> {
    const place = label ? this.places.get(label) : undefined;
    if (!place || !this.node || this.way) {
      this.glimpsed = "";
      this.glimpse = null;
      return;
    }
    if (this.glimpsed === label) return;
    this.glimpsed = label!;
    // A pointer that sweeps over the map asks for nothing; one that rests does.
    await new Promise((rest) => window.setTimeout(rest, REST_MS));
    if (this.glimpsed !== label || !this.node) return;
    const quote = await this.priced({ keys: this.node.keys, to: place.ways[0]!.key });
    if (this.glimpsed === label) this.glimpse = quote?.preview ?? null;
  }

  /**
   * Looks at something that is no choice now; where other hexes or counters are, it is asked why this one is not. A counter
   * may have the name of a hex, so it is said which of them is meant.
   */
  async regard(ref: string, isHex: boolean): Promise<void> {
    this.refusal = null;
    const regarded = (this.regarded = { ref, isHex, why: null });
    const isAboutHexes = this.node?.shape === "path" || this.byHex.size > 0;
    const why = isHex && !isAboutHexes ? null : await this.reason(ref, isHex);
    if (this.regarded === regarded) this.regarded = { ref, isHex, why };
  }

  /** Why a counter or hex cannot be chosen now, or null if it can, or nothing is asked. */
  async reason(ref: string, isHex: boolean): Promise<Refusal | null> {
    if (!this.table.ask || !this.node || this.canChoose(ref, isHex)) return null;
    return this.reasons.pick(this.node, ref, isHex);
  }

  /** Whether pointing at a counter or hex chooses something. */
  canChoose(ref: string, isHex: boolean): boolean {
    if (isHex) return this.places.has(ref) || this.byHex.has(ref);
    return this.byCounter.has(ref) || Boolean(this.node?.slots.some((slot) => slot.key === ref)) || Boolean(this.node?.keys.includes(ref));
  }

  /** Asks why a slot cannot take a value. */
  async explainValue(slot: WireSlot, value: string): Promise<void> {
    if (this.node) this.refusal = await this.reasons.value(this.node, slot, value);
  }
}
