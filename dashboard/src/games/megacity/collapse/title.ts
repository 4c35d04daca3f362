// What the replay of a fall is headed by.

import type { Language } from "../../../lib/languages";
import type { Collapse, Seen } from "../../../lib/seen";
import { say } from "../../../lib/words";
import { boardOf } from "../board";

/** Return what fell, and whose it was: a building, a part of one, or a monument. */
export function title(language: Language, { scene }: Seen, { before, spot }: Collapse): string {
  const tile = boardOf(before).tiles.find((one) => one.spot === spot);
  if (!tile?.owner || tile.kind !== "platform") return say(language, "fell.monument");
  const player = before.players.find(({ seat }) => seat === tile.owner)?.name || say(language, "seat", { seat: String(tile.owner) });
  const part = scene && boardOf(scene).tiles.some((one) => one.spot === spot && one.standing);
  return say(language, part ? "fell.part" : "fell.building", { player });
}
