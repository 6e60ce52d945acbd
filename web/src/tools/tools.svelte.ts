/** The tools beside the map: which one is in hand, what it was pointed at, and what it found. */

import { troubleOf } from "../net/api";
import type { Line } from "../map/overlay";
import type { Table } from "../net/table.svelte";
import { CIRCLE, ahead, INCH, type Spot, spotOf } from "../geo/plane";
import type { SightReport, Threats, Zone } from "../wire.gen";

export type ToolName = "sight" | "field" | "range" | "threat" | `shape-${string}`;

/** Rings that are drawn around a place on a table, in inches. */
const RINGS = [6, 12, 18, 24, 30, 36];

const circle = (at: Spot, radius: number): [number, number][] => Array.from({ length: 72 }, (_, i) => [...ahead(at, (i * CIRCLE) / 72, radius * INCH)] as [number, number]);

export class Tools {
  active: ToolName | null = $state.raw(null);
  from = $state.raw("");
  to = $state.raw("");
  report: SightReport | null = $state.raw(null);
  seen: Set<string> | null = $state.raw(null);
  /** Shapes on a table: what is seen, or what belongs to a piece. */
  found: Zone[] = $state.raw([]);
  threats: Threats | null = $state.raw(null);
  trouble = $state.raw("");
  isAsking = $state.raw(false);
  /** Rises with everything that is asked: what is told of an earlier question is passed over. */
  private turn = 0;

  constructor(private readonly table: Table) {}

  /** The tools that this system answers; ranges are geometry and always there. */
  get available(): ToolName[] {
    const able = this.table.info?.tools ?? [];
    const shapes = Object.keys(this.table.info?.outlines ?? {}).map((what) => `shape-${what}` as const);
    return [...(["sight", "field", "range", "threat"] as const).filter((name) => name === "range" || able.includes(name)), ...shapes];
  }

  /** What shapes of a piece the tool in hand shows, `""` for another tool. */
  get shape(): string {
    return this.active?.startsWith("shape-") ? this.active.slice("shape-".length) : "";
  }

  /** What one place is called here. */
  get word(): string {
    return this.table.atlas?.word ?? "hex";
  }

  titleOf(name: ToolName): string {
    return this.table.info?.outlines[name.slice("shape-".length)] ?? "";
  }

  take(name: ToolName | null): void {
    const from = this.from;
    this.clear();
    this.active = name;
    if (name && name !== "sight" && from && !this.shape) void this.point(from);
    else if (name === "sight") this.from = from;
  }

  clear(): void {
    this.turn++;
    this.isAsking = false;
    this.from = this.to = "";
    this.report = null;
    this.seen = null;
    this.found = [];
    this.threats = null;
    this.trouble = "";
  }

  /** A counter was pointed at with the tool. */
  async pick(unit: string, place: string): Promise<void> {
    if (!this.shape) return place ? this.point(place) : undefined;
    this.clear();
    this.from = unit;
    await this.ask(this.table.outline(unit, this.shape), (found) => (this.found = found));
  }

  /** A place was pointed at with the tool. */
  async point(label: string): Promise<void> {
    this.trouble = "";
    if (this.shape) return;
    if (this.active === "sight") {
      if (!this.from || this.to || this.from === label) {
        this.clear();
        this.from = label;
        return;
      }
      this.to = label;
    } else {
      this.clear();
      this.from = label;
    }
    if (this.active === "sight") await this.ask(this.table.sight(this.from, this.to), (report) => (this.report = report));
    else if (this.active === "threat") await this.ask(this.table.threats(this.from), (threats) => (this.threats = threats));
    else if (this.active === "field") {
      await this.ask(this.table.field({ hex: this.from }), ({ seen, outlines }) => {
        if (this.table.atlas?.labels) this.seen = seen;
        else this.found = outlines.map((outline) => ({ title: "seen", outline, tone: "good" }));
      });
    }
  }

  /** Takes what the server tells, or why it does not, unless something else was asked meanwhile. */
  private async ask<T extends object>(telling: Promise<T | string>, take: (told: T) => void): Promise<void> {
    const turn = this.turn;
    this.isAsking = true;
    const told = await telling.catch(troubleOf);
    if (turn !== this.turn) return;
    this.isAsking = false;
    if (typeof told === "string") this.trouble = told;
    else take(told);
  }

  readonly lines: Line[] = $derived.by(() => {
    if (this.active === "sight" && this.from && this.to) {
      const blocked = this.report?.blocked ?? false;
      return [{ a: this.from, b: this.to, tone: blocked ? "blocked" : "clear", at: (blocked && this.report?.at) || "" }];
    }
    if (this.active === "threat" && this.threats) {
      const places = new Map(this.table.scene?.counters.map((counter) => [counter.id, counter.hex]));
      return this.threats.threats.flatMap((threat) => {
        const hex = places.get(threat.unit);
        return hex ? [{ a: hex, b: this.from, tone: "fire" as const, at: "" }] : [];
      });
    }
    return [];
  });

  readonly zones: Zone[] = $derived.by(() => {
    const at = this.active === "range" && this.table.atlas?.labels === null ? spotOf(this.from) : null;
    return at ? RINGS.map((radius) => ({ title: `${radius} in`, outline: circle(at, radius), tone: "ring" })) : this.found;
  });

  readonly rings: { hexes: string[]; distance: number }[] = $derived.by(() => {
    return this.active === "range" ? (this.table.atlas?.rings(this.from) ?? []) : [];
  });
}
