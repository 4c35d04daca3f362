import { afterEach, describe, expect, test } from "vitest";
import AT_THE_VIRTUAL_TABLE from "words-now:games/*/tabletop";
import { GAMES } from "./screens";
import { lay, play } from "../src/lib/playing.svelte";
import type { Disagreement, Scene } from "../src/lib/seen";
import { choiceText, instruction, lineText, questionText, sayableText, spotName, thingName } from "../src/lib/table";
import { LANGUAGES, languageOf, listed, say, toldIn, type Language, type Words } from "../src/lib/words";

/** A game's own words, and those that it says at the virtual table only. */
const wordsOf = (name: string, language: Language): Words => ({ ...GAMES[name]!.words[language], ...AT_THE_VIRTUAL_TABLE[name]?.[language] });
const SETS: [string, Words, Words][] = [["core", LANGUAGES.en!, LANGUAGES.fr!], ...Object.keys(GAMES).map((name): [string, Words, Words] => [name, wordsOf(name, "en"), wordsOf(name, "fr")])];

/** What the core says only where a game has a part of its own for it. */
const OF_A_GAME = ["paper.open"];

/** The source of the core's screens, and of each game's. */
function sources(): Record<string, string> {
  const files = import.meta.glob<string>("../src/**/*.{svelte,ts}", { query: "?raw", import: "default", eager: true });
  const told: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) {
    const owner = /\/games\/(\w+)\//.exec(path)?.[1] ?? "core";
    told[owner] = (told[owner] ?? "") + text;
  }
  return told;
}

afterEach(() => {
  play(null);
  lay(null);
});

