// Comeback City for announcers: the flipped card, what the disaster asks for, the bonuses that are near, and the city.

import { most } from "../../../announcer/margins";
import type { GameAnnouncer, Upcoming } from "../../../lib/playing.svelte";
import type { Scene } from "../../../lib/seen";
import { count, listed, say, type Language } from "../../../lib/words";
import { boardOf, TO_WIN, type Board, type Bonus, type Cell } from "../board";
import { stateOf, unitsText } from "../flipped";

const SEAT = 1; // the game is played alone
type Next = Pick<Upcoming, "title" | "detail" | "points">;

const zone = (language: Language, name: string): string => say(language, `zone.${name}`);
const titled = (language: Language, key: string, said: string): string => `${say(language, key)}${say(language, "colon")} ${said}`;
const toGo = (language: Language, points: number): string => count(language, "announcer.to_go", Math.max(0, points));
const building = (language: Language, { card, name }: Pick<Cell, "card" | "name">): string => `${card} ${name?.[language] ?? ""}`.trim();
const storiesOf = (cells: readonly Cell[]): number => cells.reduce((sum, { stories = 0 }) => sum + stories, 0);
const standing = ({ cells }: Board): Cell[] => cells.filter(({ card, rubble }) => card && !rubble);

/** The flipped card with what it costs and brings; without one, the deck. */
function card(language: Language, { phase }: Scene, { flipped, deck }: Board): Next[] {
  if (phase !== "build" && phase !== "rebuild") return [];
  const state = say(language, stateOf(flipped ?? null));
  if (!flipped) return [{ title: state, detail: say(language, "deck_left", { n: String(deck) }), points: null }];
  const title = [building(language, flipped), flipped.zone && zone(language, flipped.zone)].filter(Boolean).join(", ");
  if (!flipped.zone) return [{ title, detail: state, points: null }];
  const counts = phase === "rebuild"; // while the city is built the first time, no building has counters yet
  const printed = counts ? [] : [count(language, "announcer.printed", flipped.points)];
  const costs = [titled(language, "cost", unitsText(language, flipped.cost)), titled(language, "opportunity", unitsText(language, flipped.opportunity))];
  return [{ title, detail: [count(language, "stories", flipped.stories), ...printed, ...costs, state].join(" · "), points: counts ? flipped.points : null }];
}

/** The goal of the disaster, and the points that win without it. */
function goals(language: Language, { disaster, goal, total }: Board): Next[] {
  const points = { title: say(language, "announcer.points", { n: String(TO_WIN) }), detail: toGo(language, TO_WIN - total), points: null };
  if (!disaster || !goal) return [points];
  const words = { points: String(goal.reached), wanted: String(goal.points), zone: goal.zone ? zone(language, goal.zone) : "" };
  const way = goal.met ? [say(language, "goal.met")] : [`${say(language, goal.zone ? "goal.zone" : "goal", words)} ${say(language, `goal.more.${disaster}`)}`, toGo(language, goal.points - goal.reached)];
  return [{ title: say(language, `disaster.${disaster}`), detail: way.join(" · "), points: null }, points];
}

/** The zoning bonuses that are open, the nearest first. */
function bonuses(language: Language, board: Board): Next[] {
  const open = (board.bonuses ?? []).filter(({ condition, used }) => condition && !used);
  const missing = ({ completed, number, reached }: Bonus): number => (completed ? 0 : number - reached);
  return open
    .sort((a, b) => missing(a) - missing(b))
    .map((bonus) => {
      const reached = bonus.condition === "other" ? "" : say(language, "announcer.reached", { n: String(bonus.reached), number: String(bonus.number) });
      const state = bonus.completed ? say(language, "announcer.reward") : reached;
      const title = say(language, `condition.${bonus.condition}`, { number: String(bonus.number), zone: zone(language, bonus.zone) });
      return { title, detail: [state, say(language, `helper.${bonus.helper}`)].filter(Boolean).join(" · "), points: null };
    });
}

/** Records of the city: its highest building and column, its best building, its strongest zone. */
function records(language: Language, board: Board): string[] {
  const there = standing(board);
  const highest = most(there, ({ stories = 0 }) => stories);
  const best = most(there, ({ counters = 0 }) => counters);
  const columns = most([...new Set(there.map(({ column }) => column))], (column) => storiesOf(there.filter((cell) => cell.column === column)));
  const strong = most(Object.entries(board.points), ([, points]) => points);
  const names = (cells: readonly Cell[]): string => listed(language, cells.slice(0, 3).map((cell) => building(language, cell)));
  return [
    highest ? say(language, "announcer.highest", { n: String(highest.value), names: names(highest.of) }) : "",
    columns ? say(language, "announcer.column", { n: String(columns.value), columns: listed(language, columns.of.map(String)) }) : "",
    best ? say(language, "announcer.best", { n: String(best.value), names: names(best.of) }) : "",
    strong ? say(language, "announcer.zone", { n: String(strong.value), zones: listed(language, strong.of.map(([name]) => zone(language, name))) }) : "",
  ];
}

/** Return what is out of order, by name. */
function broken(language: Language, { plant_works, lines, roads }: Board): string[] {
  const of = (key: string, works: readonly boolean[]): string[] => works.flatMap((one, k) => (one ? [] : [say(language, key, { n: String(k + 1) })]));
  return [...(plant_works ? [] : [say(language, "plant")]), ...of("line", lines), ...of("road", roads)];
}

function facts(language: Language, { ended }: Scene, board: Board): string[] {
  const there = standing(board);
  const rubble = board.cells.filter((cell) => cell.rubble).length;
  const dark = there.filter(({ powered }) => !powered).length;
  const parts = broken(language, board);
  return [
    ended ? say(language, `ended.${ended}`) : "",
    there.length ? count(language, "announcer.city", there.length, { stories: String(storiesOf(there)) }) : "",
    rubble ? count(language, "announcer.rubble", rubble) : "",
    dark ? count(language, "announcer.dark", dark) : "",
    parts.length ? say(language, "announcer.broken", { parts: listed(language, parts) }) : "",
    ended ? "" : `${titled(language, "pool", unitsText(language, board.pool))} · ${count(language, "discards_left", board.discards_left)} · ${say(language, "deck_left", { n: String(board.deck) })}`,
    board.action_points && !ended ? titled(language, "action_points", String(board.action_points)) : "",
  ];
}

const comeback: GameAnnouncer = {
  next: ({ scene }, language) => {
    const board = boardOf(scene!);
    return [...card(language, scene!, board), ...goals(language, board), ...bonuses(language, board)].map((one) => ({ seat: SEAT, ...one }));
  },
  records: ({ scene }, language) => records(language, boardOf(scene!)).filter(Boolean),
  facts: ({ scene }, language) => facts(language, scene!, boardOf(scene!)).filter(Boolean),
};

export default comeback;
