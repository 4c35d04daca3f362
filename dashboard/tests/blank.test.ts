import { expect, test } from "vitest";
import { countsOf, isLacking, itemsOf, numberText, withCount, withItem, written, type Blank, type BlankField } from "../src/lib/blank";

const field = (name: string, kind: BlankField["kind"], needed = false): BlankField => ({ name, kind, needed, choices: [], most: 0 });
const DELIVER: Blank = { do: "deliver", player: true, fields: [field("contract", "choice", true), field("height", "mm"), field("pieces", "pieces")] };

test("a form is written as the hub reads it, without what is empty", () => {
  const filled = { contract: "CO4", height: "61mm", pieces: "", other: "x" };
  expect(written(DELIVER, 2, filled)).toBe("p2 deliver contract=CO4 height=61mm");
  expect(written({ do: "monument_fell", player: false, fields: [] }, 0, {})).toBe("table monument_fell");
});

test("what is needed and who did it must be there", () => {
  expect([isLacking(DELIVER, 2, {}), isLacking(DELIVER, 0, { contract: "CO4" })]).toEqual([true, true]);
  expect(isLacking(DELIVER, 2, { contract: "CO4" })).toBe(false);
});

test("pieces are counted by material", () => {
  expect(countsOf("steel:5,glass:2")).toEqual({ steel: "5", glass: "2" });
  expect([countsOf("none"), countsOf("")]).toEqual([{}, {}]);
  expect(withCount("steel:5,glass:2", "glass", 3)).toBe("steel:5,glass:3");
  expect(withCount("steel:5", "steel", NaN)).toBe("none");
  expect(withCount("", "steel", -2)).toBe("none");
});

test("a range of pieces stays until it is counted", () => {
  expect(withCount("steel:1,unknown:2-3", "steel", 2)).toBe("steel:2,unknown:2-3");
  expect(withCount("steel:1,unknown:2-3", "unknown", 3)).toBe("steel:1,unknown:3");
});

test("a list keeps the order in which it was told", () => {
  expect(withItem("", 0, "3/public")).toBe("3/public");
  expect(withItem("3/public,5/commercial", 0, "?")).toBe("?,5/commercial");
  expect(withItem("3/public", 0, "")).toBe("none");
  expect(itemsOf("none")).toEqual([]);
});

test("a number is written with its unit, and nothing as nothing", () => {
  expect([numberText("mm", 61.4), numberText("count", 3), numberText("mm", NaN), numberText("count", -1)]).toEqual(["61mm", "3", "", "0"]);
});
