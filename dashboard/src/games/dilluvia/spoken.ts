// The city in words, for people who listen to a screen.

import type { Language } from "../../lib/languages";
import type { Seen } from "../../lib/seen";
import { count, say } from "../../lib/words";
import { boardOf, type Ground } from "./board";

const COUNTED = ["terrain", "propeller", "garden"] as const;

/** Return every building with its place and owner, and how much ground of each kind belongs to whom. */
export function spokenCity(seen: Seen, language: Language): string {
  if (!seen.scene) return seen.table;
  const { ground } = boardOf(seen.scene);
  const buildings = ground.filter(({ kind }) => kind === "building");
  const seats = [...new Set(ground.flatMap(({ owner }) => owner ?? []))].sort((a, b) => a - b);
  const owned = seats.map((seat) => {
    const parts = COUNTED.flatMap((kind) => {
      const n = ground.filter((one) => one.kind === kind && one.owner === seat).length;
      return n ? [count(language, `spoken.${kind}`, n)] : [];
    });
    return parts.length ? say(language, "spoken.owned", { seat: String(seat), list: parts.join(", ") }) : "";
  });
  return [count(language, "spoken.city", buildings.length), ...buildings.map((one) => buildingText(one, language)), ...owned].filter(Boolean).join(" ");
}

function buildingText({ building, cells, owner }: Ground, language: Language): string {
  const [x = "", y = ""] = (cells[0] ?? "").split("/");
  return say(language, "spoken.building", { name: building ?? "", at: say(language, "city.cell", { x, y }), seat: String(owner ?? "–") });
}
