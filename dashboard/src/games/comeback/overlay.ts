// Comeback City on a stream: the flipped card, or the disaster and its goal.

import { said, sample, sampleScene } from "../../overlay/samples";
import type { GameOverlay } from "../../lib/playing.svelte";
import type { Scene } from "../../lib/seen";
import { boardOf, type Board, type Flipped } from "./board";
import Card from "./OverlayCard.svelte";

const FLIPPED: Flipped = { card: "17", name: { en: "", fr: "" }, zone: "commercial", stories: 3, points: 4, cost: { wood: 1, steel: 2 }, opportunity: { concrete: 1 }, payable: true, due: true };

function scene(score: number, phase: string, more: Partial<Board>): Scene {
  const board: Board = {
    game: "comeback",
    cells: [],
    plant_works: true,
    lines: [],
    roads: [],
    pool: { wood: 2, steel: 2, concrete: 1 },
    passed: 3,
    discards_left: 2,
    deck: 20,
    points: {},
    total: score,
    ...more,
  };
  return sampleScene("comeback", 1, [score], board, { phase });
}

const goal = (reached: number) => ({ zone: "", points: 40, reached, met: reached >= 40 });

const comeback: GameOverlay = {
  delivery: Card,
  isOn: ({ scene: shown }) => shown !== null && !shown.ended && Boolean(boardOf(shown).goal ?? boardOf(shown).flipped),
  keyMoments: ["action.strike", "action.occupy", "action.shake", "action.trample", "action.claim", "action.finish"],
  samples: [
    sample(scene(31, "build", { flipped: FLIPPED }), said("action.flip", {}, 1)),
    sample(scene(35, "build", {}), said("action.build", { card: "17", at: "3/2" }, 1)),
    sample(scene(31, "disaster", { disaster: "giant_bird", goal: goal(31), action_points: 3 }), said("action.trample", { at: "3/2" }, null)),
    sample(scene(42, "rebuild", { disaster: "giant_bird", goal: goal(42), action_points: 1 }), said("action.restore", { at: "3/2" }, 1)),
  ],
};

export default comeback;
