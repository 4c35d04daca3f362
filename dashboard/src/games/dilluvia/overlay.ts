// Dilluvia Project on a stream: what the player who plays can spend.

import { said, sample, sampleScene } from "../../overlay/samples";
import type { GameOverlay } from "../../lib/playing.svelte";
import type { Scene } from "../../lib/seen";
import { boardOf, type Board } from "./board";
import Means from "./OverlayMeans.svelte";

function scene(seat: number, phase: string, scores: number[], more: Partial<Board> = {}): Scene {
  const mats = [1, 2, 3, 4].map((one) => ({ seat: one, aeros: 10 + 2 * one, cubes: [2, 1, 0, 1], prestige: 11, per_ten: 3, money: 4, resources: 2, renown: 3, workers: 3, special: true }));
  const board: Board = { order: [2, 4, 1, 3], grid: [1, 9], ground: [], market: [], spaces: {}, mats, ...more };
  return sampleScene("dilluvia", seat, scores, board, { phase });
}

const dilluvia: GameOverlay = {
  delivery: Means,
  isOn: ({ scene: shown }) => shown !== null && boardOf(shown).mats.some(({ seat }) => seat === shown.seat),
  keyMoments: ["action.build", "action.garden", "action.propeller"],
  samples: [
    sample(scene(2, "shopping", [21, 18, 25, 9]), said("action.buy", { space: "4" }, 2)),
    sample(scene(4, "workers", [21, 18, 25, 9], { due: "construction", due_count: 1, due_more: 2 }), said("action.place", { workers: "2", space: "construction" }, 4)),
    sample(scene(1, "workers", [24, 18, 25, 9]), said("action.build", { number: "3", version: "A", at: "5/6" }, 1)),
    sample(scene(3, "income", [24, 18, 25, 9]), said("action.draw_order", { order: "2,4,1,3" }, null)),
  ],
};

export default dilluvia;
