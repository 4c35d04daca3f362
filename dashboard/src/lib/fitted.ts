// Makes what is wanted of people fit into the rail of the wall. What gives way, one after the other: the size of a reason,
// the reason, the second row of the points, the points, the delivery, and for what is longer than all of that the size of its letters.

import { watched } from "./watched";

const STEPS = ["small-reason", "no-reason", "one-row", "no-points", "no-delivery", "small"];

/** Keep `data-fit` of the rail around a part at as few of the steps as it takes so that nothing of it is cut off. */
export function fitted(part: HTMLElement): { destroy(): void } {
  const rail = part.parentElement!;
  const again = (): void => {
    for (let taken = 0; taken <= STEPS.length; taken++) {
      rail.dataset["fit"] = STEPS.slice(0, taken).join(" ");
      if (rail.scrollHeight <= rail.clientHeight + 1) return;
    }
  };
  const end = watched(rail, again);
  return {
    destroy() {
      end();
      delete rail.dataset["fit"];
    },
  };
}
