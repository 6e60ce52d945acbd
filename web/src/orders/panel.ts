/** What the panels of the shapes are given. */

import type { Counter, WireNode } from "../wire.gen";
import type { Orders } from "./orders.svelte";

export interface PanelProps {
  orders: Orders;
  node: WireNode;
  counters: ReadonlyMap<string, Counter>;
  /** Seats in their order. */
  sides: readonly string[];
  /** A row is pointed at, or none. */
  onpoint: (ref: string | null) => void;
}
