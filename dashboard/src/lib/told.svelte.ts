// What may be reported now. The hub knows it, and is asked anew whenever something else may be.

import { momentOf, type Sayable } from "./saying";
import { ask } from "./send";
import type { Seen } from "./seen";
import type { Language } from "./words";

/** The actions that a seat may report while it plays. It is made while a component is set up. */
export class Told {
  all: Sayable[] = $state.raw([]);

  constructor(seen: () => Seen | null, seat: () => number, language: () => Language) {
    const now = $derived(seen());
    const moment = $derived(now && momentOf(now));
    $effect(() => {
      const asked = moment;
      if (now?.scene?.seat !== seat()) this.all = [];
      else
        void ask<Sayable[]>("/api/sayable", language()).then((answer) => {
          if ("told" in answer && asked === moment) this.all = answer.told.filter((one) => one.seat === seat());
        });
    });
  }
}
