/**
 * What the map shows, cell by cell: every hex and every counter is a small state of its own. A new picture is compared with
 * the last one and changes only the cells that differ, so nothing else is drawn anew, however many counters there are.
 */

import { untrack } from "svelte";
import type { Counter } from "../wire.gen";
import { type LitHex, type Overlay, stacksOf } from "./overlay";

/** A hex: who stands in it, and what it stands for. */
export class HexCell {
  stack: readonly Counter[] = $state.raw([]);
  lit: LitHex | null = $state.raw(null);
  isFlashing = $state.raw(false);
}

/** A counter on the map. */
export class CounterCell {
  counter: Counter;
  /** The key of the choice that it stands for. */
  option: string | undefined = $state.raw();
  isSelected = $state.raw(false);
  badge = $state.raw("");

  constructor(
    readonly id: string,
    counter: Counter,
  ) {
    this.counter = $state.raw(counter);
  }
}

/** Whether two pieces of plain data say the same. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
};

type Marks = Pick<Overlay, "litUnits" | "selected" | "badges">;

const NOTHING: readonly Counter[] = [];

export class Shown {
  /** The counters on the map, each stack from the bottom to the top; another list whenever one comes, goes or moves. */
  onMap: readonly CounterCell[] = $state.raw([]);
  /** Whether counters have faces that need no room around them. */
  hasLayouts = $state.raw(false);
  /** Rises with every change; `takeChanged` has the hexes. */
  version = $state.raw(0);
  private readonly hexes: Map<string, HexCell>;
  /** Whether every label is that of a place. */
  private readonly isOpen: boolean;
  private readonly cells = new Map<string, CounterCell>();
  private stacks: ReadonlyMap<string, readonly Counter[]> = new Map();
  private last: Overlay | null = null;
  private changed = new Set<string>();

  /** The labels of all places, or null where nobody can list them: then a place has a cell once something is there. */
  constructor(labels: Iterable<string> | null) {
    this.isOpen = labels === null;
    this.hexes = new Map(Array.from(labels ?? [], (label) => [label, new HexCell()]));
  }

  hex(label: string): HexCell | undefined {
    if (this.isOpen && !this.hexes.has(label)) this.hexes.set(label, new HexCell());
    return this.hexes.get(label);
  }

  counter(id: string): Counter | undefined {
    return this.cells.get(id)?.counter;
  }

  stack(label: string): readonly Counter[] {
    return this.stacks.get(label) ?? NOTHING;
  }

  /** How a counter is marked. */
  markOf(id: string): { state: "" | "lit" | "selected"; badge: string } {
    const cell = this.cells.get(id);
    return { state: cell?.isSelected ? "selected" : cell?.option === undefined ? "" : "lit", badge: cell?.badge ?? "" };
  }

  /** The hexes in which something has changed since this was asked last. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.changed;
    this.changed = new Set();
    return changed;
  }

  /** Takes over a new picture. */
  follow(next: Overlay): void {
    untrack(() => {
      const last = this.last;
      this.last = next;
      const before = this.changed.size;
      if (next.counters !== last?.counters) this.place(next.counters);
      if (next.counters !== last?.counters || next.litUnits !== last.litUnits || next.selected !== last.selected || next.badges !== last.badges) this.mark(next);
      if (next.litHexes !== last?.litHexes) this.light(last?.litHexes ?? new Map(), next.litHexes);
      if (next.flash !== last?.flash) for (const label of new Set([...(last?.flash ?? []), ...next.flash])) this.flash(label, next.flash.has(label));
      if (this.changed.size > before) this.version++;
    });
  }

  private place(told: readonly Counter[]): void {
    // A counter that is told again as it was stays the very same one.
    const counters = told.map((one) => {
      const known = this.counter(one.id);
      return known && isSame(known, one) ? known : one;
    });
    const stacks = stacksOf(counters);
    let isOther = false;
    for (const [label, stack] of stacks) isOther = this.pile(label, stack) || isOther;
    for (const label of this.stacks.keys()) if (!stacks.has(label)) isOther = this.pile(label, NOTHING) || isOther;
    this.stacks = stacks;
    if (!isOther) return;
    const onMap: CounterCell[] = [];
    for (const [label, stack] of stacks) if (this.hex(label)) for (const counter of stack) onMap.push(this.cellOf(counter));
    const left = new Set(onMap.map((cell) => cell.id));
    for (const id of this.cells.keys()) if (!left.has(id)) this.cells.delete(id);
    this.onMap = onMap;
    this.hasLayouts = counters.some((counter) => counter.face.layout);
  }

  private cellOf(counter: Counter): CounterCell {
    let cell = this.cells.get(counter.id);
    if (cell) cell.counter = counter;
    else this.cells.set(counter.id, (cell = new CounterCell(counter.id, counter)));
    return cell;
  }

  /** Puts a stack into a hex; whether it is another one than before. */
  private pile(label: string, stack: readonly Counter[]): boolean {
    const hex = this.hex(label);
    if (!hex || (hex.stack.length === stack.length && hex.stack.every((one, i) => one === stack[i]))) return false;
    hex.stack = stack;
    this.changed.add(label);
    return true;
  }

  private mark({ litUnits, selected, badges }: Marks): void {
    for (const cell of this.onMap) {
      const [option, isSelected, badge] = [litUnits.get(cell.id), selected.has(cell.id), badges.get(cell.id) ?? ""];
      if (cell.option === option && cell.isSelected === isSelected && cell.badge === badge) continue;
      cell.option = option;
      cell.isSelected = isSelected;
      cell.badge = badge;
      this.changed.add(cell.counter.hex);
    }
  }

  private light(before: ReadonlyMap<string, LitHex>, now: ReadonlyMap<string, LitHex>): void {
    for (const [label, lit] of now) {
      const hex = this.hex(label);
      if (hex && !isSame(hex.lit, lit)) hex.lit = lit;
    }
    for (const label of before.keys()) {
      const hex = this.hexes.get(label);
      if (hex && !now.has(label)) hex.lit = null;
    }
  }

  private flash(label: string, isFlashing: boolean): void {
    const hex = this.hex(label);
    if (hex) hex.isFlashing = isFlashing;
  }
}
