// The count at the end of a game, step by step: the players with the fewest points first, the winners last.

import type { Line, Player, Scene } from "./seen";

const MOST_MS = 42_000; // with its beginning and its end the count takes 45 s at most
const STEP_MS = 1600;
const LAST_MS = 4000; // a ceremony: with the last step the winner's city stands in the light

/** One step: what a player gets, and for what. */
export interface Step {
  seat: number;
  points: number;
  lines: Line[]; // never empty
  spot: string; // the building that is lit; empty for points without one
}

/** How a game lights its city. */
export interface Ceremony {
  /** Return the building that points belong to, or an empty string. */
  spotOf: (scene: Scene, seat: number, line: Line) => string;
  /** Return the scene with only these buildings in the light. */
  lit: (scene: Scene, spots: ReadonlySet<string>) => Scene;
}

/** Return the players in the order in which they are counted. */
export function counted(scene: Scene): Player[] {
  const won = (seat: number): number => Number(scene.winners.includes(seat));
  return [...scene.players].sort((a, b) => won(a.seat) - won(b.seat) || (a.score ?? 0) - (b.score ?? 0));
}

/** Return all steps: each player's buildings in the order in which they were delivered, then everything else. */
export function stepsOf(scene: Scene, own: Ceremony | null): Step[] {
  return counted(scene).flatMap(({ seat, lines }) => {
    const ordered = [...lines].sort((a, b) => (a.action_no ?? Infinity) - (b.action_no ?? Infinity));
    const bySpot = new Map<string, Line[]>();
    for (const line of ordered) {
      const spot = own?.spotOf(scene, seat, line) ?? "";
      bySpot.set(spot, [...(bySpot.get(spot) ?? []), line]);
    }
    const rest = bySpot.get("") ?? [];
    bySpot.delete("");
    const steps = [...bySpot].map(([spot, at]) => ({ seat, spot, lines: at, points: sum(at) }));
    return rest.length ? [...steps, { seat, spot: "", lines: rest, points: sum(rest) }] : steps;
  });
}

function sum(lines: readonly Line[]): number {
  return lines.reduce((total, { points }) => total + points, 0);
}

/** Return how long a step is shown, the first of which is number 0. */
export function stepMs(step: number, steps: number): number {
  return step + 1 < steps ? Math.min(STEP_MS, (MOST_MS - LAST_MS) / (steps - 1)) : LAST_MS;
}
