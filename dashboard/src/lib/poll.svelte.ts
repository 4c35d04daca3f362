// Asks an address every two seconds, rarer while the hub is away; keeps the last answer and says when there is none.

import { pace, type Pace } from "./pace";

const EVERY_MS = 2000;
const PATIENCE_MS = 5000;

export class Poll<T> {
  /** The last answer, null until the first. */
  last: T | null = $state.raw(null);
  /** Whether the last question was answered. */
  live = $state(false);

  constructor(
    private readonly address: string,
    private readonly turns: Pace = pace,
  ) {
    void this.#again();
  }

  async #again(): Promise<void> {
    await this.turns.turn();
    await this.now();
    setTimeout(() => void this.#again(), EVERY_MS);
  }

  /** Ask at once. */
  async now(): Promise<void> {
    try {
      const response = await fetch(this.address, { signal: AbortSignal.timeout(PATIENCE_MS) });
      this.turns.answered();
      this.live = response.ok;
      if (response.ok) this.last = (await response.json()) as T;
    } catch {
      this.turns.failed();
      this.live = false;
    }
  }
}