describe.each(SETS)("the words of %s", (name, english, french) => {
  test("another language has words for the same keys", () => {
    expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort());
    expect(Object.keys(english).filter((key) => english[key] !== french[key]).length).toBeGreaterThan(0.5 * Object.keys(english).length);
  });

  test("every key that a component names has words", () => {
    const source = sources()[name]!;
    const said = [...source.matchAll(/say\(\s*language,\s*"([^"]+)"/g)].map(([, key]) => key!);
    const counted = [...source.matchAll(/count\(\s*language,\s*"([^"]+)"/g)].flatMap(([, key]) => [`${key}.one`, `${key}.many`]);
    expect(said.length).toBeGreaterThan(10);
    const there = name === "core" ? LANGUAGES.en! : { ...LANGUAGES.en, ...english };
    const games = Object.assign({}, ...Object.values(GAMES).map((game) => game.words.en)) as Words;
    const ofAGame = (key: string): boolean => name === "core" && OF_A_GAME.includes(key) && key in games;
    for (const key of [...said, ...counted]) if (!ofAGame(key)) expect(there, key).toHaveProperty([key]);
  });

  test("no key is left that nobody says", () => {
    const source = sources().core! + (name === "core" ? "" : sources()[name]!);
    const composed = /^(action|ask|phase|type|requirement|score|reason|doubt|delivery|tick|may\.do|station|in_hand|wrong|thing|spot|sensed|trouble|field|criterion|fact|mode|choice|say\.do|say\.ask|say\.stood|record|stations\.state|stations\.due|paper\.thing)\./;
    const begun = [...source.matchAll(/`([\w.]+\.)\$\{/g)].map(([, prefix]) => prefix!);
    const dead = Object.keys(english).filter((key) => !composed.test(key) && !begun.some((prefix) => key.startsWith(prefix)) && !source.includes(`"${key.replace(/\.(one|many)$/, "")}"`));
    expect(dead).toEqual([]);
  });
});

test("the page's own wish for a language comes before the browser's", () => {
  expect(languageOf(new URLSearchParams("lang=fr"), ["en-GB"])).toBe("fr");
  expect(languageOf(new URLSearchParams(), ["de-AT", "fr-CA", "en"])).toBe("fr");
  expect(languageOf(new URLSearchParams("lang=xx"), [])).toBe("en");
});

test("a key without words is shown, never nothing", () => {
  expect(say("en", "action.fly_away")).toBe("fly away");
});

test("no line breaks before the high punctuation of French", () => {
  const told = { en: "Not so: why?", fr: "Non : « pourquoi » ? Si ; non !" };
  expect(toldIn("fr", told)).toBe("Non\u00a0: «\u00a0pourquoi\u00a0»\u00a0? Si\u00a0; non\u00a0!");
  expect(toldIn("en", told)).toBe("Not so: why?");
});

test("several are listed as in a sentence", () => {
  expect(listed("en", ["1", "2", "4"])).toBe("1, 2, and 4");
  expect(listed("fr", ["1", "3"])).toBe("1 et 3");
});

test("a game without screens of its own is worded by what it is called on the wire", () => {
  const wrong: Disagreement = { kind: "unexpected", spots: ["city/1/0"], thing: "card/7", to: [], rule: "", action: "", text: {}, state: "wrong", grams: 0 };
  expect([thingName("en", "card/7"), spotName("en", "seat/2/card/0"), spotName("en", "supply/deck")]).toEqual(["card 7", "Seat 2 card 0", "supply deck"]);
  expect(instruction("en", wrong)).toBe("Take card 7 away from city 1 0");
  expect(lineText("en", { no: 1, t_us: 0, key: "action.take_card", words: { card: "7" }, seat: 1, provisional: false })).toBe("take card, card 7");
  expect([choiceText("en", "card/7"), sayableText("en", "key", "action.take_card"), sayableText("en", "card", "7")]).toEqual(["card 7", "take card", "7"]);
  const asked = { id: "q", seat: 2, prompt: "take_card", words: {}, fields: [], waiting: [2], about: "" };
  expect(questionText("en", asked)).toBe("take card");
  expect(questionText("fr", { ...asked, texts: { "": { en: "What does it say?", fr: "Que dit-elle ?" } } })).toBe("Que dit-elle\u00a0?");
});

test("a silent station is called by its name, also where a thing of the game has the same one", () => {
  play(GAMES["megacity"]!);
  const silent: Disagreement = { kind: "station_silent", spots: ["city/0/0"], thing: "park", to: [], rule: "", action: "", text: {}, state: "wrong", grams: 0 };
  expect(instruction("en", silent)).toBe("No signal from the centre of the city: its station is off or out of reach");
});

test("a market tile is called by what it brings, and by its number where nobody has told that", () => {
  play(GAMES["dilluvia"]!);
  const used = { no: 1, t_us: 0, key: "action.use", words: { tile: "2" }, seat: 1, provisional: false };
  expect(lineText("en", used)).toBe("uses tile 2");
  lay({ board: { kinds: ["money", "convert", "other"] } } as unknown as Scene);
  expect([lineText("en", used), thingName("fr", "tile/2")]).toEqual(["uses the tile “Converter”", "la tuile «\u00a0Convertisseur\u00a0»"]);
  expect(thingName("en", "tile/3")).toBe("tile 3");
});

test("a zoning bonus is called by what it asks for", () => {
  play(GAMES["comeback"]!);
  const claimed = { no: 1, t_us: 0, key: "action.claim", words: { bonus: "ZR7", reward: "point" }, seat: 1, provisional: false };
  expect(lineText("en", claimed)).toBe("uses zoning bonus ZR7: an action point");
  lay({ board: { bonuses: [{ card: "ZR7", zone: "residential", condition: "buildings", number: 3 }] } } as unknown as Scene);
  expect(lineText("en", claimed)).toBe("uses zoning bonus “3 Residential buildings”: an action point");
  expect(thingName("en", "bonus/ZR7")).toBe("zoning bonus “3 Residential buildings”");
});

test.each([
  ["action.place", { space: "construction" }, "places workers: Construction"],
  ["action.place", { space: "construction", workers: "2" }, "places workers (2): Construction"],
  ["action.build", { number: "3", at: "2/1" }, /^erects building 3: .*2/],
  ["action.take", { colour: "white" }, "takes cubes: white"],
  ["action.draw_order", {}, "The order of play is drawn"],
])("%s says nothing of what its notation leaves out", (key, words, said) => {
  play(GAMES["dilluvia"]!);
  const text = lineText("en", { no: 1, t_us: 0, key, words, seat: 1, provisional: false });
  expect(text).toMatch(said);
  expect(text).not.toContain("{");
});
