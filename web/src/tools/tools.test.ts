import { describe, expect, test } from "vitest";
import type { Table } from "../net/table.svelte";
import type { SightReport } from "../wire.gen";
import { Tools } from "./tools.svelte";

/** A table whose server answers when it is let: each question by its two places. */
const slowTable = () => {
  const answer = new Map<string, (report: SightReport | string) => void>();
  const sight = (a: string, b: string): Promise<SightReport | string> => new Promise((done) => answer.set(`${a} ${b}`, done));
  const threats = (hex: string): Promise<string> => new Promise((done) => answer.set(hex, done as (told: SightReport | string) => void));
  return { answer, table: { sight, threats, info: { tools: ["sight", "threat"], outlines: {} }, atlas: null } as unknown as Table };
};
const report = (a: string, b: string): SightReport => ({ a, b }) as unknown as SightReport;

describe("a tool that waits for its answer", () => {
  test("does not take that of an earlier question for it", async () => {
    const { answer, table } = slowTable();
    const tools = new Tools(table);
    tools.take("sight");
    await tools.point("A1");
    const first = tools.point("B2");
    await tools.point("C3");
    answer.get("A1 B2")!(report("A1", "B2"));
    await first;
    expect([tools.from, tools.to, tools.report, tools.isAsking]).toEqual(["C3", "", null, false]);
    const second = tools.point("D4");
    expect(tools.isAsking).toBe(true);
    answer.get("C3 D4")!(report("C3", "D4"));
    await second;
    expect(tools.report).toMatchObject({ a: "C3", b: "D4" });
  });

  test("that is put away shows nothing more", async () => {
    const { answer, table } = slowTable();
    const tools = new Tools(table);
    tools.take("threat");
    const asked = tools.point("A1");
    tools.take(null);
    answer.get("A1")!("nobody knows");
    await asked;
    expect([tools.active, tools.trouble, tools.threats]).toEqual([null, "", null]);
  });
});
