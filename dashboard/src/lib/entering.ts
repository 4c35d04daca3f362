// Who this browser is to the hub. A link with a key, or a PIN, sets a cookie that keeps the browser logged in.

import { pace, type Pace } from "./pace";

const PATIENCE_MS = 5000;

/** Return the viewer of a page: `public`, `host`, or `seat/2`; a virtual table shows what a seat sees, the first by itself. */
export function viewerOf(page: URL): string {
  const [, room, seat] = page.pathname.split("/");
  if (room === "table") return `seat/${seat || 1}`;
  return room === "seat" ? `seat/${seat}` : room === "host" ? "host" : "public";
}

/** Asks the hub what this browser has entered as. */
export class Entrance {
  #asking: Promise<string[]> | null = null;

  constructor(private readonly turns: Pace = pace) {}

  /** Ask until the hub responds. Calls in the meantime share the same requests. */
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

/** Report whether other devices can open an address; a loopback address works on one computer only. */
export function isReachable(page: URL): boolean {
  return !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(page.hostname);
}
