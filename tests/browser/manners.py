"""What a page must grant everybody, asked of the page itself: names, contrast, one id a thing, nothing too wide."""

from __future__ import annotations

from playwright.sync_api import Page

__all__ = ["offences"]

_OFFENCES = """
() => {
  const found = [];
  const isShown = (one) =>
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.getClientRects().length > 0;
  const told = (one) => one.outerHTML.replace(/\\s+/g, ' ').slice(0, 110);

  // --- everything that can be used has a name
  const named = (one) =>
    (one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.innerText || one.title
    || one.labels?.[0]?.innerText || one.placeholder || one.querySelector('img[alt]:not([alt=""])')?.alt || '').trim();
  const used = 'button, a[href], input, select, textarea, summary, [role=img], [role=application]';
  for (const one of document.querySelectorAll(used))
    if (isShown(one) && !named(one)) found.push(`no name: ${told(one)}`);

  // --- one id a thing
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) found.push(`id twice: ${id}`);

  // --- text stands out from what lies under it
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(one) || !isShown(one)) continue;
    if (one.closest('svg, canvas, option, :disabled, [aria-disabled=true]')) continue;
    seen.add(one);
    const style = getComputedStyle(one);
    let opacity = 1;
    for (let at = one; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const under = ground(one);
    const [r, g, b, a] = rgba(style.color);
    const ink = over([r, g, b, a * opacity], under);
    const [hi, lo] = [light(ink), light(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (hi + 0.05) / (lo + 0.05);
    if (ratio < least) found.push(`contrast ${ratio.toFixed(2)}: ${told(one)}`);
  }

  // --- nothing sticks out of the window
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) found.push(`the page is ${wide} wide in a window of ${innerWidth}`);
  return found;
}
"""


def offences(page: Page) -> list[str]:
    """What a page lacks, each with the beginning of the element."""
    found: list[str] = page.evaluate(_OFFENCES)
    return found
