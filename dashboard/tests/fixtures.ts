import type { Area, Tile } from "../src/games/megacity/board";
import type { Player, Seen } from "../src/lib/seen";
import { sample, sampleScene } from "../src/overlay/samples";

export function tile(spot: string, more: Partial<Tile> = {}): Tile {
  return {
    spot,
    kind: "platform",
    name: "platform/1/public",
    colour: "public",
    owner: 1,
    height_mm: 40,
    standing: true,
    tallest: false,
    monument: false,
    steel: 0,
    concrete: 0,
    glass: 0,
    ...more,
  };
}

export function player(seat: number, more: Partial<Player> = {}): Player {
  return { seat, score: 0, lines: [], name: "", ...more };
}

function area(seat: number): Area {
  return { seat, tokens: 0, pieces: 0, open_contracts: [], platforms: [], completed: 0, park_in_hand: true };
}

export function seen(more: Partial<Seen> = {}, tiles: Tile[] = []): Seen {
  const board = {
    game: "megacity",
    actions_left: 2,
    areas: [area(1), area(2)],
    tiles,
    supply: [],
    stack: 0,
    columns: {},
    landmarks: [],
    bag: 0,
  };
  const scene = sampleScene("megacity", 1, [], board, { players: [player(1), player(2)] });
  return sample(scene, { table: "salon", ...more });
}
