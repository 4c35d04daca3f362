// The city in words, for people who listen to a screen.

import type { Language } from "../../lib/languages";
import type { Seen } from "../../lib/seen";
import { spotName } from "../../lib/table";
import { count, say } from "../../lib/words";
import { boardOf } from "./board";

/** Return every building with its place, type, height and seat, the tallest one first. */
export function spokenCity(seen: Seen, language: Language): string {
  const tiles = seen.scene ? boardOf(seen.scene).tiles.filter(({ kind, standing }) => kind === "platform" && standing) : [];
  const told = [...tiles]
    .sort((a, b) => (b.height_mm ?? 0) - (a.height_mm ?? 0))
    .map((tile) =>
      say(language, "spoken.building", {
        at: spotName(language, tile.spot),
        type: say(language, `type.${tile.colour}`),
        height: tile.height_mm === null ? "?" : String(tile.height_mm),
        seat: String(tile.owner ?? "–"),
      }),
    );
  return [count(language, "spoken.city", tiles.length), ...told].join(" ");
}
