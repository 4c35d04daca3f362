import { expect, test } from "vitest";
import megacity from "../src/games/megacity";
import { bounded, choicesLeft, firstValues, formKey, isList, isTapped, sendable, sent, shownOf, tappable, withValue } from "../src/lib/answers";
import { play } from "../src/lib/playing.svelte";
import type { Field } from "../src/lib/seen";
import { choiceText } from "../src/lib/table";

const field = (more: Partial<Field>): Field => ({
  name: "x",
  kind: "count",
  proposed: null,
  choices: [],
  low: 0,
  high: 9,
  over: 0,
  voters: null,
  criteria: [],
  ...more,
});

test("the sensible answer stands in the form, and where there is none the least", () => {
  const fields = [
    field({ name: "height_mm", kind: "mm", proposed: 61 }),
    field({ name: "glass", low: 2 }),
    field({ name: "judged", kind: "yesno" }),
    field({ name: "no", kind: "yesno", proposed: false }),
    field({ name: "which", kind: "choice", choices: ["a", "b"] }),
  ];
  expect(firstValues(fields)).toEqual({ height_mm: 61, glass: 2, judged: true, no: false, which: "" });
});

test("a number stays whole and within its bounds", () => {
  expect([-3, 4.4, 12, Number.NaN].map((value) => bounded(field({ low: 1 }), value))).toEqual([1, 4, 9, 1]);
});

test("one tap answers what has nothing to be filled in", () => {
  expect(isTapped([field({ kind: "yesno" })])).toBe(true);
  expect(isTapped([field({ kind: "mm" })])).toBe(false);
  expect(isTapped([field({ kind: "yesno" }), field({ kind: "yesno" })])).toBe(false);
});

test("a choice between actions is worded like the actions, a material by its name", () => {
  play(megacity);
  expect(choiceText("en", "p1 rezone platform=14")).toBe("Rezoned platform 14");
  expect(choiceText("en", "table building_fell at=1/0")).toBe("A building fell");
  expect(["en", "fr"].map((language) => choiceText(language, "steel"))).toEqual(["Steel", "Acier"]);
});

test("a long choice is a list in which nothing is chosen at first, unless choices are all that is asked: then taps answer", () => {
  const long = field({ name: "revealed/0", kind: "choice", choices: [..."abcdefghi"] });
  const short = field({ name: "which", kind: "choice", choices: [..."ab"] });
  expect([isList(long), isList(short)]).toEqual([true, false]);
  expect([isTapped([long]), isTapped([short]), isTapped([long, short])]).toEqual([true, true, true]);
  expect(isTapped([long, { ...short, proposed: "a" }])).toBe(false);
  expect([choicesLeft(long, { other: "c" }).length, choicesLeft(short, { other: "a" }).length]).toEqual([8, 2]);
  expect(firstValues([long, short])).toEqual({ "revealed/0": "", which: "" });
  const tiles = field({ name: "space_2", kind: "choice", choices: ["tile/4", "tile/9"] });
  expect(choicesLeft(tiles, { space_1: "tile/9" })).toEqual(["tile/4"]);
  const sides = field({ name: "revealed/1", kind: "choice", choices: ["platform/4/public", "platform/4/commercial", "platform/14/public"] });
  expect(choicesLeft(sides, { "revealed/0": "platform/4/public" })).toEqual(["platform/14/public"]);
  const spots = field({ name: "to", kind: "choice", choices: ["seat/1/bag", "seat/1/tray"] });
  expect(choicesLeft(spots, { from: "seat/1/bag" })).toEqual(["seat/1/tray"]);
});

test("what is left of a question is another form than the whole of it", () => {
  const asked = { id: "q", seat: 1, prompt: "deliver", words: {}, fields: [field({ name: "height_mm" }), field({ name: "judged" })], waiting: [1, 2], about: "q" };
  expect(formKey({ ...asked, fields: asked.fields.slice(1) })).not.toBe(formKey(asked));
  expect(formKey({ ...asked, waiting: [2] })).toBe(formKey(asked));
});

test("the tap that sends says the sum where it may be more than proposed, and one that nobody touched makes up for it", () => {
  const fields = [4, 3, 3].map((proposed, k) => field({ name: "abc"[k]!, kind: "share", proposed, high: 150, over: 5 }));
  const sums = (a: number, b: number, c: number, touched: string): number[] => sendable(fields, { a, b, c }, new Set(touched)).map(([sum]) => sum);
  expect(sums(4, 3, 3, "")).toEqual([10, 11, 12, 13, 14, 15]);
  expect(sendable(fields, { a: 6, b: 2, c: 2 }, new Set("ab"))[2]).toEqual([12, { a: 6, b: 2, c: 4 }]);
  expect(sums(6, 6, 0, "ab")).toEqual([12, 13, 14, 15]);
  expect(sums(9, 9, 0, "ab")).toEqual([18]);
  expect(sendable(fields, { a: 6, b: 2, c: 4 }, new Set("abc"))).toEqual([[12, { a: 6, b: 2, c: 4 }]]);
});

