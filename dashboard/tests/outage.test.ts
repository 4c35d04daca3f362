// A page whose hub is away, in virtual time: everything on it that asks by itself asks at most once a second together.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Entrance } from "../src/lib/entering";
import { Feed } from "../src/lib/feed.svelte";
import { Pace, paceOf, waitMs } from "../src/lib/pace";
import { Poll } from "../src/lib/poll.svelte";
import { Hands } from "../src/tabletop/hands.svelte";

const OUTAGE_S = 600;

/** A hub that can be away, and every request that a page makes of it, in milliseconds since the beginning. */
const hub = { away: false, asked: [] as number[], sockets: [] as Socket[], viewers: ["host"] };

class Socket {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    hub.asked.push(performance.now());
    hub.sockets.push(this);
    setTimeout(() => (hub.away ? this.close() : this.onopen?.()), 1);
  }

  close(code = 1006): void {
    this.onopen = null;
    this.onclose?.({ code });
    this.onclose = null;
  }
}

async function answer(): Promise<unknown> {
  hub.asked.push(performance.now());
  await new Promise((go) => setTimeout(go, 2));
  if (hub.away) throw new TypeError("Failed to fetch");
  return { ok: true, json: () => Promise.resolve(hub.viewers) };
}

/** A host's page, as far as it asks by itself: the feed, the door behind it, and the record. */
function open() {
  const pace = new Pace();
  const entrance = new Entrance(pace);
  const poll = new Poll<string[]>("/api/entries", pace);
  const feed = new Feed(new URL("http://table.local/host"), "host", () => void entrance.entered(), pace);
  return { feed, poll, entrance };
}

/** The most requests that were made within any one second of those. */
function mostInASecond(asked: number[]): number {
  return Math.max(0, ...asked.map((at) => asked.filter((other) => other >= at && other < at + 1000).length));
}

function goAway(): void {
  hub.away = true;
  for (const socket of hub.sockets.splice(0)) socket.close();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("fetch", answer);
  Object.assign(hub, { away: false, asked: [], sockets: [], viewers: ["host"] });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("in an outage a page asks once a second at most, and ever more rarely, however long it lasts", async () => {
  const page = open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(page.feed.live).toBe(true);
  goAway();
  await vi.advanceTimersByTimeAsync(2_500); // a request that was under way when the hub went is part of it
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(OUTAGE_S * 1000);
  expect(page.feed.live).toBe(false);
  expect(mostInASecond(hub.asked)).toBe(1);
  expect(hub.asked.length).toBeLessThanOrEqual(OUTAGE_S / 4 + 1);
  expect(hub.asked.length).toBeGreaterThan(OUTAGE_S / 8); // it has not given up
});

test("a page that finds no hub asks no more than one that lost it", async () => {
  hub.away = true;
  const page = open();
  void page.entrance.entered();
  await vi.advanceTimersByTimeAsync(100);
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(OUTAGE_S * 1000);
  expect(mostInASecond(hub.asked)).toBe(1);
});

test("when the hub is back everything on the page goes on, four seconds later at most", async () => {
  const page = open();
  await vi.advanceTimersByTimeAsync(10_000);
  goAway();
  await vi.advanceTimersByTimeAsync(60_000);
  hub.away = false;
  await vi.advanceTimersByTimeAsync(4_100);
  expect([page.feed.live, page.poll.live]).toEqual([true, true]);
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hub.asked.length).toBe(5); // the record, every two seconds
});

test("a hub that takes a page in and throws it out again is asked once a second", async () => {
  const feed = new Feed(new URL("http://table.local/display"), "public", () => {}, new Pace());
  for (let second = 0; second < 60; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    for (const socket of hub.sockets.splice(0)) socket.close();
  }
  expect(feed.live).toBe(false);
  expect(mostInASecond(hub.asked)).toBe(1);
});

test("whom the hub does not let in any more is looked up once for each refusal, and not for ever", async () => {
  const pace = new Pace();
  const entrance = new Entrance(pace);
  hub.away = true;
  const answers = Promise.all(Array.from({ length: 20 }, () => entrance.entered()));
  await vi.advanceTimersByTimeAsync(30_000);
  hub.away = false;
  await vi.advanceTimersByTimeAsync(4_100);
  expect(await answers).toEqual(Array.from({ length: 20 }, () => ["host"]));
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hub.asked).toEqual([]);
});

test("waiting grows up to four seconds and no further", () => {
  expect([1, 2, 3, 4, 50].map(waitMs)).toEqual([1000, 2000, 4000, 4000, 4000]);
});

test("a page that is gone fetches no more", async () => {
  const poll = new Poll<string[]>("/api/entries", new Pace());
  await vi.advanceTimersByTimeAsync(5_000);
  poll.stop();
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hub.asked).toEqual([]);
});

test("a table that was ended on purpose is closed until it is back, and one that is cut off is not", async () => {
  const { feed } = open();
  for (const [code, closed] of [[1006, false], [1001, true], [1008, false], [1001, true]] as const) {
    await vi.advanceTimersByTimeAsync(5000);
    expect([feed.live, feed.closed]).toEqual([true, false]);
    hub.sockets.pop()!.close(code);
    expect([feed.live, feed.closed]).toEqual([false, closed]);
  }
  hub.away = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(feed.closed).toBe(true);
});

test("the virtual table's page asks no more often, though it has two connections", async () => {
  const pace = new Pace();
  const feed = new Feed(new URL("http://table.local/table"), "seat/1", () => {}, pace);
  const hands = new Hands(new URL("http://table.local/table"), 1, "en", pace);
  hands.open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([feed.live, hands.live]).toEqual([true, true]);
  goAway();
  await vi.advanceTimersByTimeAsync(2_500);
  hub.asked.length = 0;
  await vi.advanceTimersByTimeAsync(OUTAGE_S * 1000);
  expect(mostInASecond(hub.asked)).toBe(1);
  hub.away = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([feed.live, hands.live]).toEqual([true, true]);
});

test("the pages in a page's frames take turns with it, those of another site by themselves", () => {
  const top = {} as Window;
  const frames = [0, 1].map(() => paceOf({ top } as Window));
  expect(frames[0]).toBe(frames[1]);
  const foreign = { get top(): Window { throw new DOMException("SecurityError"); } } as Window;
  expect(paceOf(foreign)).not.toBe(frames[0]);
});
