// Who this browser is to the hub: whoever opens a link with a key, or types a PIN, is let in and stays so by a cookie.

import { pace, type Pace } from "./pace";

const PATIENCE_MS = 5000;

/** Whom a page is for: `public`, `host`, or `seat/2`. */
export function viewerOf(page: URL): string {
  const [, room, seat] = page.pathname.split("/");
  return room === "seat" ? `seat/${seat}` : room === "host" ? "host" : "public";
}

/** Asks the hub whom this browser has entered as. */
export class Entrance {
  #asking: Promise<string[]> | null = null;

  constructor(private readonly turns: Pace = pace) {}

  /** Ask until the hub answers; however often this is called meanwhile, one request after the other is made. */
  entered(): Promise<string[]> {
    this.#asking ??= this.#untilAnswered().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #untilAnswered(): Promise<string[]> {
    for (;;) {
      await this.turns.turn();
      const viewers = await this.#ask();
      if (viewers) return viewers;
    }
  }

  async #ask(): Promise<string[] | null> {
    try {
      const response = await fetch("/api/entered", { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (response.ok) {
        const viewers = (await response.json()) as string[];
        this.turns.answered();
        return viewers;
      }
    } catch {
      // no hub, or it takes too long
    }
    this.turns.failed();
    return null;
  }
}

/** Whether other devices can open an address: not one by which a computer calls itself. */
export function isReachable(page: URL): boolean {
  return !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(page.hostname);
}
