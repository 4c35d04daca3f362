// Comeback City's part of a scene: `hub/citytable/games/comeback/board.py` makes it. What is at its default is left out.

import type { Language } from "../../lib/languages";
import type { Scene } from "../../lib/seen";
import { say } from "../../lib/words";

/** One card of the city, or the giant bird. */
export interface Cell {
  spot: string;
  column: number;
  row: number;
  card?: string;
  name?: Record<Language, string>;
  zone?: string;
  stories?: number;
  points?: number; // printed
  counters?: number; // confirmed
  powered?: boolean;
  rubble?: boolean;
  occupied?: boolean;
  guarded?: boolean;
  restaurant?: boolean;
}

/** The card that was flipped last. */
export interface Flipped {
  card: string;
  name: Record<Language, string>;
  zone: string;
  stories: number;
  points: number;
  cost: Record<string, number>;
  opportunity: Record<string, number>;
  payable: boolean; // with all reductions
  due: boolean; // it must be built or discarded
}

/** A zoning bonus. */
export interface Bonus {
  card: string;
  zone: string;
  condition: string;
  number: number;
  helper: string;
  reached: number; // of `number`
  does?: Record<string, string>; // what its helper does, by language
  completed: boolean;
  used: string; // point, helper or nothing
}

/** What a severity does that may be chosen. */
export interface Severity {
  level: number;
  lost: number; // cards that leave the city
  rubble: number; // cards that become rubble
  cut: boolean; // lines and roads
}

export interface Board {
  game: "comeback";
  cells: Cell[];
  plant_works: boolean;
  lines: boolean[]; // whether each works, from left to right
  roads: boolean[];
  pool: Record<string, number>;
  passed: number;
  discards_left: number;
  deck: number;
  points: Record<string, number>; // by zone
  total: number;
  flipped?: Flipped | null;
  bonuses?: Bonus[];
  helpers?: string[];
  disaster?: string;
  happens?: Record<string, string>; // what the disaster does, by language
  goal?: { zone: string; points: number; reached: number; met: boolean } | null;
  action_points?: number;
  bird?: Cell | null;
  hunger?: number;
  meteors?: string[]; // spots
  rolled?: number[]; // blue and white
  severities?: Severity[]; // while one may be chosen
  next_hit?: string[]; // the spots that the next step of an earthquake hits
}

/** Points that win without the goal of the disaster. */
export const TO_WIN = 65;

/** Return Comeback City's board; these screens are used for no other game. */
export function boardOf(scene: Scene): Board {
  return scene.board as Board;
}

/** Return what a zoning bonus asks for. */
export function taskOf(language: Language, { condition, number, zone }: Bonus): string {
  if (!condition) return say(language, "unread");
  return say(language, `condition.${condition}`, { number: String(number), zone: say(language, `zone.${zone}`) });
}

/** The colours of the zones, which are those of the counters; a letter always stands beside them. */
export const ZONES: Record<string, string> = {
  residential: "#6cc07a",
  commercial: "#62a8e8",
  industrial: "#e9d84a",
  government: "#eef0f4",
};
