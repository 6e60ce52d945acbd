/** The tools beside the map: which one is in hand, what it was pointed at, and what it found. */

import { troubleOf } from "../net/api";
import { type Axial, distance } from "../geo/hex";
import type { Line } from "../map/overlay";
import type { Table } from "../net/table.svelte";
import type { SightReport, Threats } from "../wire.gen";

export type ToolName = "sight" | "field" | "range" | "threat";

export class Tools {
  active: ToolName | null = $state.raw(null);
  from = $state.raw("");
  to = $state.raw("");
  report: SightReport | null = $state.raw(null);
  seen: Set<string> | null = $state.raw(null);
  threats: Threats | null = $state.raw(null);
  trouble = $state.raw("");
  isAsking = $state.raw(false);

  constructor(private readonly table: Table) {}

  /** The tools that this system answers; ranges are geometry and always there. */
  get available(): ToolName[] {
    const able = this.table.info?.tools ?? [];
    return (["sight", "field", "range", "threat"] as const).filter((name) => name === "range" || able.includes(name));
  }

  take(name: ToolName | null): void {
    const from = this.from;
    this.clear();
    this.active = name;
    if (name && name !== "sight" && from) void this.point(from);
    else if (name === "sight") this.from = from;
  }

  clear(): void {
    this.from = this.to = "";
    this.report = null;
    this.seen = null;
    this.threats = null;
    this.trouble = "";
  }

  /** A hex was pointed at with the tool. */
  async point(label: string): Promise<void> {
    this.trouble = "";
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
    this.isAsking = true;
    await this.ask().catch((error: unknown) => (this.trouble = troubleOf(error)));
    this.isAsking = false;
  }

  private async ask(): Promise<void> {
    if (this.active === "sight") {
      const report = await this.table.sight(this.from, this.to);
      if (typeof report === "string") this.trouble = report;
      else this.report = report;
    } else if (this.active === "field") {
      const found = await this.table.field({ hex: this.from });
      if (typeof found === "string") this.trouble = found;
      else this.seen = found.seen;
    } else if (this.active === "threat") {
      const found = await this.table.threats(this.from);
      if (typeof found === "string") this.trouble = found;
      else this.threats = found;
    }
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

  readonly rings: { hexes: string[]; distance: number }[] = $derived.by(() => {
    const origin = this.active === "range" ? this.table.atlas?.byLabel.get(this.from) : undefined;
    if (!origin || !this.table.atlas) return [];
    const rings = new Map<number, string[]>();
    for (const hex of this.table.atlas.drawing.hexes) {
      const far = distance(origin as Axial, hex);
      rings.set(far, [...(rings.get(far) ?? []), hex.label]);
    }
    return [...rings].map(([far, hexes]) => ({ distance: far, hexes }));
  });
}
