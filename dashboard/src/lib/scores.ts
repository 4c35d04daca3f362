// Scores: the length of the bars, the latest points, and the breakdown.

import type { Line, Player } from "./seen";

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

/** Return the reasons of all players; each player's own are in their order, as the game counts them. */
function reasonsOf(players: readonly Player[]): string[] {
  const reasons: string[] = [];
  for (const { lines } of players) {
    let next = 0;
    for (const { reason } of lines) {
      if (!reasons.includes(reason)) reasons.splice(next, 0, reason);
      next = Math.max(next, reasons.indexOf(reason) + 1);
    }
  }
  return reasons;
}

/** Return the points by reason, with one column per player. */
export function breakdown(players: readonly Player[]): Row[] {
  const reasons = reasonsOf(players);
  return reasons.map((reason) => ({
    reason,
    points: players.map(({ lines }) => {
      const own = lines.filter((line) => line.reason === reason);
      return own.length ? own.reduce((sum, { points }) => sum + points, 0) : null;
    }),
  }));
}
