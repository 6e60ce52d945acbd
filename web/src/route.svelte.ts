/** Where we are, from the address after the `#`. */

export type Route =
  | { page: "lobby" }
  | { page: "table"; id: string; seat: string | null }
  | { page: "join"; token: string }
  | { page: "learn"; lesson: string }
  | { page: "new"; scenario: string }
  | { page: "replay"; id: string; seq: number | null; seat: string | null }
  | { page: "probe" };

export const parse = (hash: string): Route => {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, id, more] = path.split("/").map(decodeURIComponent);
  const seat = new URLSearchParams(query).get("seat");
  if (page === "table" && id) return { page, id, seat };
  if (page === "learn" && id) return { page, lesson: id };
  if (page === "join" && id) return { page, token: id };
  if (page === "new") return { page, scenario: id ?? "" };
  if (page === "replay" && id) return { page, id, seq: more ? Number(more) : null, seat };
  if (page === "probe") return { page };
  return { page: "lobby" };
};

class Router {
  route: Route = $state.raw(parse(location.hash));

  constructor() {
    window.addEventListener("hashchange", () => (this.route = parse(location.hash)));
  }

  go(hash: string): void {
    location.hash = hash;
  }

  /** Changes the address without a new page: for the moment of a replay. */
  replace(hash: string): void {
    history.replaceState(null, "", hash);
  }
}

export const router = new Router();
