import { beforeEach, expect, test } from "vitest";
import megacity from "../../../src/games/megacity";
import { piecesText, type Card } from "../../../src/games/megacity/board";
import { CITY, spotOf } from "../../../src/games/megacity/hexes";
import { platformOf } from "../../../src/games/megacity/types";
import { lay, play } from "../../../src/lib/playing.svelte";
import type { Disagreement, Scene, Trying } from "../../../src/lib/seen";
import { choiceText, fieldName, instruction, instructionOnWall, lineText, questionText, reasonText, sayableText, spotName, thingName } from "../../../src/lib/table";
import { count, LANGUAGES, say } from "../../../src/lib/words";

beforeEach(() => {
  play(megacity);
  lay(null);
});

const wrong = (more: Partial<Disagreement>): Disagreement => ({ kind: "unexpected", spots: [], thing: "", to: [], rule: "", action: "", text: {}, state: "wrong", grams: 0, ...more });

test("French counts nothing like one", () => {
  expect(count("fr", "pieces", 0)).toBe("0 élément");
  expect(count("en", "pieces", 0)).toBe("0 pieces");
  expect(count("en", "pieces", 1)).toBe("1 piece");
  expect(count("en", "stations.good", 1)).toBe("The only station is online");
});

test("a fall is told with the place where it was sensed", () => {
  const fell = { no: 1, t_us: 0, key: "sensed.fell", words: { spot: "city/1/0", lost_g: "150" }, seat: null, provisional: false };
  expect(lineText("en", fell)).toBe("Something fell on the hex next to Central Park, to the front right: 150\u00a0g less");
  expect(lineText("fr", fell)).toBe("Quelque chose est tombé sur l'hexagone voisin du Parc Central, devant à droite\u00a0: 150\u00a0g de moins");
});

test("a disagreement is an instruction", () => {
  const pads = ["seat/2/pad/0", "seat/2/pad/1", "seat/2/pad/2"];
  const lost = wrong({ spots: ["city/1/0"], thing: "platform/14/public", to: pads });
  expect(instruction("en", lost)).toBe("Put platform 14 (public) back on seat 2's pad");
  expect(instruction("fr", lost)).toBe("Remettez la plateforme 14 (public) sur un socle de la place 2");
});

test("what the rules refuse tells the rule, the reason and the way back", () => {
  const refused = wrong({ kind: "refused", rule: "R25", text: { en: "It must touch a tile.", fr: "-" }, thing: "platform/3/public", to: ["supply/platform/1"] });
  expect(instruction("en", refused)).toBe("It must touch a tile. (R25) Put platform 3 (public) back on the platform supply");
});

test("what nobody knows a place for is to be taken away", () => {
  const stray = wrong({ kind: "refused", rule: "R7", text: { en: "It is seat 2's turn." }, thing: "park/1", spots: ["city/1/0"] });
  expect(instruction("en", stray)).toBe("It is seat 2's turn. (R7) Take seat 1's park away from the hex next to Central Park, to the front right");
  expect(instructionOnWall("en", stray)).toEqual({ todo: "Take seat 1's park away", why: "It is seat 2's turn." });
  const bag = wrong({ thing: "bag", spots: ["city/0/0"] });
  expect(instruction("fr", bag)).toBe("À retirer (le centre de la ville)\u00a0: le sac");
});

test("a question says what is asked of whom, and what others have refused", () => {
  const judged = { name: "judged", kind: "yesno" as const, proposed: true, choices: [], low: 0, high: 1, over: 0, voters: [1, 3], criteria: [] };
  const asked = { id: "q", seat: 2, prompt: "deliver", words: { contract: "CO4" }, fields: [], waiting: [1, 2, 3], about: "" };
  expect(questionText("en", asked)).toBe("does the building for contract CO4 stand, and how high is it?");
  expect(questionText("en", { ...asked, waiting: [3] })).toBe("is the building for contract CO4 valid?");
  expect(questionText("fr", { ...asked, fields: [judged] })).toBe("le bâtiment pour le contrat CO4 est-il valable\u00a0?");
  expect(questionText("en", { ...asked, waiting: [], words: { contract: "CO4", refused: "yes" } })).toMatch(/^The other players do not accept the building for contract CO4/);
});

