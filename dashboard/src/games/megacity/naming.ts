// The names of MegaCity's things and places, and of the words of its actions.

import type { Language, Words } from "../../lib/languages";
import { onTable, type Naming } from "../../lib/playing.svelte";
import type { Scene } from "../../lib/seen";
import { spotName } from "../../lib/table";
import { count, say } from "../../lib/words";
import { boardOf, contractsOf, type Board, type Card } from "./board";
import { centre, distance, hexOf } from "./hexes";

/** Return the name of a building type or a material within a sentence. */
function typeName(language: Language, type: string): string {
  return say(language, `type.${type}`).toLocaleLowerCase(language);
}

function thing(language: Language, name: string): string | null {
  const [word = "", number = "", side = ""] = name.split("/");
  if (word === "platform" && !side) return say(language, "thing.tile", { name: number });
  if (word === "contract") return contractName(language, number);
  return say(language, `thing.${word}`, { name: number, type: typeName(language, side) });
}

const SAME_WAY: Record<number, number> = { 30: 19, 150: 161, 210: 199, 330: 341 }; // in degrees: ways between two neighbours in the second ring

/** Return where a hex lies from Central Park, as the wall shows it: how many steps, and which way. Each of them has a name of its own. */
function where(language: Language, name: string): string | null {
  const hex = hexOf(name);
  if (!hex) return null;
  const steps = distance(hex, { q: 0, r: 0 });
  if (!steps) return say(language, "spot.centre");
  const { x, y } = centre(hex, 1);
  const degrees = (Math.round((Math.atan2(x, -y) * 180) / Math.PI) + 360) % 360;
  return count(language, "where", steps, { way: say(language, `way.${SAME_WAY[degrees] ?? degrees}`) });
}

function spot(language: Language, name: string): string | null {
  const [room = "", seat = "", kind = ""] = name.split("/");
  if (room === "city") return where(language, name);
  if (room === "seat") return say(language, `spot.${kind}`, { seat });
  return say(language, `spot.${seat}`, { type: typeName(language, kind) });
}

/** Return the platforms that players and the supply have. */
function lying(scene: Scene | null): string[] {
  const board = scene && boardOf(scene);
  return board ? [...board.supply, ...board.areas.flatMap(({ platforms }) => platforms)] : [];
}

/** Return the contracts that lie open. */
function cardsOf(board: Board | null): Card[] {
  return board ? [...Object.values(board.columns), board.landmarks, ...board.areas.map(contractsOf)].flat() : [];
}

/** Return the card of a contract that lies open. */
function cardOf(board: Board | null, name: string): Card | undefined {
  return cardsOf(board).find((one) => one.name === name);
}

/** Return MegaCity's board as it lies on the table. */
function board(): Board | null {
  const scene = onTable();
  return scene?.game === "megacity" ? boardOf(scene) : null; // another game may just have begun
}

/** Return a contract by what it is: a box need not have printed codes. `built`: by the building for it, if that stands. */
function contractName(language: Language, name: string, built = false): string {
  const card = cardOf(board(), name);
  const tile = board()?.tiles.find((one) => one.contract === name);
  const type = typeName(language, (card ?? tile)?.colour ?? "");
  if (card?.height_mm) return say(language, card.landmark ? "contract.landmark" : "contract.open", { type, mm: String(card.height_mm) });
  if (built && tile?.height_mm) return say(language, "contract.built", { type, mm: String(tile.height_mm) });
  return say(language, card || tile ? "contract.bare" : "thing.contract", { name, type });
}

/** Return a contract with what it asks for, as far as its card lies open: "public, 30 mm, 6+ pieces". A code tells two that are alike apart. */
function contract(language: Language, name: string, scene: Scene | null): string {
  const told = (card: Card): string => [typeName(language, card.colour), ...(card.height_mm ? [`${card.height_mm} mm`, say(language, "pieces.many", { n: `${card.pieces}${card.plus ? "+" : ""}` })] : [])].join(", ");
  const all = cardsOf(scene && boardOf(scene));
  const card = all.find((one) => one.name === name);
  if (!card) return contractName(language, name);
  return all.some((other) => other.name !== name && told(other) === told(card)) ? `${told(card)} (${name})` : told(card);
}

/** Return the spot that a value names. */
function place(name: string, text: string): string {
  return text && ["at", "park"].includes(name) ? `city/${text}` : "";
}

function value(language: Language, name: string, text: string, scene: Scene | null): string | null {
  switch (name) {
    case "at":
    case "park":
      return spotName(language, `city/${text}`);
    case "platform":
      return thing(language, lying(scene).find((one) => one.startsWith(`platform/${text}/`)) ?? `platform/${text}`);
    case "contract":
      return contract(language, text, scene);
    case "column":
      return typeName(language, text);
    case "announced":
      return text ? typeName(language, text) : say(language, "say.announced.none");
    case "revealed":
      return text === "?" ? say(language, "blank.untold") : thing(language, `platform/${text}`);
    case "seat":
      return say(language, "seat", { seat: text });
    case "stood":
      return say(language, `say.stood.${text}`);
    default:
      return null;
  }
}

function variant(key: string, words: Words): string {
  if (key === "action.deliver" && words["stood"] === "no") return ".fell";
  if (key === "action.count_pieces" && words["count"] && !words["maybe"]) return ".counted";
  if (key === "action.take_pieces" && words["announced"]) return ".announced";
  if (key === "action.turn_up" && words["revealed"]?.includes("/")) return ".known";
  const moved = { "action.take_pieces": words["drawn"], "action.return_pieces": words["returned"] }[key];
  return moved?.includes(":") ? ".known" : "";
}

/** Return pieces as a text: "unknown:1-3", "steel:2,glass:1". */
function piecesWords(language: Language, text: string): string {
  const parts = text.split(",").map((part) => {
    const [material = "", n = ""] = part.split(":");
    if (material !== "unknown") return `${n} × ${typeName(language, material)}`;
    return n.includes("-") ? say(language, "pieces.many", { n: n.replace("-", "–") }) : count(language, "pieces", Number(n));
  });
  return parts.join(", ");
}

/** Return the building for a contract that is named. */
function more(language: Language, { contract: name }: Words): Words {
  return name ? { building: contractName(language, name, true) } : {};
}

/** Name types, materials and contracts in sentences; a platform stays a number. */
function word(language: Language, name: string, text: string): string | null {
  if (["drawn", "returned"].includes(name) && text.includes(":")) return piecesWords(language, text);
  if (name === "contract" && text) return contractName(language, text);
  if (name === "revealed" && /^\d+\/\w+$/.test(text)) return thing(language, `platform/${text}`);
  return ["announced", "column", "type"].includes(name) && text ? typeName(language, text) : null;
}

export const naming: Naming = { thing, spot, place, value, word, more, variant };
