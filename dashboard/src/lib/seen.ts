// What the hub sends to this screen: the feed's events, and the table as one viewer sees it.
// docs/reference/feed.md describes these values. A screen draws them and knows no rules.

/** A light on a spot. It has a meaning, not a colour. */
export interface Light {
  spot: string;
  role: string; // a role of roles.json
  seat: number | null; // if the role belongs to a player
}

/** One line of a score. */
export interface Line {
  points: number;
  reason: string; // a key of the language files, after "score."
  words: Record<string, string>;
  action_no: number | null; // the action that gave it
}

/** One player as everybody may see them. */
export interface Player {
  seat: number;
  score: number | null; // null in a game without points
  lines: Line[]; // in the order in which the points came
  name: string; // empty if nobody entered it
}

/** The things at a spot that everybody may see, the top one first. */
export interface Pile {
  spot: string;
  things: string[];
  hidden: number; // how many more lie below
}

/** The confirmed position of the game. */
export interface Scene {
  game: string;
  turn: number;
  seat: number | null; // whose turn it is
  phase: string; // a key of the language files, after "phase."
  players: Player[];
  lights: Light[]; // of the game alone; `Seen.lights` are the ones that are shown
  heights_mm: Record<string, number>; // spot -> measured and confirmed height
  piles: Pile[]; // what lies where, for screens that cannot draw this game's board
  ended: string; // why the game ended, in the game's own word; empty until then
  winners: number[]; // none in a game that everybody lost
  reasons?: string[]; // for points, as the rulebook counts them; none while the game goes on
  origin: string; // of the cards: house, owner
  board: unknown; // the game's own part; only its own screens know it
}

export const MODES = ["enforce", "advise", "record"] as const;

/** What happens to actions that a rule forbids. */
export type Mode = (typeof MODES)[number];

/** An action that was seen but is not confirmed. */
export interface Trying {
  key: string;
  words: Record<string, string>;
  seat: number | null;
  stage: string; // seen, sure, asked
  spots: string[];
  action: string; // in notation; a tap refers to it
  confidence: number; // 0 to 1
  grounds: string[]; // said, fell, tags, weight
  doubts: string[]; // differs, new, others, hand, moving, unread
  breaks: string; // the rule it breaks, if the mode shows rules
}

/** An undo that a player has asked for. */
export interface Undo {
  seat: number;
  to: number;
  why: string;
  lines: Happened[]; // the actions it takes back, oldest first
  waiting: number[]; // seats that have not agreed yet
  agreed: number[];
  until_us: number;
}

/** The progress of clearing up. */
export interface Clearing {
  lying: number; // spots that still have to be cleared
  counted: number; // components
  components: number;
  unseen: string[]; // components that have not been counted yet
  silent: string[]; // stations
  bag: { mass_g: number | null; short_g: number | null; short_pieces: number | null } | null; // null if the table cannot weigh it
  closed: boolean;
  ready: boolean;
}

/** One difference between the table and the game, as an instruction. */
export interface Disagreement {
  kind: string;
  spots: string[];
  thing: string;
  to: string[];
  rule: string;
  action: string; // the action that breaks the rule, in notation
  text: Record<string, string>; // language -> sentence
  state: "wrong" | "in_hand" | "settling"; // only what is wrong is an alarm
  grams: number; // what came on a scale, or went below 0, and no action explains; 0 where that is not known
}

/** One field of a question. */
export interface Field {
  name: string;
  kind: "count" | "share" | "die" | "mm" | "choice" | "yesno";
  proposed: number | string | boolean | null; // the likely answer
  choices: string[];
  low: number;
  high: number;
  over: number; // by how many the sum of the shares may exceed what is proposed
  voters: number[] | null; // seats that each vote yes or no, instead of the question's own seat
  criteria: string[]; // what voters look at: keys of the language files, after "criterion."
  only_if?: string[]; // a field, and the values of it with which this one is asked
}

/** An open question. */
export interface Asked {
  id: string;
  seat: number | null; // null: the whole table
  prompt: string; // a key of the language files, after "ask."
  words: Record<string, string>;
  fields: Field[]; // only for viewers who may answer
  waiting: number[]; // seats that have not answered yet; empty if the whole table is asked
  about: string;
  texts?: Record<string, Record<string, string>>; // words of the hub instead: of "", a field, or "=choice"
}

/** The state of a station. */
export interface Station {
  station: string;
  online: boolean;
  faults: Record<string, string>[]; // language -> sentence
}

/** What a spot senses at this moment. */
export interface Live {
  spot: string;
  thing: string | null;
  mass_g: number | null;
  moving: boolean;
  low_mm: number | null;
  high_mm: number | null;
  pieces: number | null; // counted on the thing
  pieces_unsure: boolean;
}

/** A thing that somebody carries from a place of their own, with what stood on it when it was sensed last. */
export interface Held {
  thing: string;
  seat: number;
  low_mm: number | null;
  high_mm: number | null;
  pieces: number | null;
  pieces_unsure: boolean;
}

/** One line of the ticker. */
export interface Happened {
  no: number;
  t_us: number;
  key: string;
  words: Record<string, string>;
  seat: number | null;
  provisional: boolean;
}

/** A fall that has been confirmed, with what is known of it. */
export interface Collapse {
  no: number; // the journal's entry
  spot: string;
  cause: "delivery" | "knock" | "unknown";
  before: Scene; // with what stood there
  load: { spot: string; t_ms: number[]; grams: number[] } | null; // null if nothing was felt
}

/** What a guided game tells people; without `do` there is nothing to tell. */
export interface Lesson {
  seat: number | null; // who does it; null: the whole table
  topic: string;
  new: boolean; // the player has not met this rule yet
  rule: Record<string, string>; // language -> sentences
  do: Record<string, string>;
  report: string; // what a tap states once it is done, in notation; empty where the table sees it
  spots: string[];
  guided: boolean; // false: it is only what a bot does at an empty seat
  empty: number[]; // seats at which a bot plays
}

/** The whole table as this viewer sees it. */
export interface Seen {
  t_us: number; // hub time
  table: string;
  scene: Scene | null; // null before a game is chosen
  lights: Light[]; // one per lit spot, the same as the rings show
  trying: Trying[];
  status: { disagreements: Disagreement[] };
  troubles: string[]; // what stops the hub itself: keys of the language files, after "trouble."
  restoring: boolean; // true after an undo, until the table has been put back
  clearing: Clearing | null; // while everything goes back into the box
  mode: Mode;
  undo: Undo | null;
  questions: Asked[]; // oldest first
  stations: Station[];
  live: Live[];
  held: Held[]; // what is carried from a player's place and was built on
  happened: Happened[]; // oldest first
  collapse: Collapse | null; // a fall that was confirmed last of all
  lesson: Lesson | null; // what a guided game tells people; null while they play without
  overlay: { hidden: string[]; displays?: Record<string, string> }; // what a producer decided: elements off air, displays that show something else
}

/** One message of the feed. */
export interface FeedEvent {
  schema: number;
  seq: number;
  time: number;
  type: string;
  provisional: boolean;
  data: unknown;
}

export const SCHEMA = 2;

/** Return the table after one more event. The parts of a change are applied together; other events change nothing. */
export function applied(seen: Seen | null, event: FeedEvent): Seen | null {
  if (event.type === "snapshot") return event.data as Seen;
  if (event.type === "change" && seen !== null) return { ...seen, ...(event.data as Partial<Seen>), t_us: event.time };
  return seen;
}
