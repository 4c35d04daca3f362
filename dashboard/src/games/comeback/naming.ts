// The names of Comeback City's things and places, and of the words of its actions.

import type { Language, Words } from "../../lib/languages";
import { onTable, type Naming } from "../../lib/playing.svelte";
import type { Scene } from "../../lib/seen";
import { isWorded, say } from "../../lib/words";
import { boardOf, taskOf, type Board } from "./board";

function thing(language: Language, name: string): string | null {
  const [word = "", id = ""] = name.split("/");
  if (["grid", "seat"].includes(word)) return say(language, "thing.at", { spot: spot(language, name) ?? "" }); // nobody has named it yet
  if (word === "disaster") return say(language, "thing.disaster", { name: say(language, `disaster.${id}`) });
  if (word === "bonus") return say(language, "thing.bonus", { name: bonusName(language, id) });
  return word === "building" ? say(language, "thing.building", { name: id }) : null;
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

/** Name a zoning bonus that lies on the table by what it asks for, and any other by its id. */
function bonusName(language: Language, id: string): string {
  const card = (onTable()?.board as Board | null)?.bonuses?.find((one) => one.card === id);
  return card?.condition ? say(language, "bonus.task", { task: taskOf(language, card) }) : id;
}

/** Name a card as it lies on the table, or as the house deck calls it; a card that no list names stays its id. */
function cardName(language: Language, id: string): string {
  const scene = onTable();
  const board = scene?.board as Board | null | undefined;
  const there = [board?.flipped, ...(board?.cells ?? [])].find((one) => one?.card === id)?.name?.[language];
  return there || (scene?.origin === "house" && isWorded(language, `card.${id}`) ? say(language, `card.${id}`) : id);
}

/** Name cards, places, zones and values in sentences. */
function word(language: Language, name: string, text: string): string | null {
  if (name === "card" && text) return cardName(language, text);
  if (name === "at") return text ? place(language, text) : null;
  if (name === "bonus") return bonusName(language, text);
  if (name === "zone") return say(language, `zone.${text}`);
  if (name === "disaster" && text) return say(language, `disaster.${text}`);
  return ["part", "parts", "reward"].includes(name) && text ? say(language, `value.${text}`) : null;
}

/** Return what a severity brings and costs. */
function level(language: Language, text: string, { disaster = "", severities = [] }: Board): string | null {
  const effect = severities.find((one) => String(one.level) === text);
  if (!effect) return null;
  const words = { level: text, lost: String(effect.lost), rubble: String(effect.rubble) };
  return say(language, `level.${disaster}`, words) + (effect.cut ? say(language, "level.cut") : "");
}

/** Return what a zoning bonus asks for, and its helper. */
function bonus(language: Language, text: string, { bonuses = [] }: Board): string | null {
  const card = bonuses.find((one) => one.card === text);
  return card?.condition ? say(language, "value.bonus", { task: taskOf(language, card), helper: say(language, `helper.${card.helper}`) }) : null;
}

function value(language: Language, name: string, text: string, scene: Scene | null): string | null {
  if (name === "moved_from") return text ? place(language, text) : say(language, "value.moved_from.none");
  if (scene && name === "level") return level(language, text, boardOf(scene));
  if (scene && name === "bonus") return bonus(language, text, boardOf(scene));
  const own = name === "card" ? null : word(language, name, text); // whoever chooses one of many looks for what stands in its corner
  return own ?? (isWorded(language, `value.${text}`) ? say(language, `value.${text}`) : null);
}

/** What came out of an action has a text of its own: three cards that were flipped are told apart. */
function variant(key: string, words: Words): string {
  const out = ["card", "disaster", "blue"].find((name) => words[name]);
  return ["action.flip", "action.strike", "action.roll"].includes(key) && out ? ".known" : "";
}

export const naming: Naming = { thing, spot, word, value, variant };
