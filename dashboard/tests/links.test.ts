import { expect, test } from "vitest";
import { inLanguage, linkTo } from "../src/lib/links";

test("a link keeps the language that was chosen, and nothing else of the address", () => {
  expect(linkTo(new URL("http://hub/seat/2?lang=fr&city=flat"), "/stations")).toBe("/stations?lang=fr");
  expect(linkTo(new URL("http://hub/seat/2"), "/stations")).toBe("/stations");
});

test("the same page in another language keeps what else was chosen", () => {
  expect(inLanguage(new URL("http://hub/display?city=flat&lang=en"), "fr")).toBe("/display?city=flat&lang=fr");
});
