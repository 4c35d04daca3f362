// Makes text smaller until all of it fits: on air a cut-off word looks worse than a small one.

import { watched } from "../lib/watched";

const STEP = 0.94;
const LEAST = 0.3;

function overflows(box: HTMLElement): boolean {
  return box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
}

/** Set `--fit` of a region to the largest share at which its content does not overflow. */
function fitOne(region: HTMLElement): void {
  for (let share = 1; share > LEAST; share *= STEP) {
    region.style.setProperty("--fit", share.toFixed(3));
    if (!overflows(region)) return;
  }
}

/** Keep the content of the regions in `page` within them, whenever it or the page's size changes: the last one first, because
 * the others share what it leaves. */
export function fit(page: HTMLElement): { destroy(): void } {
  const again = (): void => {
    const regions = [...page.querySelectorAll<HTMLElement>(".region")].reverse();
    for (const region of regions) region.style.setProperty("--fit", "1");
    regions.forEach(fitOne);
  };
  return { destroy: watched(page, again) };
}
