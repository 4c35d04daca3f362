// Scores: the length of the bars, the latest points, and the breakdown.

import type { Line, Player, Scene } from "./seen";

/** Return the share of the bar that a score fills, from 0 to 1; the leader's bar is full. */
export function share(player: Player, players: readonly Player[]): number {
  const most = Math.max(1, ...players.map(({ score }) => score ?? 0));
  return Math.max(0, player.score ?? 0) / most;
}

/** Return the latest points that a player gained from actions, newest first. */
export function latest(lines: readonly Line[], n: number): Line[] {
  return lines
    .filter((line) => line.action_no !== null && line.points > 0)
    .sort((a, b) => b.action_no! - a.action_no!)
    .slice(0, n);
}

/** Return a number with a real minus sign. */
export function plain(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** Return a number of points with its sign. */
export function signed(points: number): string {
  return points < 0 ? plain(points) : `+${points}`;
}

export interface Row {
  reason: string;
  points: (number | null)[]; // by player; null for a player who has none
}

/** Return the points by reason, in the rulebook's order and with one column per player. */
export function breakdown({ players, reasons }: Pick<Scene, "players" | "reasons">): Row[] {
  const there = new Set(players.flatMap(({ lines }) => lines.map(({ reason }) => reason)));
  const ordered = new Set([...(reasons ?? []).filter((reason) => there.has(reason)), ...there]);
  return [...ordered].map((reason) => ({
    reason,
    points: players.map(({ lines }) => {
      const own = lines.filter((line) => line.reason === reason);
      return own.length ? own.reduce((sum, { points }) => sum + points, 0) : null;
    }),
  }));
}

/** So many lines of points leave room for something else beside them. */
export const FEW = 5;
