/**
 * A drawing in the making: a way that something goes, or a place where it is put. The hand draws by geometry alone; the
 * server says of every drawing how far it holds, what it costs and which rule stands against the rest.
 */

import { ahead, CIRCLE, distanceOf, drawingText, endOf, headingTo, INCH, inches, labelOf, lay, lengthOf, type Leg, nearestOn, type Pose, readDrawing, runTo, type Spot, type Stroke, turned } from "../geo/plane";
import type { Counter, Tried, WireNode, WireSketch } from "../wire.gen";

/** No more than ten drawings a second are asked about. */
const PAUSE_MS = 100;
/** Who starts no farther from a road is on it. */
const ON_RAIL = INCH / 2;
const TURN = 50;
const FINE_TURN = 5;
const STEP = INCH / 2;
const FINE_STEP = INCH / 20;
/** So far off is a hand that means the same way. */
const ASKEW = 450;

export interface Suggested {
  key: string;
  label: string;
  strokes: Stroke[];
  end: Pose;
}

/** Who judges a drawing. */
export interface Judging {
  tryDrawing(keys: string[], strokes: string): Promise<Tried | null>;
}

export class Sketch {
  /** Strokes that are set. */
  legs: Stroke[] = $state.raw([]);
  /** The one in hand. */
  draft: Stroke | null = $state.raw(null);
  /** What the server said last, and of which drawing. */
  tried: Tried | null = $state.raw(null);
  judged = $state.raw("");
  /** Whether it is being dragged. */
  isHeld = $state.raw(false);
  isReversing = $state.raw(false);
  /** The counter that goes, `""` where something new is put. */
  readonly unit: string;
  readonly told: WireSketch;
  readonly suggestions: Suggested[];
  readonly isPut: boolean;
  private readonly first: Pose;
  private grip: { what: "move" | "turn"; off: Spot } | null = null;
  /** Where keys have brought the draft, so that steps add up. */
  private polar: { heading: number; units: number } | null = null;
  private isAsking = false;
  private isLeft = false;
  /** When the server was asked last. */
  private asked = -PAUSE_MS;

  constructor(
    private readonly judging: Judging,
    readonly node: WireNode,
    counters: readonly Counter[],
    private readonly onjudged: () => void = () => undefined,
    /** What a lesson wants to be drawn: it is suggested before all else. */
    readonly wanted: { key: string; label: string } | null = null,
  ) {
    const told = (this.told = node.sketch!);
    this.isPut = node.shape === "put";
    this.unit = told.start ? (counters.find((one) => one.hex === labelOf(told.start!))?.id ?? "") : "";
    this.first = { at: told.start ?? [0, 0], heading: told.heading ?? 0 };
    const others = node.branches.filter(({ key }) => key !== wanted?.key);
    const suggested = [...(wanted ? [wanted] : []), ...others].flatMap(({ key, label }) => {
      const strokes = readDrawing(key);
      return strokes ? [{ key, label, strokes, end: this.endOf(strokes) }] : [];
    });
    // Two ways along one road are told apart by where they end.
    const isTwice = (label: string): boolean => suggested.filter((one) => one.label === label).length > 1;
    this.suggestions = suggested.map((one) => (isTwice(one.label) ? { ...one, label: `${one.label} to ${labelOf(one.end.at)}` } : one));
    if (this.isPut) this.first = this.suggestions[0]?.end ?? this.first;
    else void this.ask();
  }

  readonly strokes: Stroke[] = $derived(this.draft ? [...this.legs, this.draft] : this.legs);
  readonly text: string = $derived(drawingText(this.strokes));
  readonly way: Leg[] = $derived.by(() => (this.isPut ? [] : lay(this.first, this.strokes, this.told.rails)));
  readonly length: number = $derived(lengthOf(this.way));
  /** Where it ends, and which way it looks there. */
  readonly pose: Pose = $derived.by(() => (this.isPut ? this.putAt(this.draft) : endOf(this.first, this.way)));
  readonly start: Pose = $derived.by(() => this.first);
  /** Whether there is something to be judged: what is put has to lie somewhere. */
  readonly isDrawn: boolean = $derived.by(() => !this.isPut || this.draft !== null);
  /** Whether the server has said of this very drawing what it is. */
  readonly isJudged: boolean = $derived(this.tried !== null && this.judged === this.text);
  readonly isLegal: boolean = $derived(this.isDrawn && this.isJudged && this.tried?.refusal === null);
  /** How far it holds, in units. */
  readonly holds: number = $derived.by(() => {
    const last = this.tried?.marks.at(-1);
    if (!this.tried?.refusal) return this.length;
    return last ? runTo(this.way, last.at) : 0;
  });
  /** What is spent after so many inches, as far as it is told. */
  readonly spent: ReadonlyMap<number, number> = $derived(new Map((this.tried?.marks ?? []).flatMap(({ at, spent }) => (spent === null ? [] : [[Math.round(runTo(this.way, at) / INCH), spent] as const]))));

