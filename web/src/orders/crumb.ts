/** One choice on the way to an answer. */

import type { WireNode } from "../wire.gen";

export interface Crumb {
  label: string;
  /** What sort of choice it was. */
  kind: string;
  /** The counter or hex that was chosen. */
  ref: string;
  /** Which of the two: a counter may have the name of a hex. */
  isHex: boolean;
  /** The node before this choice. */
  node: WireNode;
}
