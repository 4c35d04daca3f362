// The game that this page shows, and what its folder adds to the screens. A page shows one table, and so one game.

import type { Component } from "svelte";
import type { PaintCity } from "../card/paint";
import type { Ceremony } from "./ceremony";
import type { Language, Words } from "./languages";
import type { Hands } from "../tabletop/hands.svelte";
import type { Sayable } from "./saying";
import type { Told } from "./told.svelte";
import type { Collapse, Light, Scene, Seen } from "./seen";

/** How a game names its things and places. Each function may return null to leave a case to the core. */
export interface Naming {
  /** Return the name of a thing: "platform 14 (public)". */
  thing?: (language: Language, thing: string) => string | null;
  /** Return the name of a place, as people find it on the table: "the hex 2 steps from Central Park, to the right". */
  spot?: (language: Language, spot: string) => string | null;
  /** Return the text of a word within a sentence: "steel". */
  word?: (language: Language, name: string, value: string) => string | null;
  /** Return more words of a sentence, which these imply: the building for a contract. */
  more?: (language: Language, words: Words) => Words;
  /** Return the text of a value that people choose, as it lies in a scene: "platform 14 (public)". */
  value?: (language: Language, name: string, value: string, scene: Scene | null) => string | null;
  /** Return the title under which a value stands among others to choose from; empty for none. */
  group?: (language: Language, name: string, value: string) => string;
  /** Return the spot that a value names, if it is one: such places are chosen on a map. */
  place?: (name: string, value: string) => string;
  /** Return what is added to the key of an action whose text depends on its words. */
  variant?: (key: string, words: Words) => string;
}

/** The parts of the screens that a game draws itself. The core leaves a missing part out, or draws it as for any game. */
export interface Parts {
  board?: Component<{ seen: Seen; language: Language }>; // in the middle of the display
  market?: () => Promise<{ default: Component<{ scene: Scene; language: Language }> }>; // what lies between the players; a phone fetches it when its player looks
  area?: Component<{ scene: Scene; seat: number; lights: Light[]; language: Language }>; // what lies before the player who plays
  hand?: Component<{ seen: Seen; seat: number; language: Language }>; // on a phone: all that its player wants to know of their own
  moment?: Component<{ seen: Seen; stale: boolean; language: Language }>; // beside the board, in place of the area: what everybody looks at now
  isMoment?: (seen: Seen) => boolean; // whether there is such a moment
  outcomeAt?: (seen: Seen) => number | null; // the hub time of the latest one that is over; the moment shows what came of it, too
  lineBeside?: boolean; // whether the one sentence stands beside the board, where there is room for it, and not in the board's corner
  mark?: Component<{ scene: Scene; seat: number }>; // beside a player's points
  left?: Component<{ scene: Scene; language: Language }>; // what is left of the turn
  result?: Component<{ scene: Scene; language: Language }>; // what is to be said of a result
  paper?: () => Promise<{ default: Component<{ by: string; playing: boolean; language: Language; close: () => void }> }>; // the position, set by hand; the host fetches it
}

/** The filled and the stroked paths of an icon. */
export type Drawing = readonly [filled: string, stroked: string];

/** What a game adds to the overlay: the default export of `games/<name>/overlay.ts`. */
export interface GameOverlay {
  delivery: Component<{ seen: Seen; language: Language }>; // what everybody looks at
  isOn: (seen: Seen) => boolean; // whether there is such a thing now
  outcomeAt?: (seen: Seen) => number | null; // the hub time of the latest one that is over; its outcome stays for a moment
  keyMoments: string[]; // the actions that a producer wants to find again, such as "action.deliver"
  samples: Seen[]; // for test mode, in the order in which they are shown
}

/** Something that a player may do next, for a person who speaks about the game. */
export interface Upcoming {
  seat: number;
  title: string;
  detail: string;
  points: number | null; // null where it is not about points
}

/** What a game tells announcers: the default export of `games/<name>/announcer`, with its words beside it. `name` returns what a seat is called. */
export interface GameAnnouncer {
  next: (seen: Seen, language: Language) => Upcoming[]; // by seat and title
  records: (seen: Seen, language: Language, name: (seat: number) => string) => string[];
  facts: (seen: Seen, language: Language, name: (seat: number) => string) => string[];
}

/** How a game draws a fall once more: the default export of `games/<name>/collapse`. `at_ms` is the time of the load's curve. */
export interface GameReplay {
  fall: Component<{ seen: Seen; fell: Collapse; at_ms: number; language: Language }>;
  title: (language: Language, seen: Seen, fell: Collapse) => string; // what fell, and whose it was
}

/** A virtual table, drawn as its game lies on it. `hands` is what is seen there, and the way to move it; `told` is what may be reported. */
export type Tabletop = Component<{ seen: Seen; seat: number; hands: Hands; told: Told; language: Language }>;

/** The default export of a game's `tabletop/Tabletop.svelte`, on which people move things. */
export interface TabletopFile {
  default: Tabletop;
  spoken?: boolean; // they report beside it what no sensor sees
  byHand?: (one: Sayable, scene: Scene) => boolean; // what is done with the things themselves, and is not reported
  says?: (action: string) => boolean; // what a button beside them reports as it does it
}

/** The places that answer a question, on a map. */
export type ChoiceMap = Component<{ choices: readonly string[]; seen: Seen; language: Language; pick: (choice: string) => void }>;

/** The default export of `games/<name>/index.ts`. */
export interface GameScreens {
  words: Record<Language, Words>; // they come before the core's; empty until `screensOf` has fetched those of a language
  naming: Naming;
  parts: Parts;
  icons: Record<string, Drawing>;
  tabletop?: () => Promise<TabletopFile>;
  overlay?: () => Promise<{ default: GameOverlay }>;
  announcer?: () => Promise<{ default: GameAnnouncer }>;
  map?: (choices: readonly string[]) => Promise<{ default: ChoiceMap }> | undefined; // a question's choices, where all are places on the board
  ceremony?: () => Promise<{ default: Ceremony }>; // how the board is lit while the points are counted
  card?: () => Promise<{ default: PaintCity }>; // the board on the card that people keep
}

let shown: GameScreens | null = $state.raw(null);

/** Return the game that is shown; null before one is chosen, and for a game without its own screens. */
export function playing(): GameScreens | null {
  return shown;
}

let lying: Scene | null = $state.raw(null);

/** Return the table as the feed told it last: by it a game names what an act calls by its number. Null before that. */
export function onTable(): Scene | null {
  return lying;
}

/** Keep the table that the feed tells. */
export function lay(scene: Scene | null): void {
  lying = scene;
}

/** Show this game from now on. */
export function play(game: GameScreens | null): void {
  shown = game;
}
