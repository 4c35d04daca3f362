// The outcome of the latest delivery that was confirmed: what onlookers want to read once more.

import type { Happened, Seen } from "../../lib/seen";
import { boardOf } from "./board";

export interface Outcome {
  at_us: number; // hub time of the delivery
  seat: number;
  contract: string;
  fell: boolean;
  colour: string; // its building type; empty if no building stands there
  height_mm: number | null;
  tallest: boolean;
  points: number; // from the contract and everything that came with it
}

/** Return the latest delivery of the ticker that is confirmed, or null. */
export function outcomeOf(seen: Seen): Outcome | null {
  const line = seen.happened.filter(({ key, provisional }) => key === "action.deliver" && !provisional).at(-1);
  return line?.seat && seen.scene ? outcome(seen, line, line.seat) : null;
}

function outcome(seen: Seen, { t_us, words }: Happened, seat: number): Outcome {
  const contract = words["contract"] ?? "";
  const tile = boardOf(seen.scene!).tiles.find(({ spot }) => spot === `city/${words["at"]}`);
  const lines = seen.scene!.players.find((player) => player.seat === seat)?.lines ?? [];
  const action = lines.find((line) => line.words["contract"] === contract)?.action_no;
  const points = lines.filter(({ action_no }) => action_no !== null && action_no === action).reduce((sum, one) => sum + one.points, 0);
  return {
    at_us: t_us,
    seat,
    contract,
    fell: words["stood"] === "no",
    colour: tile?.colour ?? "",
    height_mm: tile?.height_mm ?? null,
    tallest: tile?.tallest ?? false,
    points,
  };
}
