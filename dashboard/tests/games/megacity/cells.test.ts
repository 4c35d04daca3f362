import { expect, test } from "vitest";
import { cells, drawn, ghostMm, ghostText, viewBox } from "../../../src/games/megacity/cells";
import type { Live } from "../../../src/lib/seen";
import { seen, tile } from "../../fixtures";

const live = (spot: string, more: Partial<Live> = {}): Live => ({
  spot,
  thing: null,
  mass_g: null,
  moving: false,
  low_mm: null,
  high_mm: null,
  pieces: null,
  pieces_unsure: false,
  ...more,
});
const trying = { key: "action.deliver", words: {}, seat: 2, stage: "seen", spots: ["city/1/0"], action: "p2 deliver", confidence: 0.7, grounds: ["tags"], doubts: [], breaks: "" };

const at = (spot: string, table: ReturnType<typeof seen>) => cells(table).find((cell) => cell.spot === spot)!;

test("every hex is there once, also on a table without a game", () => {
  expect(cells(seen({ scene: null }))).toHaveLength(37);
});

test("each hex shows exactly the light that it was told", () => {
  const light = { spot: "city/0/1", role: "legal", seat: 1 };
  const lit = cells(seen({ lights: [light, { spot: "seat/1/pad/0", role: "turn", seat: 1 }] })).filter((cell) => cell.light);
  expect(lit.map((cell) => cell.light)).toEqual([light]);
});

test("what lies on an empty hex and is not confirmed is a ghost with its type and height interval", () => {
  const lying = live("city/1/0", { thing: "platform/6/commercial", low_mm: 54, high_mm: 58.5 });
  const { ghost, tile: confirmed } = at("city/1/0", seen({ trying: [trying], live: [lying] }));
  expect(confirmed).toBeNull();
  expect(ghost).toEqual({ type: "commercial", lowMm: 54, highMm: 58.5, massG: null, moving: false, seat: 2 });
  expect(ghostText(ghost!)).toBe("54–59?");
  expect(ghostMm(ghost!)).toBe(56.25);
});

test("a platform on a wrong hex is drawn, too: the table outranks the rules", () => {
  expect(at("city/3/0", seen({ live: [live("city/3/0", { thing: "platform/20/industrial" })] })).ghost?.type).toBe("industrial");
});

test("a park that lies where it may not is drawn, too", () => {
  expect(at("city/3/0", seen({ live: [live("city/3/0", { thing: "park/1" })] })).ghost?.type).toBe("park");
});

test("a supposed action shows a ghost even where nothing can be sensed", () => {
  const { ghost } = at("city/1/0", seen({ trying: [trying] }));
  expect(ghost?.type).toBe("");
  expect(ghostText(ghost!)).toBe("?");
});

test("a confirmed tile hides what is sensed there", () => {
  const table = seen({ live: [live("city/1/0", { thing: "platform/1/public" })] }, [tile("city/1/0")]);
  expect(at("city/1/0", table).ghost).toBeNull();
});

test("a thing whose height nobody measured is shown with its load, as a question", () => {
  const table = seen({ live: [live("city/1/0", { thing: "platform/7/public", mass_g: 400.4 })] });
  expect(ghostText(at("city/1/0", table).ghost!)).toBe("400 g?");
});

test("a load without a thing is no ghost", () => {
  expect(at("city/1/0", seen({ live: [live("city/1/0", { mass_g: 12 })] })).ghost).toBeNull();
});

test("an exact height is still asked about", () => {
  expect(ghostText({ type: "", lowMm: 50, highMm: 50, massG: 80, moving: false, seat: null })).toBe("50?");
});

const size = (table: ReturnType<typeof seen>) => viewBox(drawn(cells(table))).split(" ").map(Number) as [number, number, number, number];

test("only what is there, what is lit and their neighbours are drawn", () => {
  expect(drawn(cells(seen({}, [tile("city/0/0")])))).toHaveLength(7);
  const lit = seen({ lights: [{ spot: "city/2/0", role: "legal", seat: 1 }] }, [tile("city/0/0")]);
  expect(drawn(cells(lit))).toHaveLength(13);
  expect(drawn(cells(seen()))).toHaveLength(37);
});

test("the picture frames what is built, and a tower at the back gets its sky", () => {
  const [, top, width, height] = size(seen({}, [tile("city/0/0", { height_mm: 10 })]));
  const [, , all] = size(seen());
  expect(width).toBeLessThan(all / 1.5);
  const [, higher, , more] = size(seen({}, [tile("city/0/0", { height_mm: 120 })]));
  expect(higher).toBeLessThan(top);
  expect(higher + more).toBe(top + height);
});

test("a fallen tower needs no sky", () => {
  const fallen = tile("city/0/0", { height_mm: 120, standing: false });
  expect(size(seen({}, [fallen]))).toEqual(size(seen({}, [tile("city/0/0", { height_mm: 1 })])));
});
