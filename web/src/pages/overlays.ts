/** Turns what is known and what is being chosen into what the map shows. */

import type { Line, LitHex, Overlay, Step } from "../map/overlay";
import { sceneOverlay } from "../map/overlay";
import type { Crumb } from "../orders/crumb";
import type { Orders } from "../orders/orders.svelte";
import { costText } from "../orders/ways";
import type { Tools } from "../tools/tools.svelte";
import type { Advice, Counter, Scene, WireBranch, WireNode, WireStep } from "../wire.gen";

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

type Counters = ReadonlyMap<string, Counter>;

/** Whether all that can be chosen lies on the map, each at a place of its own: else it is told apart by words, in a list. */
export const isChosenOnMap = (node: WireNode, counters: Counters): boolean => {
  if (node.sketch) return true;
  if (node.shape === "path") return node.destinations.some((way) => way.ref);
  const isThere = ({ ref, is_hex }: WireBranch): boolean => is_hex || Boolean(counters.get(ref)?.hex || counters.get(ref)?.held_by);
  return node.shape === "pick" && node.branches.every(isThere) && new Set(node.branches.map((branch) => branch.ref)).size === node.branches.length;
};

/** What is lit, chosen or marked. The way under the pointer is told apart, so that pointing changes nothing here. */
export const orderOverlay = (scene: Scene, counters: Counters, sides: readonly string[], orders: Orders, tools: Tools, pointed: string | null, flash: ReadonlySet<string>, advice: Advice | null = null): Overlay => {
  const overlay: Overlay = { ...sceneOverlay(scene, sides), flash };
  overlay.seen = tools.seen;
  overlay.rings = tools.rings;
  overlay.zones = tools.zones;
  if (tools.active) {
    const ends = [tools.from, tools.to].filter(Boolean);
    overlay.litHexes = new Map(ends.map((label) => [label, { text: "", title: "marked", option: "", tone: "chosen" }]));
    return overlay;
  }
  const node = orders.node;
  const selected = new Set<string>(pointed && counters.has(pointed) ? [pointed] : []);
  const hexes = new Map<string, LitHex>();
  const units = new Map<string, string>();
  const badges = new Map<string, string>();
  if (pointed && !counters.has(pointed)) hexes.set(pointed, { text: "", title: "pointed at", option: "", tone: "plain" });
  if (node) {
    for (const [id, branches] of orders.byCounter) if (counters.has(id)) units.set(id, branches[0]!.key);
    for (const [label, branches] of orders.byHex) hexes.set(label, { text: "", title: branches.map((branch) => branch.label).join(" or "), option: branches[0]!.key, tone: "go" });
    for (const slot of node.slots) {
      if (!counters.has(slot.key)) continue;
      units.set(slot.key, slot.key);
      const value = orders.values[slot.key];
      // What stands as it would if it were left alone is not news.
      if (node.shape === "assign" && value && value !== slot.plain) badges.set(slot.key, value);
      if (node.shape === "gather" && value) selected.add(slot.key);
    }
    for (const [label, place] of orders.places) {
      const isChosen = orders.way?.ref === label;
      hexes.set(label, { text: isChosen || place.cost === null ? "" : costText(place.cost), title: place.ways[0]!.label, option: place.ways[0]!.key, tone: isChosen ? "chosen" : "go" });
    }
    for (const key of node.keys) if (counters.has(key)) selected.add(key);
    if (orders.slot && counters.has(orders.slot)) selected.add(orders.slot);
    const target = targetOf(orders);
    if (target?.isHex) hexes.set(target.ref, { text: "", title: "the target", option: "", tone: "target" });
    if (orders.leaf?.is_hex) hexes.set(orders.leaf.ref, { text: "", title: orders.leaf.label, option: orders.leaf.key, tone: "chosen" });
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
    for (const id of advice.units) if (counters.has(id)) selected.add(id);
  }
  overlay.litHexes = hexes;
  overlay.litUnits = units;
  overlay.selected = selected;
  overlay.badges = badges;
  return overlay;
};

