/** What an update leaves of what this page had: everything that did not change stays the very same object. */

import type { Ask, Scene, SceneChange, Update } from "../wire.gen";

interface Change<T> {
  gone: string[];
  put: T[];
  order: string[] | null;
}

const follow = <T>(had: T[], change: Change<T> | null, key: (one: T) => string): T[] => {
  if (!change) return had;
  const gone = new Set(change.gone);
  const now = new Map(had.filter((one) => !gone.has(key(one))).map((one) => [key(one), one]));
  for (const one of change.put) now.set(key(one), one);
  return change.order ? change.order.map((name) => now.get(name)!) : [...now.values()];
};

export const followScene = (scene: Scene, change: SceneChange): Scene => ({
  seat: scene.seat,
  tracks: change.tracks ?? scene.tracks,
  counters: follow(scene.counters, change.counters, (one) => one.id),
  hex_markers: change.hex_markers ?? scene.hex_markers,
  boxes: change.boxes ?? scene.boxes,
  scores: change.scores ?? scene.scores,
  prompt: change.prompt,
  outcome: change.outcome,
  stakes: change.stakes ?? scene.stakes,
  open_seats: change.open_seats ?? scene.open_seats,
  side_markers: change.side_markers ?? scene.side_markers,
  conditions: change.conditions ?? scene.conditions,
  formations: follow(scene.formations, change.formations, (one) => one.id),
  patches: change.patches ?? scene.patches,
});

export const followAsk = (ask: Ask | null, update: Pick<Update, "ask" | "ask_change">): Ask | null => {
  const change = update.ask_change;
  if (!change || !ask) return update.ask;
  const { question, rule, title } = change;
  const branches = follow(ask.root.branches, change.branches, (one) => one.key);
  const slots = follow(ask.root.slots, change.slots, (one) => one.key);
  return { question, rule, title, root: { ...ask.root, branches, slots, budgets: change.budgets ?? ask.root.budgets } };
};