  private endOf(strokes: readonly Stroke[]): Pose {
    return this.isPut ? this.putAt(strokes[0] ?? null) : endOf(this.first, lay(this.first, strokes, this.told.rails));
  }

  private putAt(stroke: Stroke | null): Pose {
    return { at: stroke?.at ?? this.first.at, heading: stroke?.heading ?? this.first.heading };
  }

  /** Where the strokes that are set lead. */
  private get base(): Pose {
    return this.endOf(this.legs);
  }

  private get canReverse(): boolean {
    return this.told.verbs.includes("back");
  }

  /** Whether what is drawn is right, and ends where another drawing does, or nearly so. */
  isNear(text: string): boolean {
    const strokes = readDrawing(text);
    if (!strokes || !this.isLegal) return false;
    const [end, here] = [this.endOf(strokes), this.pose];
    const off = Math.abs(end.heading - here.heading);
    return distanceOf(end.at, here.at) <= INCH && Math.min(off, CIRCLE - off) <= ASKEW;
  }

  /** In a line, for the ruler and for screen readers. */
  readonly said: string = $derived.by(() => {
    const mark = this.tried?.marks.at(-1);
    const parts = this.isPut ? (this.isDrawn ? [`at ${labelOf(this.pose.at)}`] : []) : [`${inches(Math.round(this.length / 10) * 10)} in`];
    if (this.told.turns && this.isDrawn) parts.push(`${this.pose.heading / 10}°`);
    if (mark?.spent !== null && mark?.spent !== undefined) parts.push(`cost ${mark.spent}`);
    if (mark?.left !== null && mark?.left !== undefined) parts.push(`${mark.left} left`);
    return parts.join(" · ");
  });

  // --- by hand ---------------------------------------------------------------------------------------------

  grab(what: "move" | "turn", at: Spot): void {
    const here = this.pose.at;
    this.grip = { what, off: [at[0] - here[0], at[1] - here[1]] };
    this.isHeld = true;
  }

  drag(at: Spot, snap: number): void {
    const grip = this.grip;
    if (!grip) return;
    if (grip.what === "turn") this.turnTo(headingTo(this.pose.at, at));
    else this.moveTo([at[0] - grip.off[0], at[1] - grip.off[1]], snap);
  }

  drop(): void {
    this.grip = null;
    this.isHeld = false;
    if (this.isLegal) this.onjudged();
  }

  /** A place was pressed: what is in hand is set, and the next leg leads there. */
  tap(at: Spot, snap: number): void {
    if (!this.isPut) this.set();
    this.moveTo(at, snap);
  }

  private moveTo(wanted: Spot, snap: number): void {
    const reach = snap * INCH;
    this.polar = null;
    const near = this.suggestions.filter(({ end }) => distanceOf(end.at, wanted) < reach).sort((a, b) => distanceOf(a.end.at, wanted) - distanceOf(b.end.at, wanted))[0];
    const goal = near?.end.at ?? wanted;
    if (this.isPut) this.change({ verb: "put", at: goal, ...(this.told.turns && { heading: this.pose.heading }) });
    else {
      // A turn that was in hand is set before the next leg.
      if (this.draft?.verb === "face") this.set();
      this.change(this.legTo(goal, reach));
    }
  }

  private legTo(goal: Spot, reach: number): Stroke {
    if (this.isReversing && this.canReverse) return { verb: "back", at: goal };
    for (const [ref, line] of this.told.verbs.includes("along") ? Object.entries(this.told.rails) : []) {
      const on = nearestOn(line, goal);
      if (on.distance < reach && nearestOn(line, this.base.at).distance < ON_RAIL) return { verb: "along", at: on.at, ref };
      if (on.distance < reach / 2) return { verb: "go", at: on.at };
    }
    return { verb: "go", at: goal };
  }

  /** Looks some way, in whole degrees. */
  private turnTo(heading: number | null): void {
    if (heading === null || !this.told.turns) return;
    this.turn(turned(Math.round(heading / 10) * 10, 0));
  }

