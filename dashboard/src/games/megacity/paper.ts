// The form for the city as it stands: what stands on a hex, and how a tap changes it. The hub judges it.

import { spotOf, type Hex } from "./hexes";

export interface PaperBuilding {
  at: string;
  platform: string; // 6c: platform 6, commercial side up
  owner: number; // 0: not said yet
  contract: string;
  height_mm: number | null; // 0: it fell
  pieces: number; // 0: as many as the contract asks
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

/** How the form names a hex. */
export function placeOf(hex: Hex): string {
  return spotOf(hex).slice("city/".length);
}

export function isCentre(at: string): boolean {
  return at === "0/0";
}

/** What the form has on a hex. */
export function kindAt(paper: Paper, at: string): Kind {
  if (paper.buildings.some((one) => one.at === at)) return "platform";
  return isCentre(at) || paper.parks.some((one) => one.at === at) ? "park" : "empty";
}

/** The form with something else on a hex. */
export function withKind(paper: Paper, at: string, kind: Kind): Paper {
  if (isCentre(at) || kindAt(paper, at) === kind) return paper;
  const buildings = paper.buildings.filter((one) => one.at !== at);
  const parks = paper.parks.filter((one) => one.at !== at);
  if (kind === "platform") buildings.push({ at, platform: "", owner: 0, contract: "", height_mm: null, pieces: 0 });
  if (kind === "park") parks.push({ at, owner: 0, monument: false });
  return { ...paper, buildings, parks };
}

/** Whom what stands on a hex belongs to; 0 for nobody. */
export function ownerAt(paper: Paper, at: string): number {
  return (paper.buildings.find((one) => one.at === at) ?? paper.parks.find((one) => one.at === at))?.owner ?? 0;
}

/** The two lines that stand on a hex of the form. */
export function labelsAt(paper: Paper, at: string): [string, string] {
  const building = paper.buildings.find((one) => one.at === at);
  if (building) return [building.platform || "?", building.height_mm === null ? "?" : `${building.height_mm}`];
  const monument = isCentre(at) ? paper.monument : paper.parks.some((one) => one.at === at && one.monument);
  return kindAt(paper, at) === "park" ? ["♣", monument ? "▲" : ""] : ["", ""];
}

/** The hexes for whose delivery a park or a monument may be due: where buildings of whose turn it is stand. */
export function mayBeDue(paper: Paper): string[] {
  return paper.buildings.filter((one) => one.owner === paper.player && one.height_mm !== 0).map((one) => one.at);
}

/** What is sent: nothing is due for a building that is not there, or somebody else's. */
export function toSend(paper: Paper): Paper {
  return { ...paper, due_at: mayBeDue(paper).includes(paper.due_at) ? paper.due_at : "" };
}

/** Something that the table knows and the form no longer has. */
export interface Removed {
  key: string; // of the words
  words: Record<string, string>;
}

/** What the game would lose. */
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

/** Whether a platform of a hand is still anywhere on the form, on either side. */
function isKept(paper: Paper, name: string): boolean {
  const everywhere = [...paper.players.flatMap((hand) => wordsOf(hand.platforms)), ...wordsOf(paper.supply), ...paper.buildings.map((one) => one.platform)];
  return everywhere.some((one) => parseInt(one) === parseInt(name));
}

/** Whether something about a hex is not said yet. */
export function isOpen(paper: Paper, at: string): boolean {
  const building = paper.buildings.find((one) => one.at === at);
  if (building) return !building.platform || !building.owner || !building.contract || building.height_mm === null;
  return !isCentre(at) && kindAt(paper, at) === "park" && !ownerAt(paper, at);
}
