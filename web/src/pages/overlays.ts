/** Turns what is known and what is being chosen into what the map shows. */

import type { LitHex, Overlay, Step } from "../map/overlay";
import { emptyOverlay } from "../map/overlay";
import type { Orders } from "../orders/orders.svelte";
import { costText } from "../orders/ways";
import type { Tools } from "../tools/tools.svelte";
import type { Advice, Scene, WireStep } from "../wire.gen";

/** A hex's cost after each step, added up; turns within a hex count with it. */
const steps = (told: readonly WireStep[], from: string): Step[] => {
  const out: Step[] = from ? [{ hex: from, text: "" }] : [];
  let spent = 0;
  let hasCosts = false;
  for (const step of told) {
    if (step.cost !== null) {
      spent += step.cost;
      hasCosts = true;
    }
    if (!step.hex) continue;
    const text = hasCosts ? costText(spent) : "";
    const last = out.at(-1);
    if (last?.hex === step.hex) {
      if (out.length > 1 || last.text) last.text = text;
    } else out.push({ hex: step.hex, text });
  }
  return out;
};

export const orderOverlay = (scene: Scene, sides: readonly string[], orders: Orders, tools: Tools, pointed: string | null, flash: ReadonlySet<string>, advice: Advice | null = null): Overlay => {
  const overlay: Overlay = { ...emptyOverlay(), counters: scene.counters, markers: scene.hex_markers, sides, flash };
  const ids = new Set(scene.counters.map((counter) => counter.id));
  const placeOf = (id: string): string => scene.counters.find((counter) => counter.id === id)?.hex ?? "";
  overlay.lines = tools.lines;
  overlay.seen = tools.seen;
  overlay.rings = tools.rings;
  if (tools.active) {
    const ends = [tools.from, tools.to].filter(Boolean);
    overlay.litHexes = new Map(ends.map((label) => [label, { text: "", title: "marked", option: "", tone: "chosen" }]));
    return overlay;
  }
  const node = orders.node;
  const selected = new Set<string>(pointed && ids.has(pointed) ? [pointed] : []);
  const hexes = new Map<string, LitHex>();
  const units = new Map<string, string>();
  const badges = new Map<string, string>();
  if (pointed && !ids.has(pointed)) hexes.set(pointed, { text: "", title: "pointed at", option: "", tone: "plain" });
  if (node) {
    for (const [id, branches] of orders.byCounter) if (ids.has(id)) units.set(id, branches[0]!.key);
    for (const [label, branches] of orders.byHex) hexes.set(label, { text: "", title: branches.map((branch) => branch.label).join(" or "), option: branches[0]!.key, tone: "go" });
    for (const slot of node.slots) {
      if (!ids.has(slot.key)) continue;
      units.set(slot.key, slot.key);
      const value = orders.values[slot.key];
      if (node.shape === "assign" && value) badges.set(slot.key, value);
      if (node.shape === "gather" && value) selected.add(slot.key);
    }
    for (const [label, place] of orders.places) {
      const isChosen = orders.way?.ref === label;
      hexes.set(label, { text: isChosen || place.cost === null ? "" : costText(place.cost), title: place.ways[0]!.label, option: place.ways[0]!.key, tone: isChosen ? "chosen" : "go" });
    }
    for (const key of node.keys) if (ids.has(key)) selected.add(key);
    if (orders.slot && ids.has(orders.slot)) selected.add(orders.slot);
    const target = node.shape === "gather" ? orders.trail.findLast((crumb) => crumb.ref) : undefined;
    if (target) {
      const goal = target.isHex ? target.ref : placeOf(target.ref);
      // Arrows belong to the answer that would be sent, as the ticks do.
      const firers = orders.answer ? orders.gathered : [];
      const from = new Set(firers.map((slot) => placeOf(slot.key)).filter((place) => place && place !== goal));
      overlay.lines = [...overlay.lines, ...[...from].map((place) => ({ a: place, b: goal, tone: "fire" as const, at: "" }))];
      if (target.isHex) hexes.set(target.ref, { text: "", title: "the target", option: "", tone: "target" });
    }
    if (orders.leaf?.is_hex) hexes.set(orders.leaf.ref, { text: "", title: orders.leaf.label, option: orders.leaf.key, tone: "chosen" });
    const preview = orders.way ? orders.preview : orders.glimpse;
    const mover = preview?.steps[0]?.unit;
    if (preview?.steps.length && mover) {
      overlay.path = steps(preview.steps, placeOf(mover));
      // Where the other side may interrupt, the server tells the way only that far; the rest is hinted at.
      const [end, goal] = [overlay.path.at(-1)?.hex ?? "", orders.way?.ref ?? orders.glimpsed];
      if (goal && end !== goal) overlay.lines = [...overlay.lines, { a: end, b: goal, tone: "way", at: "" }];
    }
    // Leg by leg the way grows behind the mover.
    if (orders.isByLegs && !overlay.path.length) {
      const legs = orders.trail.filter((crumb) => crumb.node.shape === "path" && crumb.isHex).map((crumb) => ({ hex: crumb.ref, text: "" }));
      const walker = orders.trail.find((crumb) => !crumb.isHex && ids.has(crumb.ref))?.ref ?? "";
      if (legs.length) overlay.path = placeOf(walker) ? [{ hex: placeOf(walker), text: "" }, ...legs] : legs;
    }
    if (orders.way) {
      const place = orders.places.get(orders.way.ref);
      const facings = place?.ways.filter((way) => way.facing !== null && way.kind !== "exit") ?? [];
      if (facings.length > 1) {
        overlay.facing = {
          hex: orders.way.ref,
          facings: facings.map((way) => ({ facing: way.facing!, key: way.key, title: way.label })),
          chosen: orders.way.facing,
        };
      }
    }
  }
  if (advice && !orders.way && !orders.leaf) {
    for (const label of advice.hexes) hexes.set(label, { text: "", title: "advised", option: hexes.get(label)?.option ?? "", tone: "chosen" });
    for (const id of advice.units) if (ids.has(id)) selected.add(id);
    const mover = advice.steps[0]?.unit;
    if (mover) overlay.path = steps(advice.steps.filter((step) => step.unit === mover), placeOf(mover));
  }
  overlay.litHexes = hexes;
  overlay.litUnits = units;
  overlay.selected = selected;
  overlay.badges = badges;
  return overlay;
};
