import { expect, test } from "vitest";
import { bandText, buildingFor, deliveryOf, heightTick, piecesTick } from "../../../src/games/megacity/contracts";
import type { Card } from "../../../src/games/megacity/board";
import { boardOf, contractsOf } from "../../../src/games/megacity/board";
import type { Held, Live, Seen } from "../../../src/lib/seen";
import { cells, ghostText } from "../../../src/games/megacity/cells";
import { seen, tile } from "../../fixtures";

const CARD: Card = { name: "CO4", colour: "commercial", pieces: 6, plus: false, height_mm: 50, requirements: [], prestige: 3, landmark: false };
const live = (spot: string, thing: string, low: number | null, high: number | null): Live => ({ spot, thing, mass_g: null, moving: false, low_mm: low, high_mm: high, pieces: null, pieces_unsure: false });
const act = { key: "action.deliver", words: { contract: "CO4", stood: "yes" }, seat: 1, stage: "sure", spots: ["city/1/1"], action: "p1 deliver", confidence: 0.8, grounds: [], doubts: [], breaks: "" };

function delivering(more: Partial<Seen> = {}): Seen {
  const table = seen({ trying: [act], ...more });
  boardOf(table.scene!).areas[0]!.open_contracts = [CARD];
  return table;
}

test("a height ticks itself only where the whole band decides", () => {
  expect([heightTick({ low: 50, high: 54 }, 50), heightTick({ low: 48, high: 52 }, 50), heightTick({ low: 40, high: 49 }, 50), heightTick(null, 50)]).toEqual(["yes", "unsure", "no", "unsure"]);
});

test("pieces tick themselves where their count is sure", () => {
  expect([piecesTick(CARD, 6, true), piecesTick(CARD, 7, true), piecesTick({ ...CARD, plus: true }, 7, true), piecesTick(CARD, 6, false), piecesTick(CARD, null, true)]).toEqual(["yes", "no", "yes", "unsure", "unsure"]);
});

test("the building for a contract stands on a pad of its seat, on a platform of its type", () => {
  const table = seen({ live: [live("seat/1/pad/0", "platform/2/public", 80, 82), live("seat/1/pad/1", "platform/6/commercial", 20, 24), live("seat/2/pad/0", "platform/7/commercial", 90, 94)] });
  expect(buildingFor(table, 1, CARD)?.spot).toBe("seat/1/pad/1");
});

test("a delivery shows its contract and its band as soon as they are sensed", () => {
  const sensed = delivering({ live: [live("city/1/1", "platform/6/commercial", 54.2, 58.6)] });
  expect(deliveryOf(sensed)).toMatchObject({ seat: 1, card: CARD, spot: "city/1/1", band: { low: 54.2, high: 58.6 }, fell: false });
  expect(bandText(deliveryOf(sensed)!.band!)).toBe("54–59");
});

test("the contract is shown although it no longer lies open", () => {
  const table = delivering();
  const area = boardOf(table.scene!).areas[0]!;
  [area.open_contracts, area.delivering] = [[], [CARD]];
  expect(deliveryOf(table)?.card).toBe(CARD);
  expect(contractsOf(area)).toEqual([CARD]);
});

const HELD: Held = { thing: "platform/6/commercial", seat: 1, low_mm: 54, high_mm: 58, pieces: 6, pieces_unsure: true };
const contract = (name: string, more: Partial<Card>): Card => ({ ...CARD, name, ...more });

function lifting(held: Partial<Held>, cards: Card[], landmarks: Card[] = []): Seen {
  const table = seen({ held: [{ ...HELD, ...held }] });
  boardOf(table.scene!).areas[0]!.open_contracts = cards;
  boardOf(table.scene!).landmarks = landmarks;
  return table;
}
const named = (table: Seen): string[] | undefined => deliveryOf(table)?.cards.map(({ name }) => name);

test("from the lift on, a building is shown with every contract that it may be for", () => {
  const cards = [CARD, contract("CO7", { height_mm: 55 }), contract("PU1", { colour: "public" })];
  expect(deliveryOf(lifting({}, cards))).toMatchObject({ seat: 1, spot: "", band: { low: 54, high: 58 }, fell: false });
  expect(named(lifting({}, cards, [contract("LM1", { landmark: true })]))).toEqual(["CO4", "CO7", "LM1"]);
});

test("what was sensed of a carried building rules contracts out", () => {
  const tall = contract("CO9", { height_mm: 70 });
  expect(named(lifting({}, [CARD, tall]))).toEqual(["CO4"]);
  expect(named(lifting({ pieces_unsure: false, pieces: 7 }, [CARD, contract("CO8", { pieces: 7 })]))).toEqual(["CO8"]);
  expect(named(lifting({}, [tall]))).toEqual(["CO9"]); // too low, and theirs to try
});

test("no delivery is what another player carries, or what no contract asks for", () => {
  expect(named(lifting({ seat: 2 }, [CARD]))).toBeUndefined();
  expect(named(lifting({ thing: "platform/6/public" }, [CARD]))).toBeUndefined();
  expect(named(delivering({ held: [HELD] }))).toEqual(["CO4"]); // on its hex the act says which
});

test("without a reading on the hex, the band is what the question says of it", () => {
  const asked = { id: "q", seat: 1, prompt: "deliver", words: { low_mm: "66", high_mm: "71" }, fields: [], waiting: [1], about: "p1 deliver" };
  expect(deliveryOf(delivering({ questions: [asked] }))!.band).toEqual({ low: 66, high: 71 });
  expect(deliveryOf(delivering())!.band).toBeNull();
  expect(deliveryOf(seen())).toBeNull();
});

test("a delivered building whose height is not confirmed stands as high as it was sensed, and in question", () => {
  const asked = { id: "q", seat: 1, prompt: "deliver", words: { low_mm: "66", high_mm: "71" }, fields: [], waiting: [1], about: "p1 deliver" };
  const drawn = (table: Seen) => {
    boardOf(table.scene!).tiles = [tile("city/1/1", { height_mm: null })];
    return cells(table).find(({ spot }) => spot === "city/1/1")!;
  };
  const sensed = drawn(delivering({ questions: [asked] }));
  expect([sensed.tile, sensed.ghost!.type, ghostText(sensed.ghost!)]).toEqual([null, "commercial", "66–71?"]);
  expect(drawn(delivering()).tile?.spot).toBe("city/1/1");
});
