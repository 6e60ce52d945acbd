/** HTTP requests. Whatever goes wrong becomes one kind of error with lines that a person can read. */

import type {
  Advice,
  Clock,
  WireEntry,
  Fault,
  Invitation,
  Learn,
  WireLobby,
  MapDrawing,
  Moment,
  NewTable,
  WirePerson,
  Refusal,
  WireReview,
  TableInfo,
  TableMade,
} from "../wire.gen";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly lines: string[],
  ) {
    super(lines.join("\n"));
  }
}

/** What went wrong, for people. */
export const troubleOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const root = new URL("./api/", document.baseURI.split("#")[0]);

const url = (path: string, query: Record<string, string | number> = {}): string => {
  const target = new URL(path, root);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  return target.href;
};

const linesOf = (status: number, body: unknown): string[] => {
  const told = body as { faults?: Fault[]; refusal?: Refusal; detail?: string } | null;
  if (told?.faults) return told.faults.map((fault) => [[fault.where, fault.wrong].filter(Boolean).join(": "), fault.right && `(${fault.right})`].filter(Boolean).join(" "));
  if (told?.refusal) return [[told.refusal.reason, told.refusal.remedy].filter(Boolean).join(": ")];
  if (told?.detail) return [told.detail];
  return [status === 429 ? "Too many requests; wait a moment." : `The server answered ${status}.`];
};

const call = async <T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown, query: Record<string, string | number> = {}): Promise<T> => {
  let response: Response;
  try {
    response = await fetch(url(path, query), {
      method,
      credentials: "same-origin",
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, ["The server cannot be reached."]);
  }
  const told: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, linesOf(response.status, told));
  return told as T;
};

const id = encodeURIComponent;

export const api = {
  lobby: () => call<WireLobby>("GET", "lobby"),
  newTable: (scenario: string, seats: Record<string, string>, clock: Clock | null, options: Record<string, string> = {}) =>
    call<TableMade>("POST", "tables", { scenario, seats, clock, options } satisfies NewTable),
  learn: (lesson: string, step: number) => call<TableMade>("POST", `lessons/${id(lesson)}`, { step } satisfies Learn),
  join: (token: string) => call<TableMade>("POST", `join/${id(token)}`, {}),
  invitation: (token: string) => call<Invitation>("GET", `join/${id(token)}`),
  offerSeat: (table: string, seat: string, who: string) => call<TableMade>("POST", `tables/${id(table)}/seats/${id(seat)}`, { who }),
  rematch: (table: string, swap: boolean) => call<TableMade>("POST", `tables/${id(table)}/rematch`, { swap }),
  playOn: (table: string, at: number, seats: Record<string, string>) => call<TableMade>("POST", `tables/${id(table)}/play-on`, { at, seats }),
  forget: (table: string) => call<null>("DELETE", `tables/${id(table)}`),
  table: (table: string) => call<TableInfo>("GET", `tables/${id(table)}`),
  map: (table: string) => call<MapDrawing>("GET", `tables/${id(table)}/map`),
  entries: (table: string, seat: string, start: number, end: number) =>
    call<WireEntry[]>("GET", `tables/${id(table)}/entries`, undefined, { seat, start, end }),
  moment: (table: string, seq: number, seat: string) => call<Moment>("GET", `tables/${id(table)}/replay/${seq}`, undefined, { seat }),
  thoughts: (table: string, seq: number, seat = "", bot = "") => call<Advice>("GET", `tables/${id(table)}/thoughts/${seq}`, undefined, { ...(seat ? { seat } : {}), ...(bot ? { bot } : {}) }),
  review: (table: string) => call<WireReview>("GET", `tables/${id(table)}/review`),
  startReview: (table: string) => call<WireReview>("POST", `tables/${id(table)}/review`, {}),
  logUrl: (table: string, seat: string) => url(`tables/${id(table)}/log`, { seat }),
  open: (name: string, text: string) => call<TableMade>("POST", "open", { name, text }),
  register: (name: string, password: string) => call<WirePerson>("POST", "account/register", { name, password }),
  login: (name: string, password: string) => call<WirePerson>("POST", "account/login", { name, password }),
  logout: () => call<WirePerson>("POST", "account/logout", {}),
  socketUrl: (table: string, seat: string | null) => {
    const target = new URL(url(`tables/${id(table)}/socket`, seat === null ? {} : { seat }));
    target.protocol = target.protocol === "https:" ? "wss:" : "ws:";
    return target.href;
  },
};
