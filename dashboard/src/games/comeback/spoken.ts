// The city in words, for people who listen to a screen.

import type { Language } from "../../lib/languages";
import type { Seen } from "../../lib/seen";
import { count, say } from "../../lib/words";
import { boardOf, type Board, type Cell } from "./board";
import { COLUMNS } from "./geometry";

/** Return the columns from below, with what befell their cards, and what does not work. */
export function spokenCity(seen: Seen, language: Language): string {
  if (!seen.scene) return seen.table;
  const board = boardOf(seen.scene);
  const columns = Array.from({ length: COLUMNS }, (_, k) => board.cells.filter(({ column }) => column === k + 1).sort((a, b) => a.row - b.row));
  const told = columns.map((cells, k) => (cells.length ? say(language, "spoken.column", { n: String(k + 1), cards: cells.map((cell) => cardOf(cell, language)).join("; ") }) : ""));
  const broken = outOfOrder(board, language);
  return [count(language, "spoken.city", board.cells.length), ...told, broken && say(language, "spoken.broken", { list: broken })].filter(Boolean).join(" ");
}

function cardOf(cell: Cell, language: Language): string {
  const marks = (["rubble", "occupied", "guarded"] as const).filter((mark) => cell[mark]).map((mark) => say(language, mark));
  const zone = cell.zone ? [say(language, `zone.${cell.zone}`), count(language, "stories", cell.stories ?? 0)] : [];
  return [cell.name?.[language] || (cell.card ?? ""), ...zone, ...marks].join(", ");
}

function outOfOrder(board: Board, language: Language): string {
  const numbered = (key: string, works: readonly boolean[]): string[] => works.flatMap((one, k) => (one ? [] : [say(language, key, { n: String(k + 1) })]));
  return [...(board.plant_works ? [] : [say(language, "plant")]), ...numbered("line", board.lines), ...numbered("road", board.roads)].join(", ");
}
