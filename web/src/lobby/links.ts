/** Links to send, and whether they can work for somebody else. */

import type { Clock } from "../wire.gen";

export const joinLink = (token: string, page: string = location.href): string => `${page.split("#")[0]}#/join/${token}`;

/** An address that means "this very machine" to everybody who opens it. */
export const isLoopback = (host: string): boolean => host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host) || host === "0.0.0.0";

const span = (seconds: number): string => {
  const units: [number, string][] = [
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  const [size, name] = units.find(([one]) => seconds >= one && seconds % one === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
};

/** A clock for people. */
export const clockText = (clock: Clock | null): string => {
  if (!clock) return "no clock";
  return clock.per === "move" ? `${span(clock.seconds)} a move` : `${span(clock.seconds)} a game${clock.increment ? ` and ${span(clock.increment)} a move` : ""}`;
};
