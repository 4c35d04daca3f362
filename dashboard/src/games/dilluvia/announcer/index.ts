// Dilluvia Project for announcers: who is next and with what, who is ahead in what, what came up, what was built last.

import { most } from "../../../announcer/margins";
import { lineAgo } from "../../../announcer/said";
import type { GameAnnouncer, Upcoming } from "../../../lib/playing.svelte";
import type { Scene, Seen } from "../../../lib/seen";
import { count, listed, say, type Language } from "../../../lib/words";
import { boardOf, type Board, type Ground, type Mat } from "../board";
import { cubesText } from "../naming";

const TURNS = "7";
const ERECTED = 2; // the latest buildings that are named
type Name = (seat: number) => string;

/** What a player may still spend and place. */
function means(language: Language, phase: string, { aeros, cubes, workers, special }: Mat): string {
  const supply = say(language, "supply", { aeros: String(aeros), cubes: cubesText(language, cubes) || "–" });
  return phase === "workers" ? `${say(language, special ? "special_left" : "workers_left", { n: String(workers) })} · ${supply}` : supply;
}

/** Return who plays now, and who follows in this phase: in the order of play, as long as they have something left. */
function seats({ seat, phase }: Scene, { order, mats }: Board): number[] {
  if (!seat) return [];
  const at = order.indexOf(seat);
  const after = order.slice(at + 1);
  if (phase === "shopping") return [seat, ...after];
  if (phase !== "workers") return [seat];
  const left = (one: number): boolean => mats.some((mat) => mat.seat === one && (mat.workers > 0 || mat.special));
  return [seat, ...[...after, ...order.slice(0, Math.max(0, at))].filter(left)];
}

function next(language: Language, scene: Scene): Upcoming[] {
  const board = boardOf(scene);
  const now = board.due ? say(language, `due.${board.due}`, { n: String(board.due_count ?? 0), more: String(board.due_more ?? 0) }) : say(language, `phase.${scene.phase}`);
  return seats(scene, board).map((seat, k) => {
    const mat = board.mats.find((one) => one.seat === seat);
    return { seat, title: k ? say(language, k > 1 ? "announcer.later" : "announcer.after") : now, detail: mat ? means(language, scene.phase, mat) : "", points: null };
  });
}

const numberOf = ({ building = "" }: Ground): number => Number.parseInt(building, 10) || 0;

/** Who is ahead in what, and by how much. */
function records(language: Language, { mats, ground }: Board, name: Name): string[] {
  const built = ground.filter(({ kind }) => kind === "building");
  const owned = (kind: Ground["kind"]) => most(mats, ({ seat }) => ground.filter((one) => one.kind === kind && one.owner === seat).length);
  const names = (of: readonly { seat: number }[]): string => listed(language, of.map(({ seat }) => name(seat)));
  const [prestige, aeros, builder, propellers] = [most(mats, (mat) => mat.prestige), most(mats, (mat) => mat.aeros), owned("building"), owned("propeller")];
  const second = Math.max(0, ...mats.filter((mat) => !prestige?.of.includes(mat)).map((mat) => mat.prestige));
  const ahead = prestige && prestige.of.length === 1 && mats.length > 1 ? say(language, "announcer.ahead", { n: String(prestige.value - second) }) : "";
  const largest = most(built, (one) => numberOf(one) + 1);
  return [
    prestige ? [say(language, "announcer.prestige", { n: String(prestige.value), names: names(prestige.of) }), ahead].filter(Boolean).join(", ") : "",
    largest ? say(language, "announcer.largest", { building: largest.of[0]!.building ?? "", names: listed(language, [...new Set(largest.of.map(({ owner }) => name(owner ?? 0)))]) }) : "",
    builder ? say(language, "announcer.builder", { n: String(builder.value), names: names(builder.of) }) : "",
    propellers ? say(language, "announcer.propellers", { n: String(propellers.value), names: names(propellers.of) }) : "",
    aeros ? say(language, "announcer.aeros", { n: String(aeros.value), names: names(aeros.of) }) : "",
  ];
}

function facts(language: Language, seen: Seen): string[] {
  const scene = seen.scene!;
  const { ground, market, stack, order } = boardOf(scene);
  const erected = seen.happened.filter(({ key, provisional }) => key === "action.build" && !provisional).slice(-ERECTED).reverse();
  const tiles = new Set(market.map(({ kind }) => say(language, `kind.${kind}`)));
  const number = (kind: Ground["kind"]): number => ground.filter((one) => one.kind === kind).length;
  const forSale = ground.filter(({ kind, owner }) => kind === "propeller" && !owner).length;
  return [
    scene.ended ? "" : say(language, "announcer.turn_of", { n: String(scene.turn), of: TURNS }),
    order.length && !scene.ended ? say(language, "order", { seats: order.join(", ") }) : "",
    ...erected.map((line) => lineAgo(language, seen, line)),
    tiles.size ? say(language, "announcer.market", { tiles: [...tiles].join(" · ") }) : "",
    count(language, "announcer.city", number("building"), { gardens: String(number("garden")) }),
    forSale ? count(language, "announcer.for_sale", forSale) : "",
    stack ? say(language, "stack", { n: String(stack) }) : "",
  ];
}

const dilluvia: GameAnnouncer = {
  next: ({ scene }, language) => next(language, scene!),
  records: ({ scene }, language, name) => records(language, boardOf(scene!), name).filter(Boolean),
  facts: (seen, language) => facts(language, seen).filter(Boolean),
};

export default dilluvia;
