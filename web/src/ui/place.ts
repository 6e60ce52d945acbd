/** Where a card that belongs to something on the page is put: below it, or above, and never off the screen. */

const GAP = 6;
const EDGE = 10;

export const place = (card: HTMLElement, anchor: Element | null): void => {
  const at = anchor?.isConnected ? anchor.getBoundingClientRect() : new DOMRect(window.innerWidth / 2, EDGE, 0, 0);
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(EDGE, Math.min(at.left, window.innerWidth - width - EDGE));
  const below = at.bottom + GAP;
  const above = at.top - GAP - height;
  const fitsBelow = below + height <= window.innerHeight - EDGE;
  const top = fitsBelow ? below : above >= EDGE ? above : Math.max(EDGE, window.innerHeight - height - EDGE);
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
};
