// A part of a page that could not be fetched, such as in a blink of the network, would never come: the browser remembers that it
// failed. So the page begins anew as soon as the hub answers again.

import { pace } from "./pace";

async function again(): Promise<void> {
  await pace.turn();
  try {
    await fetch("/healthz", { cache: "no-store" });
    location.reload();
  } catch {
    pace.failed();
    await again();
  }
}

/** Watch for parts that cannot be fetched. */
export function watchParts(): void {
  addEventListener("vite:preloadError", () => void again(), { once: true });
}