  private turn(heading: number): void {
    if (this.isPut) this.change({ verb: "put", at: this.pose.at, heading });
    else {
      if (this.draft && this.draft.verb !== "face") this.set();
      // A turn after a turn is one turn.
      if (this.legs.at(-1)?.verb === "face") this.legs = this.legs.slice(0, -1);
      this.change(heading === this.base.heading ? null : { verb: "face", heading });
    }
  }

  /** Sets what is in hand. */
  set(): void {
    if (this.draft && !this.isPut) this.legs = [...this.legs, this.draft];
    if (!this.isPut) this.draft = null;
    this.polar = null;
  }

  /** Takes the last stroke back; whether there was one. */
  undo(): boolean {
    if (!this.strokes.length) return false;
    this.polar = null;
    if (this.draft) this.change(null);
    else {
      this.legs = this.legs.slice(0, -1);
      this.change(null);
    }
    return true;
  }

  clear(): void {
    this.legs = [];
    this.change(null);
  }

  /** Takes a suggestion. */
  take(key: string): void {
    const strokes = readDrawing(key) ?? [];
    this.polar = null;
    this.legs = strokes.slice(0, -1);
    this.change(strokes.at(-1) ?? null);
  }

  reverse(): void {
    this.isReversing = !this.isReversing;
    if (this.draft?.at && !this.isPut) this.change({ verb: this.isReversing && this.canReverse ? "back" : "go", at: this.draft.at });
  }

  private change(draft: Stroke | null): void {
    this.draft = draft;
    void this.ask();
  }

  // --- by keys ---------------------------------------------------------------------------------------------

  /** A key was pressed on the map; whether it drew something. */
  key(key: string, isFine: boolean): boolean {
    const [turn, step] = isFine ? [FINE_TURN, FINE_STEP] : [TURN, STEP];
    const aside: Record<string, Spot> = { w: [0, -1], a: [-1, 0], s: [0, 1], d: [1, 0] };
    const way = aside[key.toLowerCase()];
    if (key === "ArrowLeft" || key === "ArrowRight") this.steer(key === "ArrowLeft" ? -turn : turn);
    else if (key === "ArrowUp" || key === "ArrowDown") this.drive(key === "ArrowUp" ? step : -step);
    else if (way && this.isPut) this.moveTo([this.pose.at[0] + way[0] * step, this.pose.at[1] + way[1] * step], 0);
    else if (key === "Enter" && this.draft && !this.isPut) this.set();
    else if (key === "Backspace" || key === "Delete") return this.undo();
    else if ((key === "n" || key === "p") && this.suggestions.length) this.takeNext(key === "n" ? 1 : -1);
    else return false;
    return true;
  }

  private steer(by: number): void {
    const polar = this.polar;
    if (this.isPut || !polar) return this.turn(turned(this.pose.heading, by));
    this.lead({ heading: turned(polar.heading, by), units: polar.units });
  }

  private drive(by: number): void {
    if (this.isPut) return this.moveTo(ahead(this.pose.at, this.pose.heading, by), 0);
    // A leg that a hand drew is set; one that keys draw grows.
    if (!this.polar && this.draft?.at) this.set();
    const { heading, units } = this.polar ?? { heading: this.pose.heading, units: 0 };
    const next = units + by;
    this.lead({ heading, units: this.canReverse ? next : Math.max(0, next) });
  }

  private lead({ heading, units }: { heading: number; units: number }): void {
    const base = this.base;
    if (!units) this.change(heading === base.heading ? null : { verb: "face", heading });
    else this.change({ verb: units > 0 ? "go" : "back", at: ahead(base.at, heading, units) });
    this.polar = { heading, units };
  }

  private takeNext(by: number): void {
    const at = this.suggestions.findIndex((one) => one.key === this.text);
    const count = this.suggestions.length;
    this.take(this.suggestions[at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count]!.key);
  }

  // --- what the rules say ----------------------------------------------------------------------------------

  /** Nobody draws at it any more: nothing is asked about it, however the last question was answered. */
  leave(): void {
    this.isLeft = true;
  }

  /** Asks about the drawing as it is: one question at a time, and the last about the last. */
  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    while (!this.isLeft && this.isDrawn && this.judged !== this.text) {
      const rest = this.asked + PAUSE_MS - performance.now();
      if (rest > 0) await new Promise((done) => setTimeout(done, rest));
      if (this.isLeft) return;
      const text = this.text;
      this.asked = performance.now();
      const tried = await this.judging.tryDrawing(this.node.keys, text).catch(() => null);
      if (tried) {
        this.tried = tried;
        this.judged = text;
      }
      if (this.judged === this.text) break;
    }
    this.isAsking = false;
    if (!this.isLeft && this.isLegal && !this.isHeld) this.onjudged();
  }
}

