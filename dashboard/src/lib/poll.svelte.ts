// Fetches an address every two seconds, less often while the hub is away. Keeps the last response, and shows when there is none.

import { pace, type Pace } from "./pace";

const EVERY_MS = 2000;
const PATIENCE_MS = 5000;

export class Poll<T> {
  /** The last response, null until the first. */
  last: T | null = $state.raw(null);
  /** When that was, by this screen's clock. */
  lastRead: Date | null = $state.raw(null);
  /** True if the last request succeeded. */
  live = $state(false);
  #stopped = false;

  constructor(
    private readonly address: string,
    private readonly turns: Pace = pace,
  ) {
    void this.#again();
  }

  async #again(): Promise<void> {
    await this.turns.turn();
    if (this.#stopped) return;
    await this.now();
    setTimeout(() => void this.#again(), EVERY_MS);
  }

  /** Fetch no more: what showed it is gone. */
  stop(): void {
    this.#stopped = true;
  }

  /** Fetch at once. */
  async now(): Promise<void> {
    try {
      const response = await fetch(this.address, { signal: AbortSignal.timeout(PATIENCE_MS) });
      this.turns.answered();
      this.live = response.ok;
      if (!response.ok) return;
      this.last = (await response.json()) as T;
      this.lastRead = new Date();
    } catch {
      this.turns.failed();
      this.live = false;
    }
  }
}
