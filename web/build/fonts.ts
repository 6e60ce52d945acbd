/**
 * The page's fonts come with it: no machine has to have them, no other host is asked. Text and counters use ready-made
 * subsets; symbols are cut out of a large font here. The built page preloads what every page needs, and the fonts'
 * licences stand in one file with those of the code.
 */
/// <reference types="node" />

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import subset from "subset-font";
import type { Plugin } from "vite";
import { SYMBOLS } from "../src/symbols.ts";

/** Where the licences of all that is in the page stand; Vite writes those of the code into it. */
export const LICENCES = "licenses.md";

const PACKAGES = ["@fontsource-variable/source-sans-3", "@fontsource-variable/archivo-narrow", "@fontsource/source-serif-4", "dejavu-fonts-ttf"];
/** Fonts without which the first picture cannot be drawn. */
const FIRST = [/source-sans-3-latin-wght-normal/, /archivo-narrow-latin-wght-normal/, /source-serif-4-latin-700-normal/, /symbols/];

/** Where the cut symbols lie until they are built in. */
export const SYMBOL_FONT = join(import.meta.dirname, "../node_modules/.cache/sandtable/symbols.woff2");

const cutSymbols = async (): Promise<void> => {
  // The list stands beside the font, so that it is cut anew when the list changes.
  const list = `${SYMBOL_FONT}.txt`;
  if (existsSync(SYMBOL_FONT) && existsSync(list) && readFileSync(list, "utf8") === SYMBOLS) return;
  mkdirSync(dirname(SYMBOL_FONT), { recursive: true });
  const whole = readFileSync(join(import.meta.dirname, "../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
  writeFileSync(SYMBOL_FONT, await subset(whole, SYMBOLS, { targetFormat: "woff2" }));
  writeFileSync(list, SYMBOLS);
};

/** The licence of a font's package, in full, as Vite writes those of code. */
const licenceOf = (name: string): string => {
  const folder = join(import.meta.dirname, "../node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; license?: string };
  return `## ${name} - ${version}${license ? ` (${license})` : ""}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
};

export const fonts = (): Plugin => ({
  name: "sandtable-fonts",
  configResolved: cutSymbols,
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const written = bundle[LICENCES];
      if (written?.type !== "asset") throw new Error(`${LICENCES} is missing: build.license of Vite writes it`);
      written.source = [String(written.source), ...PACKAGES.map(licenceOf)].join("\n");
    },
  },
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith(".woff2") && FIRST.some((one) => one.test(file)))
        .map((file) => ({ tag: "link", attrs: { rel: "preload", href: `./${file}`, as: "font", type: "font/woff2", crossorigin: "" }, injectTo: "head" })),
  },
});