/** What a gathering is aimed at, or a shot whose target is chosen: after its weapon, or before it. */
const targetOf = (orders: Orders): Pick<Crumb, "ref" | "isHex"> | undefined => {
  if (orders.node?.shape === "gather") return orders.trail.findLast((crumb) => crumb.ref);
  const aimed = orders.trail.findLast((crumb) => crumb.kind === "target");
  const weapon = orders.trail.findLastIndex((crumb) => crumb.kind === "weapon");
  if (aimed || weapon < 0) return aimed;
  return orders.leaf?.is_hex ? { ref: orders.leaf.ref, isHex: true } : orders.trail.slice(weapon).find((crumb) => crumb.isHex);
};

/** Who fires in the answer that would be sent: arrows belong to it, as the ticks do. */
const firersOf = (orders: Orders): string[] => {
  if (orders.node?.shape === "gather") return orders.answer ? orders.gathered.map((slot) => slot.key) : [];
  const firer = orders.trail.findLast((crumb) => crumb.kind === "weapon" || crumb.kind === "unit")?.ref ?? orders.leaf?.ref;
  return firer ? [firer] : [];
};

/** Ways and lines: those of the tool in hand, of the answer as it stands, and the one to what is pointed at. */
export const wayOverlay = (counters: Counters, orders: Orders, tools: Tools, advice: Advice | null = null): Pick<Overlay, "path" | "lines" | "areas"> => {
  const placeOf = (id: string): string => {
    const counter = counters.get(id);
    return counter?.held_by ? placeOf(counter.held_by) : (counter?.hex ?? "");
  };
  const node = orders.node;
  const lines: Line[] = [...tools.lines];
  let path: Step[] = [];
  if (tools.active) return { path, lines, areas: [] };
  if (node) {
    const target = targetOf(orders);
    if (target) {
      const goal = target.isHex ? target.ref : placeOf(target.ref);
      const from = new Set(firersOf(orders).map(placeOf).filter((place) => place && place !== goal));
      for (const place of from) lines.push({ a: place, b: goal, tone: "fire", at: "" });
    }
    const preview = orders.way || orders.leaf ? orders.preview : orders.glimpse;
    const mover = preview?.steps[0]?.unit;
    if (preview?.steps.length && mover) {
      path = steps(preview.steps, placeOf(mover));
      // Where the other side may interrupt, the server tells the way only that far; the rest is hinted at.
      const [end, goal] = [path.at(-1)?.hex ?? "", orders.way?.ref ?? orders.glimpsed];
      if (goal && end !== goal) lines.push({ a: end, b: goal, tone: "way", at: "" });
      // At the goal stands what the way costs: what is spent there afterwards, by whoever has something left, is no part of it.
      const cost = orders.way ? orders.way.cost : (orders.places.get(goal)?.cost ?? null);
      if (end === goal && cost !== null) path.at(-1)!.text = costText(cost);
    }
    // Leg by leg the way grows behind the mover.
    if (orders.isByLegs && !path.length) {
      const legs = orders.trail.filter((crumb) => crumb.node.shape === "path" && crumb.isHex).map((crumb) => ({ hex: crumb.ref, text: "" }));
      const walker = orders.trail.find((crumb) => !crumb.isHex && counters.has(crumb.ref))?.ref ?? "";
      if (legs.length) path = placeOf(walker) ? [{ hex: placeOf(walker), text: "" }, ...legs] : legs;
    }
  }
  const mover = orders.way || orders.leaf ? undefined : advice?.steps[0]?.unit;
  if (advice && mover) path = steps(advice.steps.filter((step) => step.unit === mover), placeOf(mover));
  return { path, lines, areas: orders.leaf ? (orders.preview?.areas ?? []) : [] };
};
