import { expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import { board } from "../../../src/games/comeback/style";
import { spokenCity } from "../../../src/games/comeback/spoken";
import { play } from "../../../src/lib/playing.svelte";
import { seen } from "../../fixtures";
import { sampleScene } from "../../../src/overlay/samples";

test("a city is told column by column, with what befell its cards and what is out of order", () => {
  play(comeback);
  const shown = seen({ scene: sampleScene("comeback", 1, [65], { ...board, lines: [true, false], roads: [true, true] }) });
  const told = spokenCity(shown, "en");
  expect(told).toContain("The city has 4 buildings.");
  expect(told).toMatch(/Column 2 from below: 17, Residential, 3 stories; 17, Industrial, 3 stories, occupied\./);
  expect(told).toMatch(/Column 3 from below: [^.]*rubble\./);
  expect(told).toContain("Out of order: Line 2.");
  expect(spokenCity(shown, "fr")).toContain("La ville compte 4 bâtiments.");
});
