// Brass is for the tallest and for the winner only: nothing else on any screen may have its colour.

import { expect, test } from "vitest";

const FILES: Record<string, string> = {
  ...import.meta.glob<string>(["../src/**/*.{svelte,ts,css}", "!../src/style/**"], { query: "?raw", import: "default", eager: true }),
  ...import.meta.glob<string>("../../hub/citytable/views/*.py", { query: "?raw", import: "default", eager: true }),
};
const USE = /var\(--brass\)|"brass"|\bBRASS\b|#e8b84a/i;
const NAMED = /--brass:|const BRASS|^import |\baccent\b/; // where the colour gets its name, and where that is fetched
const THEIRS = /tallest|winner|won\b|crown/;

/** Return the uses of brass in a text: the line, or the selector of the rule that it stands in. */
function usesIn(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, k) => {
    if (!USE.test(line) || NAMED.test(line.trim())) return [];
    const rule = lines.slice(0, k + 1).reverse().find((before) => before.trim().endsWith("{")) ?? "";
    return [/^\s*[\w-]+: [^:]*;/.test(line) ? rule.trim() : line.trim()];
  });
}

test("what is found is a use, and what it is for", () => {
  expect(usesIn(".tallest {\n  color: var(--brass);\n}")).toEqual([".tallest {"]);
  expect(usesIn("a:hover {\n  color: red;\n  stroke: var(--brass);\n}")).toEqual(["a:hover {"]);
  expect(usesIn('fill(won ? colour("brass") : "")')).toEqual(['fill(won ? colour("brass") : "")']);
  expect(usesIn(":root {\n  --brass: #e8b84a;\n}")).toEqual([]);
});

test("only the tallest and the winner are of brass", () => {
  const uses = Object.entries(FILES).flatMap(([file, text]) => usesIn(text).map((use) => `${file}: ${use}`));
  expect(uses.length).toBeGreaterThan(8);
  expect(uses.filter((use) => !THEIRS.test(use.split(": ").slice(1).join(": ")))).toEqual([]);
});
