// The form for the city as it stands: the entries of each hex, and how a tap changes them. The hub checks the form.

import { spotOf, type Hex } from "./hexes";

export interface PaperBuilding {
  at: string;
  platform: string; // 6c: platform 6, commercial side up
  owner: number; // 0: not entered yet
  contract: string;
  height_mm: number | null; // 0: it fell
  pieces: number; // 0: as many as the contract asks for
}

export interface PaperPark {
  at: string;
  owner: number;
  monument: boolean;
}

export interface PaperHand {
  pieces: number;
  tokens: number;
  contracts: string;
  platforms: string;
}

export interface Paper {
  player: number;
  players: PaperHand[];
  buildings: PaperBuilding[];
  parks: PaperPark[];
  columns: string[];
  supply: string;
  turn: number;
  actions_used: number;
  box: number;
  monument: boolean; // on Central Park
  due_at: string; // the hex of this turn's delivery, while a park or a monument is due for it; else empty
}

export type Kind = "empty" | "platform" | "park";

/** Return the form's name for a hex. */
export function placeOf(hex: Hex): string {
  return spotOf(hex).slice("city/".length);
}

export function isCentre(at: string): boolean {
  return at === "0/0";
}

/** Return the kind of entry on a hex. */
export function kindAt(paper: Paper, at: string): Kind {
  if (paper.buildings.some((one) => one.at === at)) return "platform";
  return isCentre(at) || paper.parks.some((one) => one.at === at) ? "park" : "empty";
}

/** Return the form with another kind of entry on a hex. */
export function withKind(paper: Paper, at: string, kind: Kind): Paper {
  if (isCentre(at) || kindAt(paper, at) === kind) return paper;
  const buildings = paper.buildings.filter((one) => one.at !== at);
  const parks = paper.parks.filter((one) => one.at !== at);
  if (kind === "platform") buildings.push({ at, platform: "", owner: 0, contract: "", height_mm: null, pieces: 0 });
  if (kind === "park") parks.push({ at, owner: 0, monument: false });
  return { ...paper, buildings, parks };
}

/** Return the seat that owns the entry on a hex; 0 for nobody. */
export function ownerAt(paper: Paper, at: string): number {
  return (paper.buildings.find((one) => one.at === at) ?? paper.parks.find((one) => one.at === at))?.owner ?? 0;
}

/** Return the two lines of text for a hex. */
export function labelsAt(paper: Paper, at: string): [string, string] {
  const building = paper.buildings.find((one) => one.at === at);
  if (building) return [building.platform || "?", building.height_mm === null ? "?" : `${building.height_mm}`];
  const monument = isCentre(at) ? paper.monument : paper.parks.some((one) => one.at === at && one.monument);
  return kindAt(paper, at) === "park" ? ["♣", monument ? "▲" : ""] : ["", ""];
}

/** Return the hexes whose delivery may entitle the current player to a park or a monument: those with their buildings. */
export function mayBeDue(paper: Paper): string[] {
  return paper.buildings.filter((one) => one.owner === paper.player && one.height_mm !== 0).map((one) => one.at);
}

/** Return the form to send; nothing is due for a building that is missing or belongs to another player. */
export function toSend(paper: Paper): Paper {
  return { ...paper, due_at: mayBeDue(paper).includes(paper.due_at) ? paper.due_at : "" };
}

/** Something that the table knows about and the form no longer has. */
export interface Removed {
  key: string; // of the words
  words: Record<string, string>;
}

/** Return everything that the game would lose. */
export function removed(known: Paper, paper: Paper): Removed[] {
  const found: Removed[] = [];
  const lost = (thing: string, words: Record<string, string>): void => void found.push({ key: `paper.thing.${thing}`, words });
  const said = new Set(paper.buildings.map((one) => one.contract.trim().toUpperCase()));
  for (const one of known.buildings) if (one.contract && !said.has(one.contract)) lost("building", { contract: one.contract, seat: `${one.owner}`, at: one.at });
  for (const one of known.parks) {
    const now = paper.parks.find((other) => other.owner === one.owner);
    if (!now) lost("park", { seat: `${one.owner}`, at: one.at });
    else if (one.monument && !now.monument) lost("monument", { at: one.at });
  }
  if (known.monument && !paper.monument) lost("monument", { at: "0/0" });
  known.players.forEach((hand, k) => {
    const now = paper.players[k];
    const seat = `${k + 1}`;
    for (const name of wordsOf(hand.contracts)) if (!wordsOf(now?.contracts ?? "").includes(name) && !said.has(name)) lost("contract", { seat, name });
    for (const name of wordsOf(hand.platforms)) if (!isKept(paper, name)) lost("platform", { seat, name });
    if (now && now.tokens < hand.tokens) lost("tokens", { seat, n: `${hand.tokens - now.tokens}` });
    if (now && now.pieces < hand.pieces) lost("pieces", { seat, n: `${hand.pieces - now.pieces}` });
  });
  return found;
}

function wordsOf(text: string): string[] {
  return text.toUpperCase().split(/[\s,]+/).filter(Boolean);
}

/** Report whether a player's platform is still on the form, with either side up. */
function isKept(paper: Paper, name: string): boolean {
  const everywhere = [...paper.players.flatMap((hand) => wordsOf(hand.platforms)), ...wordsOf(paper.supply), ...paper.buildings.map((one) => one.platform)];
  return everywhere.some((one) => parseInt(one) === parseInt(name));
}

/** Report whether an entry of a hex is incomplete. */
export function isOpen(paper: Paper, at: string): boolean {
  const building = paper.buildings.find((one) => one.at === at);
  if (building) return !building.platform || !building.owner || !building.contract || building.height_mm === null;
  return !isCentre(at) && kindAt(paper, at) === "park" && !ownerAt(paper, at);
}
