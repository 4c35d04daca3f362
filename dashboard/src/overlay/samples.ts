// Sample events for test mode. A producer places the elements with them before anybody plays: so they hold long names,
// four players and long sentences.

import type { Player, Scene, Seen } from "../lib/seen";

const NAMES = ["Maximilienne-Aurélie", "Ada", "Jean-Christophe", "Wilhelmina"];

/** Return a scene with as many players as there are scores. */
export function sampleScene(game: string, seat: number, scores: readonly (number | null)[], board: unknown, more: Partial<Scene> = {}): Scene {
  const players = scores.map((score, k): Player => ({ seat: k + 1, score, lines: [], name: NAMES[k] ?? "" }));
  return {
    game,
    turn: 1,
    seat,
    phase: "main",
    players,
    lights: [],
    heights_mm: {},
    piles: [],
    ended: "",
    winners: [],
    origin: "house",
    board,
    ...more,
  };
}

/** Return a calm table with this scene. */
export function sample(scene: Scene, more: Partial<Seen> = {}): Seen {
  return {
    t_us: 0,
    table: "",
    scene,
    lights: [],
    trying: [],
    status: { disagreements: [] },
    restoring: false,
    clearing: null,
    mode: "enforce",
    undo: null,
    troubles: [],
    questions: [],
    stations: [],
    live: [],
    held: [],
    happened: [],
    collapse: null,
    lesson: null,
    overlay: { hidden: [] },
    ...more,
  };
}

/** Return the tables after one confirmed line of the ticker. */
export function said(key: string, words: Record<string, string>, seat: number | null): Pick<Seen, "happened"> {
  return { happened: [{ no: 1, t_us: 0, key, words, seat, provisional: false }] };
}

/** Return a table on which an action is tried. */
export function tried(key: string, words: Record<string, string>, seat: number, spots: string[] = []): Pick<Seen, "trying"> {
  return { trying: [{ key, words, seat, stage: "sure", spots, action: key, confidence: 0.9, grounds: [], doubts: [], breaks: "" }] };
}

/** Samples for a game that has none of its own. */
export const PLAIN: Seen[] = [
  sample(sampleScene("", 1, [12, 9, 17, 4], null), said("sensed.game_began", { players: "4" }, null)),
  sample(sampleScene("", 2, [12, 13, 17, 4], null), said("sensed.fell", { spot: "city/1/0", lost_g: "41" }, null)),
  sample(sampleScene("", 3, [12, 13, 21, 4], null, { seat: null, phase: "end", ended: "over", winners: [3] }), said("action.game_ended", {}, null)),
];
