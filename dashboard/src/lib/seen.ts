// What the hub tells this screen: the feed's events and the table as one viewer sees it.
// The hub's values are described in docs/reference/feed.md; a screen draws them and knows no rules.

/** A light on a spot: what it means, never how it looks. */
export interface Light {
  spot: string;
  role: string; // a role of roles.json
  seat: number | null; // where the role belongs to a player
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
  name: string; // empty where nobody said it
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
  lights: Light[]; // of the game alone; `Seen.lights` is what shows
  heights_mm: Record<string, number>; // spot -> what stands there, measured and confirmed
  piles: Pile[]; // what lies where, for screens that have no board of this game
  ended: string; // by what the game ended, in a word of its own; empty while it goes on
  winners: number[]; // none in a game that everybody lost
  origin: string; // of the cards: house, owner
  board: unknown; // what the game adds; only its own screens know it
}

export const MODES = ["enforce", "advise", "record"] as const;

/** What is made of acts that a rule forbids. */
export type Mode = (typeof MODES)[number];

/** An action that is proposed and not confirmed. */
export interface Trying {
  key: string;
  words: Record<string, string>;
  seat: number | null;
  stage: string; // seen, sure, asked
  spots: string[];
  action: string; // in notation: what a tap names
  confidence: number; // 0 to 1
  grounds: string[]; // said, fell, tags, weight
  doubts: string[]; // differs, new, others, hand, moving, unread
  breaks: string; // the rule it breaks, where the mode takes it and shows rules
}

/** An undo that a player asks the others for. */
export interface Undo {
  seat: number;
  to: number;
  why: string;
  lines: Happened[]; // what it takes back, oldest first
  waiting: number[]; // seats that have to agree yet
  agreed: number[];
  until_us: number;
}

/** How far clearing up has come. */
export interface Clearing {
  lying: number; // spots to be emptied
  counted: number; // components
  components: number;
  unseen: string[]; // components that were not counted yet
  silent: string[]; // stations
  bag: { mass_g: number | null; short_g: number | null; short_pieces: number | null } | null; // null: it is not weighed
  closed: boolean;
  ready: boolean;
}

/** One difference between table and game, told as an instruction. */
export interface Disagreement {
  kind: string;
  spots: string[];
  thing: string;
  to: string[];
  rule: string;
  action: string; // what was done against the rule, in notation
  text: Record<string, string>; // language -> sentence
}

/** One thing that is asked. */
export interface Field {
  name: string;
  kind: "count" | "mm" | "choice" | "yesno";
  proposed: number | string | boolean | null; // the sensible answer
  choices: string[];
  low: number;
  high: number;
  voters: number[] | null; // seats that are asked for a yes or no each, instead of the question's own
  criteria: string[]; // what they look at: keys of the language files, after "criterion."
}

/** An open question. */
export interface Asked {
  id: string;
  seat: number | null; // null: the whole table
  prompt: string; // a key of the language files, after "ask."
  words: Record<string, string>;
  fields: Field[]; // only for those who may answer
  waiting: number[]; // seats that have not answered yet; empty where it is the whole table's
  about: string;
}

/** How a station does. */
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

/** The whole table as this viewer sees it. */
export interface Seen {
  t_us: number; // hub time
  table: string;
  scene: Scene | null; // null before a game was chosen
  lights: Light[]; // one per lit spot, the same as the rings show
  trying: Trying[];
  status: { disagreements: Disagreement[] };
  troubles: string[]; // what keeps the hub from its work: keys of the language files, after "trouble."
  restoring: boolean; // after an undo the table is still to be put back
  clearing: Clearing | null; // while everything goes back into the box
  mode: Mode;
  undo: Undo | null;
  questions: Asked[]; // oldest first
  stations: Station[];
  live: Live[];
  happened: Happened[]; // oldest first
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

/** The table after one more event. Parts of one change are taken together; other kinds of events change nothing. */
export function applied(seen: Seen | null, event: FeedEvent): Seen | null {
  if (event.type === "snapshot") return event.data as Seen;
  if (event.type === "change" && seen !== null) return { ...seen, ...(event.data as Partial<Seen>), t_us: event.time };
  return seen;
}
