// The game that this page shows, and what its folder brings to the screens. A page shows one table, and that one game.

import type { Component } from "svelte";
import type { Language, Words } from "./languages";
import type { Light, Scene, Seen } from "./seen";

/** How a game names its things and places. Each may leave a case to the core by returning null. */
export interface Naming {
  /** A thing for people: "platform 14 (public)". */
  thing?: (language: Language, thing: string) => string | null;
  /** A place for people: "hex 1/-1". */
  spot?: (language: Language, spot: string) => string | null;
  /** The value of a word within a sentence: "steel". */
  word?: (language: Language, name: string, value: string) => string | null;
  /** One of the values of a word that people choose from: "platform 14". */
  value?: (language: Language, name: string, value: string) => string | null;
  /** What is added to the key of an act that is worded otherwise with some of its words. */
  variant?: (key: string, words: Words) => string;
}

/** What a game draws itself. What it leaves out is left out, or drawn as for any game. */
export interface Parts {
  board?: Component<{ seen: Seen; language: Language }>; // in the middle of the display
  market?: Component<{ scene: Scene; language: Language }>; // what lies between the players
  area?: Component<{ scene: Scene; seat: number; lights: Light[]; language: Language }>; // what lies before a player
  mark?: Component<{ scene: Scene; seat: number }>; // beside a player's points
  left?: Component<{ scene: Scene; language: Language }>; // what is left of the turn
  paper?: Component<{ by: string; playing: boolean; language: Language; close: () => void }>; // the position, set by hand
}

/** Filled paths of an icon, and stroked ones. */
export type Drawing = readonly [filled: string, stroked: string];

/** What `games/<name>/index.ts` exports as its default. */
export interface GameScreens {
  words: Record<Language, Words>; // they come before the core's
  naming: Naming;
  parts: Parts;
  icons: Record<string, Drawing>;
}

let shown: GameScreens | null = $state.raw(null);

/** The game that is shown; null before one is chosen, and for a game that has no screens of its own. */
export function playing(): GameScreens | null {
  return shown;
}

/** From now on show this game. */
export function play(game: GameScreens | null): void {
  shown = game;
}