test("spots of one kind are named once", () => {
  const spots = ["seat/1/pad/0", "seat/1/pad/2", "city/1/-1"];
  expect(instruction("en", wrong({ kind: "missing", thing: "bag", spots, to: spots }))).toContain("seat 1's pad or the hex next to Central Park, to the back right");
});

test("a hex is found by its way from Central Park, as the wall shows the city", () => {
  const told = (spot: string) => spotName("en", spot);
  expect([told("city/0/-1"), told("city/0/3"), told("city/0/0")]).toEqual([
    "the hex next to Central Park, straight behind it",
    "the hex 3 steps from Central Park, straight in front of it",
    "the centre of the city",
  ]);
  expect([told("city/2/-1"), told("city/-2/1"), told("city/-2/2")]).toEqual([
    "the hex 2 steps from Central Park, to the right",
    "the hex 2 steps from Central Park, to the left",
    "the hex 2 steps from Central Park, to the front left",
  ]);
  expect(spotName("fr", "city/-2/2")).toBe("l'hexagone à 2 pas du Parc Central, devant à gauche");
});

test.each(["en", "fr"] as const)("every hex of the city has a name of its own, in words: %s", (language) => {
  const names = CITY.map((hex) => spotName(language, spotOf(hex)));
  expect(new Set(names).size).toBe(37);
  expect(names.filter((name) => /\/|way\./.test(name))).toEqual([]);
});

test("a contract is told by what it is and never by its code, as long as its card or its building is on the table", () => {
  const open = { name: "PU1", colour: "public", pieces: 6, plus: false, height_mm: 30, requirements: [], prestige: 2, landmark: false };
  const unread = { ...open, name: "CO2", colour: "commercial", height_mm: 0 };
  const tiles = [{ contract: "IN4", colour: "industrial", height_mm: 57 }, { contract: "IN5", colour: "industrial", height_mm: null }];
  const board = { columns: { public: [open] }, landmarks: [{ ...open, name: "L-PU", height_mm: 90, landmark: true }], areas: [{ open_contracts: [unread] }], tiles };
  const line = { no: 1, t_us: 0, key: "action.deliver", seat: 1, provisional: false };
  const told = (contract: string): string => lineText("en", { ...line, words: { contract, stood: "yes" } });
  lay({ game: "megacity", board } as unknown as Scene);
  expect(told("PU1")).toBe("delivers the public contract of 30\u00a0mm");
  expect(told("L-PU")).toBe("delivers the public landmark of 90\u00a0mm");
  expect(["IN4", "IN5", "CO2", "RE1"].map(told)).toEqual(["delivers the industrial building of 57\u00a0mm", "delivers the industrial contract", "delivers the commercial contract", "delivers contract RE1"]);
  expect(lineText("en", { key: "action.deliver", seat: 1, words: { contract: "PU1" } } as unknown as Trying)).toBe("delivers a building");
  expect(lineText("fr", { ...line, key: "action.take_contract", words: { contract: "IN4" } })).toBe("prend le contrat industriel");
  expect(thingName("en", "contract/PU1")).toBe("the public contract of 30\u00a0mm");
  expect(reasonText("fr", { reason: "contract", points: 3, words: { contract: "IN4" }, action_no: 1 })).toBe("le bâtiment industriel de 57\u00a0mm");
  lay({ game: "dilluvia", board: {} } as unknown as Scene);
  expect(told("PU1")).toBe("delivers contract PU1");
});

test("things have names", () => {
  expect(platformOf("platform/14/public")).toEqual({ number: "14", type: "public" });
  expect(platformOf("park/2")).toBeNull();
  expect(thingName("en", "central-park")).toBe("Central Park");
  expect(thingName("fr", "platform/14")).toBe("plateforme 14");
  expect(thingName("en", "park/2")).toBe("seat 2's park");
});

test("a number of pieces that nobody knows is a range, and a count says whose it is", () => {
  expect([piecesText(5), piecesText(5, 0), piecesText(5, 1)]).toEqual(["5", "5", "5–6"]);
  const line = { no: 1, t_us: 0, key: "action.count_pieces", seat: null, provisional: false };
  expect(lineText("en", { ...line, words: { seat: "2" } })).toBe("Seat 2's pieces are counted");
  expect(lineText("en", { ...line, words: { seat: "2", count: "4" } })).toBe("Seat 2's pieces: 4");
  expect(lineText("fr", { ...line, words: { seat: "2", count: "4", maybe: "1" } })).toBe("On compte les éléments de la place 2");
  expect(sayableText("fr", "seat", "2")).toBe("Place 2");
});

