import { describe, expect, it } from "vitest";
import { clockText, isLoopback, joinLink } from "./links";

describe("links to send", () => {
  it("lead to the page that they were made on", () => {
    expect(joinLink("abc", "https://games.example/sand/#/table/x")).toBe("https://games.example/sand/#/join/abc");
  });
  it("cannot work where the address means one's own machine", () => {
    for (const host of ["localhost", "127.0.0.1", "127.4.5.6", "[::1]", "game.localhost"]) expect(isLoopback(host)).toBe(true);
    for (const host of ["192.168.1.4", "games.example", "127.example.org", "mylocalhost"]) expect(isLoopback(host)).toBe(false);
  });
});

describe("a clock for people", () => {
  it("is said in its largest whole unit", () => {
    expect(clockText(null)).toBe("no clock");
    expect(clockText({ per: "move", seconds: 3 * 86400, increment: 0 })).toBe("3 days a move");
    expect(clockText({ per: "game", seconds: 3600, increment: 15 })).toBe("1 hour a game and 15 seconds a move");
    expect(clockText({ per: "move", seconds: 90, increment: 0 })).toBe("90 seconds a move");
  });
});
