// Names for spots and things, and sentences made of them.

import type { Asked, Disagreement, Field, Happened, Line, Trying } from "./seen";
import { playing } from "./playing.svelte";
import { isWorded, say, toldIn, type Language, type Words } from "./words";

/** A thing's name for people. */
export function thingName(language: Language, thing: string): string {
  if (thing === "") return say(language, "thing.something");
  return playing()?.naming.thing?.(language, thing) ?? thing.replaceAll("/", " ");
}

/** A spot's name for people; several spots of one kind at one seat may have one name. */
export function spotName(language: Language, spot: string): string {
  const own = playing()?.naming.spot?.(language, spot);
  if (own) return own;
  const [room, number = "", ...place] = spot.split("/");
  if (room !== "seat") return spot.replaceAll("/", " ");
  return `${say(language, "seat", { seat: number })} ${place.join(" ")}`.trim();
}

export function spotNames(language: Language, spots: readonly string[]): string {
  return [...new Set(spots.map((spot) => spotName(language, spot)))].join(say(language, "or"));
}

/** What the people are to put right: what the hub says about it, and what to do. */
export function instruction(language: Language, wrong: Disagreement): string {
  const words = {
    thing: wrong.kind === "station_silent" ? wrong.thing : thingName(language, wrong.thing), // a station has one name
    spots: spotNames(language, wrong.spots),
    to: spotNames(language, wrong.to),
    rule: wrong.rule,
  };
  const told = toldIn(language, wrong.text);
  if (!told) return say(language, `wrong.${wrong.kind}${wrong.to.length ? ".to" : ""}`, words);
  const undo = say(language, wrong.to.length ? "wrong.unexpected.to" : "wrong.unexpected", words);
  return `${told}${wrong.rule ? ` (${wrong.rule})` : ""} ${undo}`;
}

/** Words of a line, named in the language as the game names them. */
function named(language: Language, words: Words, seat: number | null): Words {
  const word = playing()?.naming.word;
  const entries = Object.entries(words).map(([name, value]) => [name, word?.(language, name, value) ?? value]);
  const better: Words = { ...Object.fromEntries(entries), seat: String(seat ?? "") };
  if (words["spot"]) better["spot"] = spotName(language, words["spot"]);
  return better;
}

/** One line of the ticker, or an action that is tried; without the seat, which stands before it as a badge. */
export function lineText(language: Language, line: Happened | Trying): string {
  const key = line.key + variant(line.key, line.words);
  const words = named(language, line.words, line.seat);
  if (isWorded(language, key)) return say(language, key, words);
  return [say(language, key), ...Object.keys(line.words).map((name) => `${name} ${words[name]}`)].join(", ");
}

/** Some acts are worded otherwise with some of their words. */
function variant(key: string, words: Words): string {
  return playing()?.naming.variant?.(key, words) ?? "";
}

/** The words of a form: a field's name, and one of its choices; an act of another seat than the asked one says whose. */
export function fieldName(language: Language, field: Field): string {
  return say(language, `field.${field.name.split("/")[0]}`); // revealed/0 is one of several of a kind
}

export function choiceText(language: Language, choice: string, asked: number | null = null): string {
  const [who = "", verb = "", ...rest] = choice.split(" ");
  if (/^(city|seat|supply)\//.test(choice)) return spotName(language, choice);
  if (/^[\w-]+\//.test(choice)) return thingName(language, choice);
  if (!/^(p\d|table)$/.test(who)) return say(language, `choice.${choice}`);
  const words = Object.fromEntries(rest.map((part) => part.split("=") as [string, string]));
  const seat = who.startsWith("p") ? Number(who.slice(1)) : null;
  const text = say(language, `action.${verb}${variant(`action.${verb}`, words)}`, named(language, words, seat));
  return seat && asked && seat !== asked ? say(language, "seat.does", { seat: String(seat), text }) : text;
}

/** One of the values that people choose from when they say what was done; "key" is the verb itself. */
export function sayableText(language: Language, name: string, value: string): string {
  if (name === "key") return say(language, `say.do.${value.replace("action.", "")}`);
  return playing()?.naming.value?.(language, name, value) ?? value;
}

/** What an open question waits for: what the seat knows that is asked, what others think of it, or a way out. */
export function questionText(language: Language, asked: Asked): string {
  const which = asked.words["refused"] ? ".refused" : isVote(asked) ? ".voted" : "";
  return say(language, `ask.${asked.prompt}${which}`, named(language, asked.words, asked.seat));
}

/** Whether nothing is asked of this viewer, or of anybody, but what the others think. */
function isVote(asked: Asked): boolean {
  if (asked.fields.length) return asked.fields.every((field) => field.voters !== null);
  return asked.seat !== null && asked.waiting.length > 0 && !asked.waiting.includes(asked.seat);
}

/** What a line of a score is for. */
export function reasonText(language: Language, line: Line): string {
  return say(language, `score.${line.reason}`, named(language, line.words, null));
}

/** What all lines of a kind are for. */
export function reasonName(language: Language, reason: string): string {
  return say(language, `reason.${reason}`);
}
