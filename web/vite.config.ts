import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { fonts, LICENCES, SYMBOL_FONT } from "./build/fonts.ts";

// The built client is part of the Python package: the server hands it out, and a wheel runs without Node.
export default defineConfig({
  plugins: [svelte(), fonts()],
  // Unit tests run what a browser runs: effects too.
  resolve: { alias: { "@symbols.woff2": SYMBOL_FONT }, ...(process.env.VITEST ? { conditions: ["browser"] } : {}) },
  base: "./",
  build: {
    outDir: "../src/sandtable/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The licences of everything that is in the page go with it; those of the fonts are added by their plugin.
    license: { fileName: LICENCES },
    target: "es2022",
    // How long the build's parts took is of no use to somebody who wants to play.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: "es" },
  server: {
    port: 5173,
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  // Unit tests stand beside what they test, as `*.test.ts`; the browser tests are in tests/browser.
  test: {
    include: ["src/**/*.test.ts"],
    environment: "happy-dom",
    // One document for all files of a worker: to make one for each took ten times as long as the tests.
    isolate: false,
    pool: "threads",
    // A machine that stalls is no fault of a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
