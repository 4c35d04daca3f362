// The names of Comeback City's things and places, and of the words of its actions.

import type { Language, Words } from "../../lib/languages";
import type { Naming } from "../../lib/playing.svelte";
import { isWorded, say } from "../../lib/words";

function thing(language: Language, name: string): string | null {
  const [word = "", id = ""] = name.split("/");
  if (["grid", "seat"].includes(word)) return say(language, "thing.at", { spot: spot(language, name) ?? "" }); // nobody has named it yet
  if (word === "disaster") return say(language, "thing.disaster", { name: say(language, `disaster.${id}`) });
  return ["building", "bonus"].includes(word) ? say(language, `thing.${word}`, { name: id }) : null;
}

function spot(language: Language, name: string): string | null {
  const [room = "", column = "", row = "", slot = ""] = name.split("/");
  if (room === "grid") return say(language, "spot.grid", { column, row });
  if (room === "seat" && row === "card") return say(language, slot === "0" ? "spot.flipped" : "spot.hand");
  return ["aside", "bonus", "disaster"].includes(room) ? say(language, `spot.${room}`) : null;
}

function place(language: Language, text: string): string {
  const [column = "", row = ""] = text.split("/");
  return say(language, "spot.grid", { column, row });
}

/** Name places, zones and values in sentences; a card stays its id. */
function word(language: Language, name: string, text: string): string | null {
  if (name === "at") return text ? place(language, text) : null;
  if (name === "zone") return say(language, `zone.${text}`);
  if (name === "disaster" && text) return say(language, `disaster.${text}`);
  return ["part", "parts", "reward"].includes(name) && text ? say(language, `value.${text}`) : null;
}

function value(language: Language, name: string, text: string): string | null {
  if (name === "moved_from") return text ? place(language, text) : say(language, "value.moved_from.none");
  const own = word(language, name, text);
  return own ?? (isWorded(language, `value.${text}`) ? say(language, `value.${text}`) : null);
}

/** What came out of an action has a text of its own: three cards that were flipped are told apart. */
function variant(key: string, words: Words): string {
  const out = ["card", "disaster", "blue"].find((name) => words[name]);
  return ["action.flip", "action.strike", "action.roll"].includes(key) && out ? ".known" : "";
}

export const naming: Naming = { thing, spot, word, value, variant };