test("where the sum is known, a tap sends the form with each way to share out the last two", () => {
  const fields = [2, 2, 2].map((proposed, k) => field({ name: "abc"[k]!, kind: "share", proposed, high: 150 }));
  expect(sendable(fields, { a: 2, b: 2, c: 2 }, new Set())).toEqual([[6, { a: 2, b: 2, c: 2 }]]);
  const ways = [0, 1, 2].map((b) => [6, { a: 4, b, c: 2 - b }]);
  expect(sendable(fields, { a: 4, b: 0, c: 2 }, new Set("a"))).toEqual(ways);
  expect(sendable(fields, { a: 4, b: 1, c: 1 }, new Set("ab"))).toEqual([[6, { a: 4, b: 1, c: 1 }]]);
  const glassless = fields.map((one) => (one.name === "c" ? { ...one, high: 0, proposed: 0 } : { ...one, proposed: 1 }));
  expect(sendable(glassless, { a: 1, b: 1, c: 0 }, new Set())).toEqual([0, 1, 2].map((a) => [2, { a, b: 2 - a, c: 0 }]));
});

test("one tap sets a share to any number up to the sum, but for those that the tap that sends tells apart", () => {
  const known = [2, 2, 1].map((proposed, k) => field({ name: "abc"[k]!, kind: "share", proposed, high: 150 }));
  expect(known.map((one) => tappable(known, one))).toEqual([[0, 1, 2, 3, 4, 5], [], []]);
  const open = known.map((one) => ({ ...one, over: 1 }));
  expect(open.map((one) => tappable(open, one).length)).toEqual([7, 7, 0]);
  expect(tappable([field({ proposed: 3 })], field({ proposed: 3 }))).toEqual([]);
});

test("one tap sets a height to any that was measured, where none is proposed and they are few", () => {
  const words = { low_mm: "36", high_mm: "39" };
  const height = field({ kind: "mm" });
  expect(tappable([height], height, words)).toEqual([36, 37, 38, 39]);
  expect(tappable([height], height)).toEqual([]);
  expect(tappable([height], height, { ...words, high_mm: "44" })).toEqual([]);
  const known = field({ kind: "mm", proposed: 37 });
  expect(tappable([known], known, words)).toEqual([]);
});

test("where no more is allowed, and where nothing is shared, one tap sends the form as it is", () => {
  const glassless = [6, 4, 0].map((proposed, k) => field({ name: "abc"[k]!, kind: "share", proposed, high: proposed && 150, over: proposed && 2 }));
  expect(sendable(glassless, { a: 7, b: 5, c: 0 }, new Set("ab"))).toEqual([[12, { a: 7, b: 5, c: 0 }]]);
  expect(sendable(glassless, { a: 7, b: 3, c: 0 }, new Set("a"))[2]).toEqual([12, { a: 7, b: 5, c: 0 }]);
  expect(sendable([field({ proposed: 3 })], { x: 3 }, new Set())).toEqual([[0, { x: 3 }]]);
});

test("shares of a sum that nobody has touched make up for one that is set", () => {
  const fields = ["steel", "concrete", "glass"].map((name) => field({ name, kind: "share", low: 0, high: 150 }));
  const before = { steel: 3, concrete: 2, glass: 2, height_mm: 61 };
  const [steel, , glass] = fields;
  const once = withValue(fields, before, new Set(), steel!, 5);
  expect(once).toEqual({ steel: 5, concrete: 0, glass: 2, height_mm: 61 });
  expect(withValue(fields, once, new Set(["steel"]), glass!, 0)).toEqual({ steel: 5, concrete: 2, glass: 0, height_mm: 61 });
  expect(withValue(fields, before, new Set(), steel!, 9)).toEqual({ steel: 9, concrete: 0, glass: 0, height_mm: 61 });
  expect(withValue(fields, once, new Set(["steel", "concrete", "glass"]), glass!, 4)).toEqual({ ...once, glass: 4 });
});

test("a height that nobody measured is typed, and one that is not asked for is sent as nothing", () => {
  const stood = field({ name: "stood", kind: "yesno", proposed: true });
  const height = field({ name: "height_mm", kind: "mm", low: 0, only_if: ["stood", "true"] });
  const values = firstValues([stood, height]);
  expect(values).toEqual({ stood: true, height_mm: "" });
  expect(shownOf([stood, height], values)).toEqual([stood, height]);
  const fell = { ...values, stood: false };
  expect(shownOf([stood, height], fell)).toEqual([stood]);
  expect(sent([stood, height], fell)).toEqual({ stood: false, height_mm: 0 });
  expect(sent([stood, height], { stood: true, height_mm: 47 })).toEqual({ stood: true, height_mm: 47 });
});
