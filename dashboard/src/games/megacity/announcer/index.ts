// MegaCity for announcers: who may deliver what, how high the city stands, and what is left of the game.

import type { GameAnnouncer } from "../../../lib/playing.svelte";
import type { Seen } from "../../../lib/seen";
import { count, say, type Language } from "../../../lib/words";
import { boardOf, piecesText, type Card, type Tile } from "../board";

const ACCIDENTS = ["action.building_fell", "action.monument_fell", "action.pieces_lost"];

function detail(language: Language, card: Card): string {
  const asked = card.requirements.map((one) => say(language, `requirement.${one}`).toLocaleLowerCase(language));
  return [`${card.height_mm} mm`, say(language, "announcer.pieces", { n: `${card.pieces}${card.plus ? "+" : ""}` }), ...asked].join(" · ");
}

const standing = (tiles: readonly Tile[]): Tile[] => tiles.filter(({ kind, standing, height_mm }) => kind === "platform" && standing && height_mm);

const megacity: GameAnnouncer = {
  next: ({ scene }, language) =>
    boardOf(scene!).areas.flatMap(({ seat, open_contracts }) =>
      open_contracts.map((card) => ({ seat, title: say(language, `type.${card.colour}`), detail: detail(language, card), points: card.prestige })),
    ),
  records: ({ scene }, language, name) => {
    const tiles = standing(boardOf(scene!).tiles);
    const tallest = tiles.reduce<Tile | null>((best, tile) => (best && best.height_mm! >= tile.height_mm! ? best : tile), null);
    const bulkiest = tiles.reduce<Tile | null>((best, tile) => (best && pieces(best) >= pieces(tile) ? best : tile), null);
    const most = boardOf(scene!).areas.reduce((best, area) => (area.completed > best.completed ? area : best));
    return [
      tallest ? say(language, "announcer.tallest", { mm: String(tallest.height_mm), name: name(tallest.owner ?? 0) }) : "",
      bulkiest && pieces(bulkiest) ? say(language, "announcer.bulkiest", { n: String(pieces(bulkiest)), name: name(bulkiest.owner ?? 0) }) : "",
      most.completed ? count(language, "announcer.completed", most.completed, { name: name(most.seat) }) : "",
    ].filter(Boolean);
  },
  facts: (seen, language) => {
    const { scene, happened } = seen;
    const board = boardOf(scene!);
    const tiles = standing(board.tiles);
    const whole = tiles.reduce((sum, { height_mm }) => sum + (height_mm ?? 0), 0);
    const fell = happened.filter(({ key, provisional, words }) => !provisional && (ACCIDENTS.includes(key) || words["stood"] === "no")).length;
    return [
      ...(tiles.length ? [count(language, "announcer.buildings", tiles.length, { cm: (whole / 10).toLocaleString(language) })] : []),
      count(language, "announcer.stack", board.stack),
      say(language, "announcer.bag", { n: piecesText(board.bag, board.bag_maybe) }),
      ...(fell ? since(seen, language, fell) : []), // that nothing happened is no fact
    ];
  },
};

/** Return how much fell since the oldest line that the feed still has: a long game has more lines than it keeps. */
function since({ t_us, happened: [oldest] }: Seen, language: Language, fell: number): string[] {
  if (!oldest) return [];
  if (oldest.key === "sensed.game_began") return [count(language, "announcer.fell_in_game", fell)];
  const minutes = Math.max(2, Math.round((t_us - oldest.t_us) / 60_000_000)); // by the clock of the table, which may run faster
  return [count(language, "announcer.fell", fell, { m: String(minutes) })];
}

function pieces({ steel, concrete, glass }: Tile): number {
  return steel + concrete + glass;
}

export default megacity;
