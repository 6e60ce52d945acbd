/** How a piece looks from above, found from the word for what it is. */

export type Look = "tracked" | "wheeled" | "gun" | "foot";

const LOOKS: [RegExp, Look][] = [
  [/gun(?!.*(self|assault))|howitzer|mortar|flak/, "gun"],
  [/car|truck|wheel|jeep|motorcycle|wagon/, "wheeled"],
  [/tank|armou?r|track|carrier|vehicle|assault|self-propelled|destroyer|hunter|tractor|mover|bridge/, "tracked"],
];

export const lookOf = (symbol: string): Look => LOOKS.find(([pattern]) => pattern.test(symbol.toLowerCase()))?.[1] ?? "foot";

/** The hull of a vehicle in a base 100 wide and 100 deep, its front up. */
export const HULL: Record<Look, string> = {
  tracked: "M-26-40L-20-44H20L26-40V38L20 42H-20L-26 38Z",
  wheeled: "M-20-38L-14-44H14L20-38V40H-20Z",
  gun: "M-3-46H3V4H16V10H6V40H-6V10H-16V4H-3Z",
  foot: "",
};

/** What it runs on. */
export const RUN: Record<Look, string> = {
  tracked: "M-38-42H-27V44H-38Z M27-42H38V44H27Z",
  wheeled: "M-30-32H-21V-14H-30Z M21-32H30V-14H21Z M-30 14H-21V34H-30Z M21 14H30V34H21Z",
  gun: "M-34-6H-18V20H-34Z M18-6H34V20H18Z",
  foot: "",
};

/** A turret and its barrel, the front up. */
export const TURRET = "M-17-8Q-17-20 0-20Q17-20 17-8V8Q17 20 0 20Q-17 20-17 8Z";
export const BARREL = "M-4-18H4V-64H-4Z M-6-64H6V-56H-6Z";
