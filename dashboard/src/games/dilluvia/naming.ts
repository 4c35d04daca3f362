// The names of Dilluvia Project's things and places, and of the words of its actions.

import type { Language } from "../../lib/languages";
import type { Naming } from "../../lib/playing.svelte";
import { onTable } from "../../lib/playing.svelte";
import type { Scene } from "../../lib/seen";
import { count, isWorded, say } from "../../lib/words";
import { boardOf, tilesOf, type Board } from "./board";

/** Name a market tile by what it brings; by its number where no word says that. */
function tile(language: Language, number: string): string {
  const kind = `kind.${(onTable()?.board as Board | null)?.kinds?.[Number(number) - 1]}`;
  if (["kind.other", "kind.unread"].includes(kind) || !isWorded(language, kind)) return say(language, "thing.tile", { n: number });
  return say(language, "thing.tile.kind", { kind: say(language, kind) });
}

function thing(language: Language, name: string): string | null {
  const [kind = "", number = ""] = name.split("/");
  if (kind === "market") return say(language, "thing.at", { n: number }); // a tile that nobody has named yet
  return kind === "tile" ? tile(language, number) : null;
}

function spot(language: Language, name: string): string | null {
  const [room = "", n = "", what = ""] = name.split("/");
  if (room === "market") return say(language, "spot.market", { n });
  return room === "seat" && what === "card" ? say(language, "spot.slot", { n }) : null;
}

/** Return the spot that a value names: a space of the city, or where a zeppelin stands. */
function place(name: string, text: string): string {
  return name === "at" && text ? `${text.includes("/") ? "city" : "berth"}/${text}` : "";
}

/** Name such a spot. */
function placeName(language: Language, text: string): string {
  const berth = /^([a-z]+)([1-4])$/.exec(text);
  if (berth) return say(language, `berth.${berth[1]}`, { n: berth[2]! });
  const [x = "", y = ""] = text.split("/");
  return say(language, "city.cell", { x, y });
}

/** The colours of cubes, in the order in which a board counts them. */
export const COLOURS = ["white", "black", "brown", "purple"];

/** Name cubes by their numbers: "white 2, black 1"; empty for none. */
export function cubesText(language: Language, counts: readonly number[]): string {
  return counts.map((n, k) => (n ? `${say(language, `colour.${COLOURS[k]}`)} ${n}` : "")).filter(Boolean).join(", ");
}

/** Name cubes of several colours, as in "white:1,black:1". */
function cubes(language: Language, text: string): string {
  const each = text.split(",").map((one) => one.split(":"));
  return each.map(([colour, n]) => `${say(language, `colour.${colour}`)} ${n}`).join(", ");
}

function word(language: Language, name: string, text: string): string | null {
  if (name === "cube") return `, ${say(language, `value.${text}`)}`;
  if (name === "spare") return `, ${say(language, "saved", { cubes: cubes(language, text) })}`;
  if (name === "at") return placeName(language, text);
  if (name === "tile") return tile(language, text);
  if (name === "version") return text.toUpperCase();
  if (name === "space") return isWorded(language, `space.${text}`) ? say(language, `space.${text}`) : text;
  return ["colour", "give", "get"].includes(name) ? say(language, `colour.${text}`) : null;
}

/** What an action leaves out, as it is when nobody says otherwise. */
const USUAL: Record<string, string> = { version: "a", cube: "first", shape: "single", count: "1", spare: "none", tile: "none" };

/** Name a space of the market with what can be bought there: its tile, or in the last turn what is printed. */
function marketSpace(language: Language, n: string, scene: Scene | null): string {
  const board = scene && boardOf(scene);
  const tile = board && tilesOf(board).get(Number(n));
  const printed = board?.printed?.[Number(n) - 1];
  const goods = tile ? say(language, `kind.${tile.kind}`) : printed ? say(language, `printed.${printed}`) : "";
  const space = say(language, "value.space", { n });
  return goods ? say(language, "value.space.with", { space, goods }) : space;
}

/** Name an action space, and warn where workers could do nothing. */
function actionSpace(language: Language, text: string, scene: Scene | null): string {
  const name = word(language, "space", text)!;
  return scene && boardOf(scene).idle?.includes(text) ? say(language, "space.idle", { space: name }) : name;
}

/** The action spaces by what they are about. */
const ABOUT: Record<string, string> = { white: "cubes", black: "cubes", brown: "cubes", purple: "cubes", territory: "city", construction: "city", garden: "city", switch: "city", order: "means", income: "means", acquire: "means" };

function group(language: Language, name: string, text: string): string {
  return name === "space" && ABOUT[text] ? say(language, `about.${ABOUT[text]}`) : "";
}

function value(language: Language, name: string, said: string, scene: Scene | null = null): string | null {
  const text = said || (USUAL[name] ?? "");
  if (name.startsWith("space_")) return thing(language, text);
  if (name === "workers") return count(language, "value.workers", Number(text || 1));
  if (name === "space") return Number(text) ? marketSpace(language, text, scene) : actionSpace(language, text, scene);
  if (name === "special") return say(language, text ? "value.special" : "value.plain");
  if (name === "spare" && text.includes(":")) return cubes(language, text);
  if (isWorded(language, `value.${text}`)) return say(language, `value.${text}`);
  return word(language, name, text) ?? text;
}

/** Free ground, and each number of a building, is an action of its own: together there was too much to choose from. */
function variant(key: string, words: Record<string, string>): string {
  if (key === "action.build") return `.${words["number"]}`;
  return key === "action.terrain" && words["free"] ? ".free" : "";
}

export const naming: Naming = { thing, spot, place, word, value, group, variant };
