import { beforeEach, expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import { lay, play } from "../../../src/lib/playing.svelte";
import type { Scene } from "../../../src/lib/seen";
import { lineText, thingName } from "../../../src/lib/table";
import { count } from "../../../src/lib/words";

beforeEach(() => play(comeback));

test("a card that nobody has named yet is named by its place", () => {
  expect(thingName("fr", "grid/1/4")).toBe("la carte\u00a0: colonne 1, rangée 4");
  expect(thingName("en", "seat/1/card/2")).toBe("the card: the cards of the set-up");
});

test.each([
  ["stories", 1, "1 story", "1 étage"],
  ["stories", 3, "3 stories", "3 étages"],
  ["action_points", 1, "action point", "point d'action"],
  ["action_points", 2, "action points", "points d'action"],
])("%s agree with their number %i", (key, n, en, fr) => {
  expect(count("en", key, n)).toBe(en);
  expect(count("fr", key, n)).toBe(fr);
});

test.each([
  ["house", { cells: [] }, "flips Corner Shop"],
  ["owner", { cells: [] }, "flips C01"],
  ["owner", { cells: [{ card: "C01", name: { en: "Kiosk", fr: "Kiosque" } }] }, "flips Kiosk"],
  ["owner", { cells: [], flipped: { card: "C01", name: { en: "Kiosk", fr: "Kiosque" } } }, "flips Kiosk"],
])("the log calls a card by its name where a %s deck names it", (origin, board, text) => {
  lay({ origin, board: { game: "comeback", ...board } } as unknown as Scene);
  expect(lineText("en", { no: 1, t_us: 0, key: "action.flip", words: { card: "C01" }, seat: 1, provisional: false })).toBe(text);
  lay(null);
});
