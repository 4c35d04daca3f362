// The names of Comeback City's things and places, and of the words of its actions.

import type { Language } from "../../lib/languages";
import type { Naming } from "../../lib/playing.svelte";
import { isWorded, say } from "../../lib/words";

function thing(language: Language, name: string): string | null {
  const [word = "", id = ""] = name.split("/");
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
  return ["part", "parts", "reward"].includes(name) && text ? say(language, `value.${text}`) : null;
}

function value(language: Language, name: string, text: string): string | null {
  if (name === "moved_from") return text ? place(language, text) : say(language, "value.moved_from.none");
  if (name === "disaster") return say(language, `disaster.${text}`);
  const own = word(language, name, text);
  return own ?? (isWorded(language, `value.${text}`) ? say(language, `value.${text}`) : null);
}

export const naming: Naming = { thing, spot, word, value };
