// The flipped card in words.

import { isWorded, say, type Language } from "../../lib/words";
import type { Flipped } from "./board";

/** Return resources as a list: "2 wood, 1 steel". */
export function unitsText(language: Language, amount: Record<string, number>): string {
  const parts = Object.entries(amount).filter(([, n]) => n > 0);
  return parts.map(([name, n]) => `${n} ${resource(language, name)}`).join(", ") || "–";
}

/** Return the name of a resource; an owner's deck may have some of its own. */
export function resource(language: Language, name: string): string {
  return isWorded(language, `resource.${name}`) ? say(language, `resource.${name}`) : name;
}

/** Return the key of what may be done with the card. */
export function stateOf(card: Flipped | null): string {
  if (!card) return "flipped.none";
  if (!card.zone) return "unread";
  if (card.due) return "flipped.due";
  return card.payable ? "flipped.payable" : "flipped.short";
}
