// When a page begins anew: nobody reloads a screen on a wall.

import { pace, type Pace } from "./pace";

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

/**
 * Watch for parts that cannot be fetched, such as in a blink of the network: the browser remembers that they failed, so they would
 * never come, and the page begins anew as soon as the hub answers again.
 */
export function watchParts(): void {
  addEventListener("vite:preloadError", () => void again(), { once: true });
}

/** Begin anew if the hub, which was away, is of another version: the name of the page's script changes with every part of the screens. */
export async function followHub(turns: Pace): Promise<void> {
  const script = document.querySelector("script[type=module]")?.getAttribute("src") ?? "";
  await turns.turn();
  try {
    const text = await (await fetch(location.pathname, { cache: "no-store" })).text();
    if (text.includes("<script") && !text.includes(script)) location.reload();
  } catch {
    // it is away again, and asked when it comes back
  }
}
