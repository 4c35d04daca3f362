// Names for spots and things, and sentences made of them.

import type { Asked, Disagreement, Field, Happened, Line, Trying } from "./seen";
import { say, toldIn, type Language, type Words } from "./words";

export interface Platform {
  number: string;
  type: string; // of the side that lies up
}

/** The platform a thing is, or null. */
export function platformOf(thing: string): Platform | null {
  const [word, number, type] = thing.split("/");
  return word === "platform" && number ? { number, type: type ?? "" } : null;
}

/** A building type's or a material's name within a sentence. */
function typeName(language: Language, type: string): string {
  return say(language, `type.${type}`).toLocaleLowerCase(language);
}

/** A thing's name for people. */
export function thingName(language: Language, thing: string): string {
  if (thing === "") return say(language, "thing.something");
  const [word = "", name = "", side = ""] = thing.split("/");
  if (word === "platform" && !side) return say(language, "thing.tile", { name });
  return say(language, `thing.${word}`, { name, type: typeName(language, side) });
}

/** A spot's name for people; several spots of one kind at one seat are named once. */
export function spotName(language: Language, spot: string): string {
  const [room = "", seat = "", kind = ""] = spot.split("/");
  if (room === "city") return spot === "city/0/0" ? say(language, "spot.centre") : say(language, "spot.city", { at: spot.slice(5) });
  if (room === "seat") return say(language, `spot.${kind}`, { seat });
  return say(language, `spot.${seat}`, { type: typeName(language, kind) });
}

export function spotNames(language: Language, spots: readonly string[]): string {
  return [...new Set(spots.map((spot) => spotName(language, spot)))].join(say(language, "or"));
}

/** What the people are to put right: what the hub says about it, and what to do. */
export function instruction(language: Language, wrong: Disagreement): string {
  const words = {
    thing: thingName(language, wrong.thing),
    spots: spotNames(language, wrong.spots),
    to: spotNames(language, wrong.to),
    rule: wrong.rule,
  };
  const told = toldIn(language, wrong.text);
  if (!told) return say(language, `wrong.${wrong.kind}${wrong.to.length ? ".to" : ""}`, words);
  const undo = say(language, wrong.to.length ? "wrong.unexpected.to" : "wrong.unexpected", words);
  return `${told}${wrong.rule ? ` (${wrong.rule})` : ""} ${undo}`;
}

/** Words of a line with types, spots and materials named in the language. */
function named(language: Language, words: Words, seat: number | null): Words {
  const better: Words = { ...words, seat: String(seat ?? "") };
  for (const name of ["announced", "column", "type"])
    if (words[name]) better[name] = typeName(language, words[name]);
  if (words["spot"]) better["spot"] = spotName(language, words["spot"]);
  return better;
}

/** One line of the ticker, or an action that is tried; without the seat, which stands before it as a badge. */
export function lineText(language: Language, line: Happened | Trying): string {
  return say(language, line.key + special(line.key, line.words), named(language, line.words, line.seat));
}

/** Some acts are worded otherwise with some of their arguments. */
function special(key: string, words: Words): string {
  if (key === "action.deliver" && words["stood"] === "no") return ".fell";
  return key === "action.take_pieces" && words["announced"] ? ".announced" : "";
}

/** The words of a form: a field's name, and one of its choices; an act of another seat than the asked one says whose. */
export function fieldName(language: Language, field: Field): string {
  return say(language, `field.${field.name.split("/")[0]}`); // revealed/0 is one of several of a kind
}

export function choiceText(language: Language, choice: string, asked: number | null = null): string {
  const [who = "", verb = "", ...rest] = choice.split(" ");
  if (platformOf(choice)) return thingName(language, choice);
  if (choice.startsWith("city/")) return spotName(language, choice);
  if (!/^(p\d|table)$/.test(who)) return say(language, `choice.${choice}`);
  const words = Object.fromEntries(rest.map((part) => part.split("=") as [string, string]));
  const seat = who.startsWith("p") ? Number(who.slice(1)) : null;
  const text = say(language, `action.${verb}${special(`action.${verb}`, words)}`, named(language, words, seat));
  return seat && asked && seat !== asked ? say(language, "seat.does", { seat: String(seat), text }) : text;
}

/** One of the values that people choose from when they say what was done; "key" is the verb itself. */
export function sayableText(language: Language, name: string, value: string): string {
  switch (name) {
    case "key":
      return say(language, `say.do.${value.replace("action.", "")}`);
    case "at":
    case "park":
      return spotName(language, `city/${value}`);
    case "platform":
      return thingName(language, `platform/${value}`);
    case "column":
      return typeName(language, value);
    case "announced":
      return value ? typeName(language, value) : say(language, "say.announced.none");
    case "revealed":
      return value === "?" ? say(language, "blank.untold") : thingName(language, `platform/${value}`);
    case "stood":
      return say(language, `say.stood.${value}`);
    default:
      return value;
  }
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
