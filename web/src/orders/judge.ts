/** What a node or a preview is like, as far as the client has to know to ask well. */

import type { WireNode, Preview } from "../wire.gen";

/** The chance that nothing comes of an action, on average over those whom it strikes. */
export const idle = (preview: Preview): number => {
  const nothing = (chances: Preview["chances"]): number => chances.find((chance) => !chance.what || chance.what === "no effect")?.probability ?? 0;
  const all = preview.unit_odds.map((one) => nothing(one.chances));
  return all.length ? all.reduce((sum, one) => sum + one, 0) / all.length : nothing(preview.chances);
};

/** Whether a node asks only in which of a few ways something is done. */
export const isModes = (node: WireNode): boolean =>
  node.shape === "pick" && node.branches.length < 5 && node.branches.every((branch) => !branch.leaf && !branch.ref && branch.kind === "order");

/** Whether a node has one thing to do, offered first, and beside it only not to do it. */
export const isYesOrNo = (node: WireNode): boolean =>
  node.shape === "pick" && node.branches.length > 1 && !node.branches[0]!.leaf && !node.branches[0]!.ref && node.branches.slice(1).every((branch) => branch.leaf && !branch.ref && (branch.kind === "pass" || branch.kind === "done"));

/** Whether a preview tells more than the button did. */
export const worthALook = (preview: Preview | null): boolean =>
  preview !== null && (preview.sheet !== null || preview.chances.length > 1 || preview.unit_odds.length > 0 || preview.breakdowns.length > 0 || preview.steps.length > 1 || preview.areas.length > 0);
