// The connection to the hub: reads the feed, comes back by itself, and says so while it is away.

import { pace, type Pace } from "./pace";
import { applied, SCHEMA, type FeedEvent, type Seen } from "./seen";

const RELOAD_MS = 30_000;

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

  constructor(
    private readonly page: URL,
    private readonly viewer: string,
    private readonly refused: () => void, // or the hub is away: a browser does not say which
    private readonly turns: Pace = pace,
  ) {
    void this.#connect();
  }

  async #connect(): Promise<void> {
    await this.turns.turn();
    const socket = new WebSocket(feedUrl(this.page, this.viewer, this.#since));
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.live = true;
      this.turns.answered();
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#read(JSON.parse(message.data) as FeedEvent);
    socket.onclose = () => {
      this.live = false;
      this.turns.failed();
      if (!opened) this.refused();
      void this.#connect();
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
