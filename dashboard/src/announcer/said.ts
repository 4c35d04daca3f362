// What the core says about any game: margins, where points come from, what happened last, the records of the table.

import { ownerText, unitOf, type Records } from "../ambient/ambient";
import { plain, signed } from "../lib/scores";
import type { Happened, Player, Scene, Seen } from "../lib/seen";
import { lineText, reasonText } from "../lib/table";
import { count, listed, say, type Language } from "../lib/words";
import { after, most, places } from "./margins";

/** Return what a player is called. */
export function nameOf(language: Language, { players }: Scene, seat: number): string {
  return players.find((player) => player.seat === seat)?.name || say(language, "seat", { seat: String(seat) });
}

/** Return by how much the first leads; empty for a single player. */
export function marginText(language: Language, scene: Scene): string {
  const order = places(scene.players);
  if (order.length < 2) return "";
  const level = order.filter(({ behind }) => behind === 0).map(({ player }) => nameOf(language, scene, player.seat));
  if (level.length > 1) return say(language, "announcer.level", { names: listed(language, level) });
  return say(language, scene.ended ? "announcer.wins" : "announcer.leads", { name: level[0]!, n: String(order[1]!.behind) });
}

/** Return what points more would mean for a player. */
export function leadText(language: Language, players: readonly Player[], seat: number, points: number): string {
  const { total, lead } = after(players, seat, points);
  if (players.length < 2) return say(language, "announcer.total", { total: plain(total) });
  const key = lead > 0 ? "by" : lead < 0 ? "behind" : "level";
  return say(language, `announcer.lead.${key}`, { total: plain(total), n: String(Math.abs(lead)) });
}

/** Return how long ago something was, by the clock of the table: a table that runs faster has faster minutes. */
export function agoText(language: Language, us: number): string {
  const minutes = Math.round(us / 60_000_000);
  return minutes < 1 ? say(language, "announcer.now") : count(language, "announcer.ago", minutes);
}

/** Return a line of the ticker with whose it was and when. */
export function lineAgo(language: Language, { scene, t_us }: Seen, line: Happened): string {
  const who = line.seat && scene ? `${nameOf(language, scene, line.seat)} ` : "";
  return say(language, "announcer.then", { text: who + lineText(language, line), ago: agoText(language, t_us - line.t_us) });
}

/** Return the most points that one action gave; where a game counts by reasons, the most for one of them. */
export function gainText(language: Language, scene: Scene): string {
  const gains = scene.players.flatMap((player) => player.lines.map((line) => ({ player, line })));
  const once = gains.filter(({ line }) => line.action_no !== null);
  const best = most(once.length ? once : gains, ({ line }) => line.points)?.of[0];
  if (!best) return "";
  const words = { points: signed(best.line.points), name: nameOf(language, scene, best.player.seat), reason: reasonText(language, best.line) };
  return say(language, once.length ? "announcer.gain" : "announcer.source", words);
}

/** Return what is so in every game: what happened last. The phase is said to those who play, as what they should do. */
export function factsOf(language: Language, seen: Seen): string[] {
  const last = seen.happened.filter(({ key, provisional }) => !provisional && key.startsWith("action.")).at(-1);
  return last ? [lineAgo(language, seen, last)] : [];
}

/** Return the records of the table, and how far the leader is from the most points. */
export function tableRecords(language: Language, records: Records | null, scene: Scene): string[] {
  const lines = (records?.records ?? []).filter(({ value }) => value);
  return lines.map((record) => {
    const value = `${say(language, `record.${record.key}`)}${say(language, "colon")} ${[record.value, unitOf(language, record)].filter(Boolean).join(" ")}`;
    const chase = record.key === "points" && !scene.ended ? chaseText(language, scene, record.value) : "";
    return [value, ownerText(language, record), chase].filter(Boolean).join(" · ");
  });
}

function chaseText(language: Language, scene: Scene, record: number): string {
  const [first] = places(scene.players);
  if (!first) return "";
  const words = { name: nameOf(language, scene, first.player.seat), n: String(record - first.score + 1) };
  return say(language, first.score > record ? "announcer.beaten" : "announcer.short", words);
}