test("French says what the French rules say", () => {
  const words = [...Object.values(LANGUAGES.fr!), ...Object.values(megacity.words.fr!)].join("\n");
  expect(words).not.toMatch(/pièce|monument majeur|Central Park/i);
  expect(say("fr", "landmarks")).toBe("Contrats exceptionnels");
});

test("a delivery that fell does not read like one that stood", () => {
  const line = { no: 1, t_us: 0, key: "action.deliver", seat: 1, provisional: false };
  expect(lineText("en", { ...line, words: { contract: "PU1", stood: "yes" } })).toBe("delivers contract PU1");
  expect(lineText("en", { ...line, words: { contract: "PU1", stood: "no" } })).toBe("delivers contract PU1: the building fell");
});

test("what is chosen when people say what was done is named as people name it", () => {
  const told = (name: string, value: string) => sayableText("en", name, value);
  expect(told("key", "action.deliver")).toBe("Building delivered");
  expect([told("at", "1/-1"), told("park", "0/0")]).toEqual(["the hex next to Central Park, to the back right", "the centre of the city"]);
  expect([told("platform", "14"), told("contract", "PU1")]).toEqual(["platform 14", "contract PU1"]);
  expect([told("announced", ""), told("announced", "steel")]).toEqual(["Three at random", "steel"]);
  expect([told("column", "public"), told("stood", "no")]).toEqual(["public", "It fell"]);
});

test("a contract that lies open is chosen by what it asks for", () => {
  const card = (name: string, more: Partial<Card>): Card => ({ name, colour: "public", pieces: 6, plus: false, height_mm: 30, requirements: [], prestige: 2, landmark: false, ...more });
  const area = { seat: 1, tokens: 0, pieces: 0, open_contracts: [card("IN1", { colour: "industrial", pieces: 4, plus: true, height_mm: 45 })], platforms: [], completed: 0, park_in_hand: true };
  const scene = { board: { columns: { public: [card("PU1", {})] }, landmarks: [], areas: [area] } } as unknown as Scene;
  const told = (name: string) => sayableText("en", "contract", name, scene);
  expect(["PU1", "IN1", "RE1"].map(told)).toEqual(["public, 30 mm, 6 pieces", "industrial, 45 mm, 4+ pieces", "contract RE1"]);
  area.open_contracts.push(card("PU7", {}));
  expect(["PU1", "PU7"].map(told)).toEqual(["public, 30 mm, 6 pieces (PU1)", "public, 30 mm, 6 pieces (PU7)"]);
});

test("a tile that was turned up is asked and chosen by its name", () => {
  const field = { name: "revealed/2", kind: "choice" as const, proposed: null, choices: [], low: 0, high: 999, over: 0, voters: null, criteria: [] };
  expect(fieldName("en", field)).toBe("Turned up");
  expect(choiceText("en", "platform/14/public")).toBe("platform 14 (public)");
});

test("what was drawn is worded, and whose act it was where another seat is asked", () => {
  expect(choiceText("en", "p2 take_pieces announced=steel", 2)).toBe("Took steel");
  expect(choiceText("en", "p1 take_pieces", 2)).toBe("Seat 1 took pieces");
  expect(choiceText("en", "p2 take_pieces announced=steel | p1 take_pieces", 2)).toBe("Took steel; seat 1 took pieces");
  expect(choiceText("en", "p2 take_pieces | p2 take_pieces", 2)).toBe("Took pieces, twice");
  expect(choiceText("fr", "p2 take_pieces | p2 take_pieces", 2)).toBe("A pris des éléments, deux fois");
  expect(choiceText("en", "p2 take_pieces drawn=unknown:1-3", 2)).toBe("Took 1–3 pieces");
  expect(choiceText("en", "p2 take_pieces drawn=unknown:1", 2)).toBe("Took 1 piece");
  expect(choiceText("fr", "p2 return_pieces returned=steel:2,glass:1", 2)).toBe("A remis 2 × acier, 1 × verre dans le sac");
  expect(choiceText("fr", "p2 take_pieces", 2)).toBe("A pris des éléments");
});
