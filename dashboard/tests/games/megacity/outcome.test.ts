import { expect, test } from "vitest";
import { outcomeOf } from "../../../src/games/megacity/outcome";
import type { Happened, Line, Seen } from "../../../src/lib/seen";
import { player, seen, tile } from "../../fixtures";

const delivered = (more: Partial<Happened> = {}): Happened => ({ no: 7, t_us: 70, key: "action.deliver", words: { contract: "CO4", at: "1/1", stood: "yes" }, seat: 1, provisional: false, ...more });
const point = (points: number, reason: string, action_no: number | null, contract = ""): Line => ({ points, reason, words: contract ? { contract } : {}, action_no });

function table(...happened: Happened[]): Seen {
  const shown = seen({ happened }, [tile("city/1/1", { colour: "commercial", height_mm: 57, tallest: true })]);
  shown.scene!.players = [player(1, { lines: [point(3, "contract", 4, "CO1"), point(4, "contract", 9, "CO4"), point(1, "token_tallest", 9), point(2, "awards", null)] }), player(2)];
  return shown;
}

test("an outcome is the building's height and all points of that delivery", () => {
  expect(outcomeOf(table(delivered()))).toEqual({ at_us: 70, seat: 1, contract: "CO4", fell: false, colour: "commercial", height_mm: 57, tallest: true, points: 5 });
});

test("later actions leave it, and what is not confirmed is no outcome", () => {
  const bag: Happened = { ...delivered(), no: 8, t_us: 80, key: "action.end_turn", words: {} };
  expect(outcomeOf(table(delivered(), bag))?.at_us).toBe(70);
  expect(outcomeOf(table(delivered(), delivered({ no: 9, t_us: 90, provisional: true })))?.at_us).toBe(70);
  expect(outcomeOf(table(bag))).toBeNull();
});

test("a building that fell has brought nothing", () => {
  const words = { contract: "CO9", at: "2/0", stood: "no" };
  expect(outcomeOf(table(delivered({ words })))).toMatchObject({ fell: true, points: 0, height_mm: null, colour: "" });
});
