// The connection to the hub: reads the feed, reconnects by itself, and shows while it is disconnected.

import { followHub } from "./anew";
import { pace, type Pace } from "./pace";
import { lay } from "./playing.svelte";
import { applied, SCHEMA, type FeedEvent, type Seen } from "./seen";

const RELOAD_MS = 30_000;
const GOODBYE = 1001;
const QUIET_MS = 12_000; // then the page asks whether the hub is there: a radio that dies closes nothing
const ANSWER_MS = 4_000;

/** Return the address of the feed: the page's own host, for this viewer, from the last number that was read. */
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
  /** True while the feed is connected. */
  live = $state(false);
  /** When the last event was read, by this screen's clock. */
  lastRead: Date | null = $state.raw(null);
  /** True if the hub said goodbye: it was ended on purpose. */
  closed = $state(false);
  /** True if the hub's feed has another version than this page. */
  outdated = $state(false);

  #since: number | null = null;

  constructor(
    private readonly page: URL,
    private readonly viewer: string,
    private readonly refused: () => void, // called for a refusal or an outage: a browser does not say which
    private readonly turns: Pace = pace,
  ) {
    void this.#connect();
  }

  async #connect(): Promise<void> {
    await this.turns.turn();
    const socket = new WebSocket(feedUrl(this.page, this.viewer, this.#since));
    let opened = false;
    let over = false;
    let quiet: ReturnType<typeof setTimeout>;
    const lose = (code: number): void => {
      if (over) return;
      over = true;
      clearTimeout(quiet);
      socket.close(); // which says so only when the hub answers
      this.live = false;
      this.closed ||= code === GOODBYE;
      this.turns.failed();
      if (!opened) this.refused();
      void this.#connect();
    };
    const watch = (): void => {
      if (over) return; // it was lost while the hub was asked
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) }).then(watch, () => lose(0));
      }, QUIET_MS);
    };
    socket.onopen = () => {
      opened = true;
      this.live = true;
      this.closed = false;
      this.turns.answered();
      watch();
      if (this.seen) void followHub(this.turns);
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      if (over) return;
      watch();
      this.#read(JSON.parse(message.data) as FeedEvent);
    };
    socket.onclose = ({ code }) => lose(code);
  }

  #read(event: FeedEvent): void {
    if (event.schema !== SCHEMA) {
      if (!this.outdated) setTimeout(() => location.reload(), RELOAD_MS); // nobody reloads a screen on a wall
      this.outdated = true;
      return;
    }
    const seen = applied(this.seen, event);
    lay(seen?.scene ?? null); // before anything is named
    this.seen = seen;
    this.#since = event.seq;
    this.lastRead = new Date();
  }
}
