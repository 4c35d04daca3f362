// Names for spots and things, and sentences made of them.

import type { Asked, Disagreement, Field, Happened, Line, Scene, Trying } from "./seen";
import { playing } from "./playing.svelte";
import { begun, count, isWorded, listed, say, toldIn, type Language, type Words } from "./words";

/** Return the name of a thing. */
export function thingName(language: Language, thing: string): string {
  if (thing === "") return say(language, "thing.something");
  return playing()?.naming.thing?.(language, thing) ?? thing.replaceAll("/", " ");
}

/** Return the name of a spot; several spots of one kind at one seat may have the same name. */
export function spotName(language: Language, spot: string): string {
  const own = playing()?.naming.spot?.(language, spot);
  if (own) return own;
  const [room, number = "", ...place] = spot.split("/");
  if (room !== "seat") return spot.replaceAll("/", " ");
  return `${say(language, "seat", { seat: number })} ${place.join(" ")}`.trim();
}

/** Return the names of spots of which one is meant. */
function spotNames(language: Language, spots: readonly string[]): string {
  return [...new Set(spots.map((spot) => spotName(language, spot)))].join(say(language, "or"));
}

/** Return the name of a station: the part of the table that it serves. */
export function stationName(language: Language, station: string): string {
  const [kind = "", number = ""] = station.split("-");
  return isWorded(language, `station.${kind}`) ? say(language, `station.${kind}`, { n: number }) : station;
}

const NAMED = 3; // more places than this are counted

/** Return the places as part of a sentence; a long list ends with the number of the rest. */
export function placesText(language: Language, spots: readonly string[]): string {
  const names = [...new Set(spots.map((spot) => spotName(language, spot)))];
  if (names.length <= NAMED + 1) return listed(language, names);
  return listed(language, [...names.slice(0, NAMED), count(language, "places", names.length - NAMED)]);
}

/** Return where sensors have failed. Several places are counted: the stations page names them. */
function failedAt(language: Language, spots: readonly string[]): string {
  const [first = "", ...others] = new Set(spots.map((spot) => spotName(language, spot)));
  return others.length ? count(language, "spots", spots.length) : first;
}

/** Return what is not an alarm yet: why a thing may not stay, or that somebody holds it. */
export function calmText(language: Language, one: Disagreement): string {
  if (one.kind === "refused") return toldIn(language, one.text) || thingName(language, one.thing);
  if (isWorded(language, `in_hand.${one.thing}`)) return say(language, `in_hand.${one.thing}`);
  return say(language, "in_hand", { thing: thingName(language, one.thing) });
}

/** What the people should put right: what to do, and the hub's reason, if it gives one. */
export interface Instruction {
  todo: string;
  why: string;
}

/** Return what the people should put right, as the wall shows it: a light shows the place of what is refused, and nobody looks a rule up. */
export function instructionOnWall(language: Language, wrong: Disagreement): Instruction {
  return instructed(language, wrong, ".lit");
}

/** Return what the people should put right: the hub's reason with its rule, and what to do. */
export function instruction(language: Language, wrong: Disagreement): string {
  const { todo, why } = instructed(language, wrong, "");
  return why ? `${why}${wrong.rule ? ` (${wrong.rule})` : ""} ${todo}` : todo;
}

function instructed(language: Language, wrong: Disagreement, lit: string): Instruction {
  const words = {
    thing: wrong.kind === "station_silent" ? stationName(language, wrong.thing) : thingName(language, wrong.thing),
    spots: wrong.kind === "sensor_fault" ? failedAt(language, wrong.spots) : spotNames(language, wrong.spots),
    to: spotNames(language, wrong.to),
    rule: wrong.rule,
    grams: Math.abs(wrong.grams).toLocaleString(language),
  };
  if (wrong.grams) return { todo: say(language, wrong.grams > 0 ? "wrong.mass.more" : "wrong.mass.less", words), why: "" };
  const why = toldIn(language, wrong.text);
  if (wrong.kind === "unclear") return { todo: why, why: "" };
  if (!why) return { todo: say(language, `wrong.${wrong.kind}${wrong.to.length ? ".to" : ""}`, words), why };
  return { todo: say(language, `wrong.unexpected${wrong.to.length ? ".to" : lit}`, words), why };
}

/** Return the words of a line with the names that the game gives them, and those that these imply. */
function named(language: Language, words: Words, seat: number | null): Words {
  const word = playing()?.naming.word;
  const entries = Object.entries(words).map(([name, value]) => [name, word?.(language, name, value) ?? value]);
  const better: Words = { ...playing()?.naming.more?.(language, words), ...Object.fromEntries(entries), seat: String(seat ?? words["seat"] ?? "") };
  if (words["spot"]) better["spot"] = spotName(language, words["spot"]);
  if (words["station"]) better["station"] = stationName(language, words["station"]);
  return better;
}

