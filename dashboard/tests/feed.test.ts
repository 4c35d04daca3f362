import { afterEach, expect, test, vi } from "vitest";
import { Feed, feedUrl } from "../src/lib/feed.svelte";
import { Pace } from "../src/lib/pace";
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

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Socket {
  onopen?: () => void;
  onclose?: (event: { code: number }) => void;
  close: () => void;
}

/** A feed whose sockets open at once and never close by themselves, and a hub that answers or not. */
function quietFeed(answers: boolean): { feed: Feed; sockets: Socket[]; asked: () => number } {
  vi.useFakeTimers();
  const sockets: Socket[] = [];
  const ask = vi.fn(() => (answers ? Promise.resolve() : Promise.reject(new Error("timed out"))));
  vi.stubGlobal("fetch", ask);
  vi.stubGlobal("WebSocket", function (this: (typeof sockets)[number]) {
    this.close = vi.fn();
    sockets.push(this);
    setTimeout(() => this.onopen?.());
  });
  const feed = new Feed(new URL("http://table.local/seat/1"), "seat/1", () => undefined, new Pace(() => Date.now()));
  return { feed, sockets, asked: () => ask.mock.calls.length };
}

test("a radio that dies without a word is noticed, and the page connects again", async () => {
  const { feed, sockets } = quietFeed(false);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(feed.live).toBe(true);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(feed.live).toBe(false);
  expect(sockets[0]!.close).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sockets).toHaveLength(2);
  expect(feed.live).toBe(true);
});

test("a hub that has nothing to say is asked now and then, and nothing is lost", async () => {
  const { feed, sockets, asked } = quietFeed(true);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(feed.live).toBe(true);
  expect(sockets).toHaveLength(1);
  expect(asked()).toBe(4);
});

test("a connection that closes while the hub is asked is watched no more", async () => {
  const { sockets, asked } = quietFeed(true);
  let answer = (): void => undefined;
  vi.mocked(fetch).mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve(undefined as never))));
  await vi.advanceTimersByTimeAsync(12_500);
  expect(asked()).toBe(1);
  sockets[0]!.onclose!({ code: 1006 });
  answer();
  await vi.advanceTimersByTimeAsync(62_000);
  expect(sockets).toHaveLength(2);
  expect(asked()).toBe(1 + 5); // of the second connection alone
});
