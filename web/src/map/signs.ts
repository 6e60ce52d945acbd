/** Signs of what lies covered in a stack: markers of counters that others lie upon. */

import type { Counter, Marker } from "../wire.gen";
import { pilesOf } from "./overlay";

export interface Sign {
  text: string;
  title: string;
  tone: string;
  width: number;
}

const MOST = 3;

/** Each marker once, the bad ones first; from afar those alone. */
export const signsOf = (stack: readonly Counter[], isFar: boolean): Sign[] => {
  const covered = pilesOf(stack).slice(0, -1).flatMap(({ counter, held }) => [counter, ...held]);
  const found = new Map<string, Marker & { who: string[] }>();
  for (const counter of covered) {
    for (const marker of counter.markers) {
      if (marker.tone === "quiet" || (isFar && marker.tone !== "bad")) continue;
      const sign = found.get(marker.text) ?? { ...marker, who: [] };
      sign.who.push(counter.id);
      found.set(marker.text, sign);
    }
  }
  return [...found.values()]
    .sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"))
    .slice(0, MOST)
    .map(({ text, title, tone, who }) => ({ text, tone, title: `${title}: ${who.join(", ")}`, width: 12 + text.length * 9.5 }));
};
