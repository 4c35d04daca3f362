// What a player chooses says what it does, not what the hub calls it.

import { beforeEach, expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import own from "../../../src/games/comeback/overlay";
import { boardOf, type Board } from "../../../src/games/comeback/board";
import { play } from "../../../src/lib/playing.svelte";
import type { Scene } from "../../../src/lib/seen";
import { sayableText } from "../../../src/lib/table";

const scene = own.samples[2]!.scene!;
const during = (more: Partial<Board>): Scene => ({ ...scene, board: { ...boardOf(scene), ...more } });
const BONUS = { card: "ZR7", zone: "residential", condition: "columns", number: 3, helper: "national_guard", reached: 3, completed: true, used: "" };

beforeEach(() => play(comeback));

test.each([
  ["en", "3: action points +3, destroyed: 2, in rubble: 4, lines and roads cut"],
  ["fr", "3\u202f: points d'action +3, bâtiments détruits\u202f: 2, ruines\u202f: 4, lignes et routes coupées"],
] as const)("in %s a severity says what it brings and costs", (language, text) => {
  const storm = during({ disaster: "hurricane", severities: [{ level: 3, lost: 2, rubble: 4, cut: true }] });
  expect(sayableText(language, "level", "3", storm)).toBe(text);
});

test("what feeds the bird is destroyed as the action points are used", () => {
  const bird = during({ disaster: "giant_bird", severities: [{ level: 3, lost: 3, rubble: 0, cut: false }] });
  expect(sayableText("en", "level", "3", bird)).toBe("3: action points +3, destroyed by the bird: 3");
});

test("a severity stays a number where nobody chooses it", () => {
  expect(sayableText("en", "level", "3", during({}))).toBe("3");
});

test.each([
  ["en", "Residential buildings in 3 columns (National Guard)"],
  ["fr", "Des bâtiments dans 3 colonnes\u202f: Résidentiel (Garde nationale)"],
] as const)("in %s a zoning bonus says what it asks for and who helps", (language, text) => {
  expect(sayableText(language, "bonus", "ZR7", during({ bonuses: [BONUS] }))).toBe(text);
});

test("a zoning bonus that is not entered keeps its name", () => {
  const unread = { ...BONUS, condition: "", helper: "" };
  expect(sayableText("en", "bonus", "ZR7", during({ bonuses: [unread] }))).toBe("ZR7");
});
