// Limits how often a page sends requests by itself. While the hub does not respond, all parts of the page take turns:
// one request at a time, at least a second apart, and fewer as time goes on. The first response lets all of them go on.

const WAIT_FIRST_MS = 1000;
const WAIT_MOST_MS = 4000;

/** Return how long to wait after this many failures in a row: it doubles each time, up to four seconds. */
export function waitMs(failures: number): number {
  return Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** (failures - 1));
}

export class Pace {
  #failures = 0;
  #freeMs = 0; // when the next request may be sent
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Wait until the next request may be sent; there is no wait while the hub responds. */
  turn(): Promise<void> {
    if (!this.#failures) return Promise.resolve();
    return new Promise((go) => {
      this.#waiting.push(go);
      this.#plan();
    });
  }

  /** Note that the hub responded, with whatever status. */
  answered(): void {
    this.#failures = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Note that a request failed or a connection was lost. */
  failed(): void {
    this.#failures++;
    this.#freeMs = Math.max(this.#freeMs, this.nowMs() + waitMs(this.#failures));
  }

  #plan(): void {
    if (this.#timer !== null || !this.#waiting.length) return;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, this.#freeMs - this.nowMs()));
  }

  #next(): void {
    this.#timer = null;
    if (this.nowMs() >= this.#freeMs) {
      this.#freeMs = this.nowMs() + waitMs(this.#failures);
      this.#waiting.shift()?.();
    }
    this.#plan();
  }
}

/** Return the pace of a page. The pages in its frames, as on the producer's, take turns with it; those of other sites cannot. */
export function paceOf(page: Window & { pace?: Pace }): Pace {
  try {
    const around = page.top as Window & { pace?: Pace };
    return (around.pace ??= new Pace());
  } catch {
    return new Pace();
  }
}

/** The pace of this page. */
export const pace = paceOf(globalThis as unknown as Window);
