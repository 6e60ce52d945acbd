import { describe, expect, it } from "vitest";
import { Marker } from "./glossary.svelte";

const term = (name: string, written: string[] = []) => ({ term: name, meaning: `what ${name} is`, rule: "", written });
const marker = new Marker([term("DRM"), term("DR"), term("K", ["K/1", "K/2"]), term("KIA"), term("SPOT/MOVE"), term("MOVE"), term("DC"), term("M", ["(M)"]), term("B#")]);
const marked = (text: string): string[] => marker.pieces(text).filter((piece) => piece.term).map((piece) => piece.text);

describe("terms in a text", () => {
  it("are found whole and longest first", () => {
    expect(marked("DR 7 with a DRM of +2")).toEqual(["DR", "DRM"]);
    expect(marked("a SPOT/MOVE marker")).toEqual(["SPOT/MOVE"]);
    expect(marked("DRMS and xDR")).toEqual([]);
  });

  it("may follow a number but are no part of a hex's label", () => {
    expect(marked("2KIA")).toEqual(["KIA"]);
    expect(marked("in DC4 and uK5")).toEqual([]);
  });

  it("stand as they are written", () => {
    expect(marked("K/2 on K")).toEqual(["K/2"]);
    expect(marked("range 13 (M): needs 50")).toEqual(["(M)"]);
    expect(marked("B# lowered")).toEqual(["B#"]);
  });

  it("are marked once a text, and a text that is a term is one", () => {
    expect(marked("MOVE or MOVE")).toEqual(["MOVE"]);
    expect(marked("M")).toEqual(["M"]);
  });

  it("leave the text as it was", () => {
    for (const text of ["DR 7 with a DRM", "", "nothing", "KIA"]) expect(marker.pieces(text).map((piece) => piece.text).join("")).toBe(text);
  });
});
