import { beforeEach, expect, test } from "vitest";
import dilluvia from "../../../src/games/dilluvia";
import { play } from "../../../src/lib/playing.svelte";
import { grouped, lineText, sayableText, thingName } from "../../../src/lib/table";
import { sampleScene } from "../../../src/overlay/samples";

beforeEach(() => play(dilluvia));

test.each([
  ["version", "", "A", "A"],
  ["version", "b", "B", "B"],
  ["cube", "", "the first square", "la première case"],
  ["cube", "second", "the second square", "la deuxième case"],
  ["shape", "", "a single space", "une case"],
  ["count", "", "1", "1"],
  ["count", "3", "3", "3"],
  ["spare", "", "none", "aucun"],
  ["spare", "white:1,black:2", "white 1, black 2", "blanc 1, noir 2"],
  ["space", "territory", "Territory", "Terrain"],
  ["workers", "", "1 worker", "1 ouvrier"],
])("%s %s has a name on its button", (name, value, en, fr) => {
  expect(sayableText("en", name, value)).toBe(en);
  expect(sayableText("fr", name, value)).toBe(fr);
});

test("two ways to erect one building are told apart", () => {
  const erected = (more: Record<string, string>) => ({ no: 1, t_us: 0, key: "action.build", words: { number: "2", at: "3/4", ...more }, seat: 1, provisional: false });
  expect(lineText("en", erected({}))).toBe("erects building 2: column 3, row 4");
  expect(lineText("en", erected({ cube: "second", spare: "white:1,black:1" }))).toBe("erects building 2: column 3, row 4, the second square, saves white 1, black 1");
  expect(lineText("fr", erected({ version: "b", spare: "brown:2" }))).toContain(", économise brun 2");
});

test("a tile that nobody has named yet is named by its place", () => {
  expect(thingName("en", "market/3")).toBe("the tile of market space 3");
  expect(thingName("fr", "market/3")).toBe("la tuile de la case 3 du marché");
});

test("a space of the market is named with what can be bought there", () => {
  const scene = sampleScene("dilluvia", 1, [], { market: [{ tile: 5, kind: "white2", space: 3 }], printed: ["aeros"], mats: [] });
  expect(sayableText("en", "space", "1", scene)).toBe("space 1: 8 Aeros");
  expect(sayableText("fr", "space", "1", scene)).toBe("case 1\u00a0: 8 Aeros");
  expect(sayableText("en", "space", "3", scene)).toMatch(/^space 3: .*white/);
  expect(sayableText("en", "space", "2", scene)).toBe("space 2");
});

test.each([
  ["en", "Gardens (nothing to do there now)", "Income"],
  ["fr", "Jardins (rien à y faire maintenant)", "Revenu"],
] as const)("in %s an action space where workers could do nothing says so before one is placed", (language, garden, income) => {
  const idle = sampleScene("dilluvia", 1, [0, 0], { idle: ["garden"] });
  expect(sayableText(language, "space", "garden", idle)).toBe(garden);
  expect(sayableText(language, "space", "income", idle)).toBe(income);
});

test("action spaces are chosen in groups", () => {
  const spaces = ["order", "income", "white", "black", "territory", "garden"];
  expect(grouped("en", "space", spaces)).toEqual([["Order, Aeros, market", ["order", "income"]], ["Cubes", ["white", "black"]], ["In the city", ["territory", "garden"]]]);
  expect(grouped("en", "workers", ["1", "2"])).toEqual([["", ["1", "2"]]]);
});
