// What a producer wants to see, as the address of the page says it. What makes no sense is ignored and collected, so
// that test mode can show it.

export const ELEMENTS = ["score", "turn", "delivery", "sentence", "card"] as const;
const AT_WISH = "card"; // only onlookers in the hub's own network can follow its code

/** An element of the overlay. */
export type Element = (typeof ELEMENTS)[number];

const SCALE_LEAST = 50;
const SCALE_MOST = 200;

export interface Wishes {
  show: Element[];
  scale: number; // per cent
  test: boolean;
  unknown: string[]; // elements that do not exist
  badScale: string; // a scale that cannot be used, or nothing
}

/** Read `?show=score,turn&scale=150&test`; all elements but the card at 100 % where nothing is said. */
export function wishesOf(query: URLSearchParams): Wishes {
  const asked = query.get("show")?.split(",").map((name) => name.trim());
  const names: readonly string[] = asked ?? ELEMENTS.filter((name) => name !== AT_WISH);
  const scale = query.get("scale") ?? "100";
  const known = /^\d+$/.test(scale) && Number(scale) >= SCALE_LEAST && Number(scale) <= SCALE_MOST;
  return {
    show: ELEMENTS.filter((name) => names.includes(name)),
    scale: known ? Number(scale) : 100,
    test: query.has("test"),
    unknown: names.filter((name) => name !== "" && !ELEMENTS.some((one) => one === name)),
    badScale: known ? "" : scale,
  };
}
