// Scores: how long a bar is, which points came last, and where all of them came from.

import type { Line, Player } from "./seen";

/** The share of the bar that a score fills: the leader's bar is full, nobody's is shorter than nothing. */
export function share(player: Player, players: readonly Player[]): number {
  const most = Math.max(1, ...players.map(({ score }) => score ?? 0));
  return Math.max(0, player.score ?? 0) / most;
}

/** The latest points a player won, newest first: those that actions gave, in the order of the actions. */
export function latest(lines: readonly Line[], n: number): Line[] {
  return lines
    .filter((line) => line.action_no !== null && line.points > 0)
    .sort((a, b) => b.action_no! - a.action_no!)
    .slice(0, n);
}

/** A number with a real minus. */
export function plain(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** A number of points with its sign. */
export function signed(points: number): string {
  return points < 0 ? plain(points) : `+${points}`;
}

export interface Row {
  reason: string;
  points: (number | null)[]; // by player, null where he has none of it
}

/** The points by reason, one column per player, in the order in which the reasons first appear. */
export function breakdown(players: readonly Player[]): Row[] {
  const reasons = [...new Set(players.flatMap(({ lines }) => lines.map(({ reason }) => reason)))];
  return reasons.map((reason) => ({
    reason,
    points: players.map(({ lines }) => {
      const own = lines.filter((line) => line.reason === reason);
      return own.length ? own.reduce((sum, { points }) => sum + points, 0) : null;
    }),
  }));
}