/** Return the text of a line or of an unconfirmed action, without the seat, which is shown as a badge. */
export function lineText(language: Language, line: Happened | Trying): string {
  const own = line.key + variant(line.key, line.words);
  const tried = "no" in line ? "" : `${own}.tried`; // it lies before everybody's eyes, and a few words are enough
  const key = [tried, own].find((one) => isWorded(language, one)) ?? line.key;
  const words = named(language, line.words, line.seat);
  if (isWorded(language, key)) return acted(language, key, words);
  return [say(language, key), ...Object.keys(line.words).map((name) => `${name} ${words[name]}`)].join(", ");
}

/** Return the text of an action, or of what it brought. Its notation leaves out what is as usual, and so does the text. */
function acted(language: Language, key: string, words: Words): string {
  return say(language, key, words).replace(/( \(| ?: )?\{\w+\}\)?/g, "");
}

/** Return what is added to the key of an action whose text depends on its words. */
function variant(key: string, words: Words): string {
  return playing()?.naming.variant?.(key, words) ?? "";
}

/** Return the name of a form's field. */
export function fieldName(language: Language, field: Field): string {
  return say(language, `field.${field.name.split("/")[0]}`); // revealed/0 is one of several fields of a kind
}

/** Return texts one after the other; what comes several times stands there once, with its number. */
function listText(language: Language, texts: string[]): string {
  const times = (text: string): number => texts.filter((other) => other === text).length;
  const counted = (text: string): string => {
    const n = times(text);
    return n === 1 ? text : say(language, n === 2 ? "twice" : "times", { text, n: String(n) });
  };
  return [...new Set(texts)].map(counted).join("; ");
}

/** Return the text of a choice: a spot, a thing, an action, several actions joined by " | ", or a word. */
export function choiceText(language: Language, choice: string, asked: number | null = null): string {
  if (/^(city|seat|supply)\//.test(choice)) return spotName(language, choice);
  if (/^[\w-]+\//.test(choice)) return thingName(language, choice);
  if (!/^(p\d|table) /.test(choice)) return say(language, `choice.${choice}`);
  const text = listText(language, choice.split(" | ").map((act) => didText(language, act, asked)));
  return begun(language, text);
}

/** Return the text of an action that somebody may have done, with their seat where another player is `asked`. */
function didText(language: Language, act: string, asked: number | null): string {
  const [who = "", verb = "", ...rest] = act.split(" ");
  const words = Object.fromEntries(rest.map((part) => part.split("=") as [string, string]));
  const seat = who.startsWith("p") ? Number(who.slice(1)) : null;
  const key = verb + variant(`action.${verb}`, words);
  const did = `did.${key}`; // people are asked what they have done
  const text = acted(language, isWorded(language, did) ? did : `action.${key}`, named(language, words, seat));
  return seat && asked && seat !== asked ? say(language, "seat.does", { seat: String(seat), text }) : text;
}

/** Return the text of what a player may do: an action's kind. */
export function mayText(language: Language, kind: string): string {
  const key = kind.replace("action", "may.do");
  return isWorded(language, key) ? say(language, key) : sayableText(language, "key", kind);
}

/** Return the text of a value that people choose when they report an action; "key" is the action itself. */
export function sayableText(language: Language, name: string, value: string, scene: Scene | null = null): string {
  if (name === "key") return say(language, `say.do.${value.replace("action.", "")}`);
  return playing()?.naming.value?.(language, name, value, scene) ?? value;
}

/** Return the values of a choice by the titles that the game gives to groups of them, in the order of their first ones. */
export function grouped(language: Language, name: string, values: readonly string[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const value of values) {
    const title = playing()?.naming.group?.(language, name, value) ?? "";
    groups.set(title, [...(groups.get(title) ?? []), value]);
  }
  return [...groups];
}

/** Return the text of an open question: for the seat that is asked, for the voters, or after the majority said no. */
export function questionText(language: Language, asked: Asked): string {
  const which = asked.words["refused"] ? ".refused" : isVote(asked) ? ".voted" : "";
  const own = toldIn(language, asked.texts?.[""] ?? {});
  return own || say(language, `ask.${asked.prompt}${which}`, named(language, asked.words, asked.seat));
}

/** Report whether only votes are missing, from this viewer or from anybody. */
function isVote(asked: Asked): boolean {
  if (asked.fields.length) return asked.fields.every((field) => field.voters !== null);
  return asked.seat !== null && asked.waiting.length > 0 && !asked.waiting.includes(asked.seat);
}

/** Return the reason for a line of a score. */
export function reasonText(language: Language, line: Line): string {
  return acted(language, `score.${line.reason}`, named(language, line.words, null));
}

/** Return the common name of all lines with this reason. */
export function reasonName(language: Language, reason: string): string {
  return say(language, `reason.${reason}`);
}
