// The connection to the hub: reads the feed, comes back by itself, and says so while it is away.

import { applied, SCHEMA, type FeedEvent, type Seen } from "./seen";

const WAIT_FIRST_MS = 250;
const WAIT_MOST_MS = 4000;
const RELOAD_MS = 30_000;

/** How long to wait before the next attempt: twice as long each time, up to four seconds. */
export function waitMs(failures: number): number {
  return Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** failures);
}

/** Where the feed is: the page's own host, as this viewer sees it, from the last number that was read. */
export function feedUrl(page: URL, viewer: string, since: number | null): string {
  const url = new URL("/feed", page);
  url.protocol = page.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("as", viewer);
  if (since !== null) url.searchParams.set("since", String(since));
  return url.href;
}

export class Feed {
  /** The table, null until the first snapshot. */
  seen: Seen | null = $state.raw(null);
  /** Whether the feed is being read now. */
  live = $state(false);
  /** When something was last read, by this screen's clock. */
  lastRead: Date | null = $state.raw(null);
  /** The hub speaks another version than this page. */
  outdated = $state(false);

  #since: number | null = null;
  #failures = 0;

  constructor(
    private readonly page: URL,
    private readonly viewer: string,
    private readonly refused: () => void, // or the hub is away: a browser does not tell which
  ) {
    this.#connect();
  }

  #connect(): void {
    const socket = new WebSocket(feedUrl(this.page, this.viewer, this.#since));
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.live = true;
      this.#failures = 0;
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#read(JSON.parse(message.data) as FeedEvent);
    socket.onclose = () => {
      this.live = false;
      if (!opened) this.refused();
      setTimeout(() => this.#connect(), waitMs(this.#failures++));
    };
  }

  #read(event: FeedEvent): void {
    if (event.schema !== SCHEMA) {
      if (!this.outdated) setTimeout(() => location.reload(), RELOAD_MS); // a screen on a wall has nobody to reload it
      this.outdated = true;
      return;
    }
    this.seen = applied(this.seen, event);
    this.#since = event.seq;
    this.lastRead = new Date();
  }
}
