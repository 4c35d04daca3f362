// What a moment has led to, such as a delivery: it stays on the wall for those who watched the moment itself.

import { untrack } from "svelte";
import { nextBegan } from "./begun";
import type { Seen } from "./seen";

const SHOWN_MS = 6000;

export class Outcome {
  /** True from the confirmation until the next act begins, six seconds at most. */
  shown = $state(false);

  /** To be made while a component is set up. `at` is the hub time of the latest outcome; null before the first. */
  constructor(seen: () => Seen, isMoment: () => boolean, at: () => number | null) {
    let known = untrack(at) ?? 0;
    let watched = false;
    let confirmed: Seen | null = null;
    $effect.pre(() => {
      const [now, moment, came] = [seen(), isMoment(), at() ?? 0];
      if (came > known && watched && !moment) {
        confirmed = now;
        this.shown = true;
      } else if (confirmed && (moment || nextBegan(confirmed, now))) {
        confirmed = null;
        this.shown = false;
      }
      known = Math.max(known, came);
      watched = moment;
    });
    $effect(() => {
      if (!this.shown) return;
      const over = setTimeout(() => (this.shown = false), SHOWN_MS);
      return () => clearTimeout(over);
    });
  }
}
