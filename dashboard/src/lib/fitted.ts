// Makes what is wanted of people fit into the rail of the wall. What gives way, one after the other: the size of a reason,
// the reason, the second row of the points, the points, the delivery, and for what is longer than all of that the size of its letters.

import { watched } from "./watched";

const STEPS = ["small-reason", "no-reason", "one-row", "no-points", "no-delivery", "small"];

/** Keep `data-fit` of the rail around a part at as few of the steps as it takes so that nothing of it is cut off. */
export function fitted(part: HTMLElement): { destroy(): void } {
  const rail = part.parentElement!;
  const fits = (steps: readonly string[]): boolean => {
    rail.dataset["fit"] = steps.join(" ");
    return rail.scrollHeight <= rail.clientHeight + 1;
  };
  const again = (): void => {
    let taken: string[] = [];
    for (const step of STEPS) {
      if (fits(taken)) break;
      taken = [...taken, step];
    }
    for (const step of taken.slice(0, -1).reverse()) {
      const others = taken.filter((one) => one !== step); // what gave way first may have room again
      if (fits(others)) taken = others;
    }
    fits(taken);
  };
  const end = watched(rail, again);
  return {
    destroy() {
      end();
      delete rail.dataset["fit"];
    },
  };
}
