// Asks an address every two seconds; keeps the last answer and says when there is none.

const EVERY_MS = 2000;
const PATIENCE_MS = 5000;

export class Poll<T> {
  /** The last answer, null until the first. */
  last: T | null = $state.raw(null);
  /** Whether the last question was answered. */
  live = $state(false);

  constructor(private readonly address: string) {
    void this.#again();
  }

  async #again(): Promise<void> {
    await this.now();
    setTimeout(() => void this.#again(), EVERY_MS);
  }

  /** Ask at once. */
  async now(): Promise<void> {
    try {
      const response = await fetch(this.address, { signal: AbortSignal.timeout(PATIENCE_MS) });
      this.live = response.ok;
      if (response.ok) this.last = (await response.json()) as T;
    } catch {
      this.live = false;
    }
  }
}
