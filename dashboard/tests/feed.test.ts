import { expect, test } from "vitest";
import { feedUrl } from "../src/lib/feed.svelte";
import { applied, type FeedEvent } from "../src/lib/seen";
import { seen } from "./fixtures";

const event = (type: string, data: unknown): FeedEvent => ({ schema: 1, seq: 5, time: 99, type, provisional: false, data });

test("a snapshot replaces everything", () => {
  expect(applied(seen({ table: "old" }), event("snapshot", seen({ table: "new" })))?.table).toBe("new");
});

test("a change replaces the parts it brings and leaves the others alone", () => {
  const before = seen({ lights: [{ spot: "city/0/0", role: "tallest", seat: null }] });
  const after = applied(before, event("change", { table: "parlour" }))!;
  expect(after.table).toBe("parlour");
  expect(after.lights).toBe(before.lights);
  expect(after.t_us).toBe(99);
  expect(before.table).toBe("salon");
});

test("other events and changes before the first snapshot draw nothing", () => {
  const before = seen();
  expect(applied(before, event("happened", { no: 1 }))).toBe(before);
  expect(applied(null, event("change", { table: "parlour" }))).toBeNull();
});

test("the page asks its own host, and goes on where it stopped", () => {
  expect(feedUrl(new URL("http://table.local:8000/display?lang=fr"), "public", null)).toBe("ws://table.local:8000/feed?as=public");
  expect(feedUrl(new URL("https://table.local/seat/2"), "seat/2", 17)).toBe("wss://table.local/feed?as=seat%2F2&since=17");
});
