// Who this browser is to the hub: whoever opens a link with a key, or types a PIN, is let in and stays so by a cookie.

/** Whom a page is for: `public`, `host`, or `seat/2`. */
export function viewerOf(page: URL): string {
  const [, room, seat] = page.pathname.split("/");
  return room === "seat" ? `seat/${seat}` : room === "host" ? "host" : "public";
}

/** Whom this browser has entered as; null when the hub does not say. */
export async function entered(): Promise<string[] | null> {
  try {
    const response = await fetch("/api/entered");
    return response.ok ? ((await response.json()) as string[]) : null;
  } catch {
    return null;
  }
}

/** Whether other devices can open an address: not one by which a computer calls itself. */
export function isReachable(page: URL): boolean {
  return !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(page.hostname);
}
