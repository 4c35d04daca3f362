// How far the players are apart, and what a delivery would change.

import type { Player } from "../lib/seen";

/** A player's place in the order of the points. */
export interface Place {
  player: Player;
  score: number;
  behind: number; // the leader; 0 for the leader
}

/** Return the players who count points, the leader first. */
export function places(players: readonly Player[]): Place[] {
  const counted = players.flatMap((player) => (player.score === null ? [] : [{ player, score: player.score }]));
  const sorted = counted.sort((a, b) => b.score - a.score || a.player.seat - b.player.seat);
  return sorted.map((one) => ({ ...one, behind: sorted[0]!.score - one.score }));
}

/** What points more would mean for a player: the total, and the lead over the best other player (negative: behind). */
export function after(players: readonly Player[], seat: number, points: number): { total: number; lead: number } {
  const score = (wanted: boolean): number[] => players.filter((player) => (player.seat === seat) === wanted).map((player) => player.score ?? 0);
  const total = Math.max(0, ...score(true)) + points;
  return { total, lead: total - Math.max(0, ...score(false)) };
}

/** Return the greatest value above 0, and whose it is; null if nothing is above 0. */
export function most<T>(all: readonly T[], value: (one: T) => number): { value: number; of: T[] } | null {
  const best = Math.max(0, ...all.map(value));
  return best > 0 ? { value: best, of: all.filter((one) => value(one) === best) } : null;
}
