// What may be done at the stations, and the work under way: `GET /api/care`. docs/reference/feed.md describes it.

import { spotName, stationName } from "../lib/table";
import { count, isWorded, say, type Language, type Words } from "../lib/words";

export type Task = "adopt" | "calibrate" | "level" | "examine" | "update";

export interface Step {
  deed: "empty" | "put" | "swap" | "empty_again" | "lower" | "write";
  spot: string;
  grams: number;
  block_mm: number;
}

export interface Work {
  task: Task;
  about: string; // a board, a station or a spot
  name: string; // the place that a board takes
  state: "runs" | "asks" | "refuses" | "done" | "failed";
  no: number; // of what is asked now
  number: number; // of the task, of so many
  tasks: number;
  what: "" | "scale" | "crane";
  spot: string;
  step: Step | null;
  why: Words;
  good: { what: string; spot: string; verdict: Words }[];
  left: string[];
  rests: { spot: string; good: boolean; text: Words }[];
  figures: string[];
  says: Words; // how far an update is
  found: Found[];
}

/** A line of an examination. */
export interface Found {
  spot: string;
  cell: number | null;
  what: Words;
  seen: Words;
  check: Words; // empty where all is well
}

export interface Place {
  station: string;
  kind: string;
  spots: string[];
  planned: boolean;
}

export interface Bench {
  station: string;
  scales: string[];
  cranes: number;
  tasks: number;
  done: number;
}

/** A station that is there, and its program. */
export interface Running {
  station: string;
  firmware: string;
  bundle: string; // empty: flashed by USB
  newest: boolean;
}

export interface Care {
  can: Task[];
  newcomers: { uid: string; hardware: string; firmware: string }[];
  places: Place[];
  benches: Bench[];
  running: Running[];
  work: Work | null;
  by_the_file?: boolean; // the table plays by the plan file as it is
}

/** What is to be calibrated, and with what. */
export interface Calibrating {
  station: string;
  spot: string; // empty for all of the station
  first: number; // grams
  second: number;
  blocks: string; // millimetres
  anew: boolean;
}

/** What the host wants of the hub: a body of `POST /api/care`. */
export type Wish = Record<string, unknown> & { do: string };

/** Return whether the hub is still at it. */
export function isUnderWay(work: Work | null): boolean {
  return work !== null && work.state !== "done" && work.state !== "failed";
}

/** Return whether a line of an examination says what to check. */
export function isWrong(one: Found): boolean {
  return Object.keys(one.check).length > 0;
}

/** Return what the host is asked to do, as a sentence. */
export function stepText(language: Language, step: Step): string {
  const words = { spot: placeInWords(language, step.spot), grams: String(step.grams), block: String(step.block_mm) };
  const bare = step.deed === "lower" && !step.block_mm ? ".bare" : "";
  return say(language, `care.step.${step.deed}${bare}`, words);
}

/** Return a station's name, as it begins a line. */
export function named(language: Language, station: string): string {
  const name = stationName(language, station);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Return a spot's name as people find it on the table, the seats' counted from 1. */
export function placeInWords(language: Language, spot: string): string {
  const name = spotName(language, spot);
  return spot.startsWith("city/") && name !== spot.replaceAll("/", " ") ? name : placeName(language, spot);
}

/** Return a spot's name for a table of figures, the seats' counted from 1; a hex has its place in the city, as the plan file writes it. */
export function placeName(language: Language, spot: string): string {
  const [room = "", seat = "", kind = "", k = "0"] = spot.split("/");
  const n = String(Number(k) + 1);
  if (spot === "city/0/0") return say(language, "station.park");
  if (room === "city") return say(language, "care.hex", { at: `${seat}/${kind}` });
  if (room === "seat" && isWorded(language, `care.at.${kind}`)) return say(language, `care.at.${kind}`, { seat, n });
  const name = spotName(language, spot);
  const own = isWorded(language, `care.at.${room}`) && name === spot.replaceAll("/", " "); // no game names it now
  if (own) return say(language, `care.at.${room}`, { x: seat, y: kind });
  const last = Number(spot.split("/").at(-1));
  return /\d/.test(name) || Number.isNaN(last) ? name : `${name} ${String(last + 1)}`; // the game has one name for all of them
}

/** Return a place's spots in a few words: how many pads, cards and hexes there are. */
export function spotsText(language: Language, spots: readonly string[]): string {
  const kinds = new Map<string, number>();
  for (const spot of spots) {
    const [room = "", ...rest] = spot.split("/");
    const kind = room === "seat" ? (rest[1] ?? room) : room;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds]
    .map(([kind, n]) => {
      const key = `care.spots.${kind}.${n === 1 ? "one" : "many"}`;
      return isWorded(language, key) ? say(language, key, { n: String(n) }) : count(language, "care.spots.place", n);
    })
    .join(", ");
}

/** Return the numbers in a text, such as "20, 50, 100". */
export function numbersIn(text: string): number[] {
  return text
    .split(/[,;\s]+/)
    .map((part) => Number.parseFloat(part))
    .filter((one) => one > 0);
}
