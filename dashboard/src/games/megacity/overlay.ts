// MegaCity on a stream: the delivery that is under way, and samples of one.

import { said, sample, sampleScene, tried } from "../../overlay/samples";
import type { GameOverlay } from "../../lib/playing.svelte";
import type { Live, Scene, Seen } from "../../lib/seen";
import type { Board, Card } from "./board";
import { deliveryOf } from "./contracts";
import { outcomeOf } from "./outcome";
import Delivery from "./OverlayDelivery.svelte";

const SPOT = "city/1/1";
const CARD: Card = { name: "CO4", colour: "commercial", pieces: 7, plus: true, height_mm: 55, requirements: ["lower_archway", "no_overhang"], prestige: 4, landmark: false };
const WORDS = { contract: "CO4", platform: "6", at: "1/1" };

function board(actions_left: number): Board {
  const areas = [1, 2, 3, 4].map((seat) => ({ seat, tokens: 1, pieces: 9, open_contracts: [CARD], platforms: [], completed: 2, park_in_hand: seat > 2 }));
  return { game: "megacity", actions_left, areas, tiles: [], supply: [], stack: 6, columns: {}, landmarks: [], bag: 80 };
}

function scene(seat: number, left: number, scores: number[], more: Partial<Scene> = {}): Scene {
  return sampleScene("megacity", seat, scores, board(left), more);
}

function delivering(low_mm: number | null, high_mm: number | null): Seen {
  const live: Live = { spot: SPOT, thing: "platform/6/commercial", mass_g: 148, moving: false, low_mm, high_mm, pieces: 7, pieces_unsure: false };
  return sample(scene(1, 0, [12, 9, 17, 4]), { ...tried("action.deliver", WORDS, 1, [SPOT]), live: [live] });
}

function delivered(): Scene {
  const shown = scene(1, 0, [16, 9, 17, 4]);
  const tile = { spot: SPOT, kind: "platform", name: "platform/6/commercial", colour: "commercial", owner: 1, height_mm: 57, standing: true, tallest: true, monument: false, steel: 3, concrete: 2, glass: 2 };
  const line = { points: 4, reason: "contract", words: { contract: "CO4" }, action_no: 9 };
  const players = shown.players.map((player) => (player.seat === 1 ? { ...player, lines: [line] } : player));
  return { ...shown, players, board: { ...board(0), tiles: [tile] } };
}

const megacity: GameOverlay = {
  delivery: Delivery,
  isOn: (seen) => deliveryOf(seen) !== null,
  outcomeAt: (seen) => outcomeOf(seen)?.at_us ?? null,
  keyMoments: ["action.deliver", "action.building_fell", "action.monument_fell"],
  samples: [
    sample(scene(1, 2, [12, 9, 17, 4]), said("action.take_pieces.announced", { announced: "steel" }, 1)),
    delivering(null, null),
    delivering(49, 63),
    delivering(56, 59),
    sample(delivered(), said("action.deliver", WORDS, 1)),
    sample(scene(2, 1, [16, 9, 17, 4]), tried("action.take_contract", { contract: "PU7" }, 2)),
    sample(scene(3, 0, [16, 9, 17, 4]), said("action.deliver", { ...WORDS, stood: "no" }, 3)),
    sample(scene(3, 0, [16, 9, 19, 6], { seat: null, phase: "end", ended: "completed", winners: [3] }), said("action.end_turn", {}, 3)),
  ],
};

export default megacity;
