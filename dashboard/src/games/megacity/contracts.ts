// A contract as a checklist: what is sensed of the building for it, beside what the card asks for.

import type { Held, Live, Seen } from "../../lib/seen";
import { areaOf, boardOf, contractsOf, type Card } from "./board";
import { platformOf } from "./types";

/** What is known of one thing that a card asks for. */
export type Tick = "yes" | "no" | "unsure" | "people"; // people judge what no sensor sees

/** A range of millimetres. */
export interface Band {
  low: number;
  high: number;
}

/** Return whether a measured band reaches a height: surely, surely not, or perhaps. */
export function heightTick(band: Band | null, targetMm: number): Tick {
  if (!band) return "unsure";
  if (band.low >= targetMm) return "yes";
  return band.high < targetMm ? "no" : "unsure";
}

/** Return whether a counted number of pieces is what a card asks for; an unsure count never decides. */
export function piecesTick(card: Card, pieces: number | null, sure: boolean): Tick {
  if (pieces === null || !sure) return "unsure";
  return (card.plus ? pieces >= card.pieces : pieces === card.pieces) ? "yes" : "no";
}

/** Return what the pads of a seat sense of the building for a card: the highest on a platform of its type, or null. */
export function buildingFor(seen: Seen, seat: number, card: Card): Live | null {
  const fitting = seen.live.filter(
    ({ spot, thing }) => spot.startsWith(`seat/${seat}/pad/`) && thing !== null && platformOf(thing)?.type === card.colour,
  );
  return fitting.sort((a, b) => (b.high_mm ?? 0) - (a.high_mm ?? 0))[0] ?? null;
}

/** Return the height that is sensed there. */
export function bandOf(live: Pick<Live, "low_mm" | "high_mm"> | null | undefined): Band | null {
  return live && live.low_mm !== null && live.high_mm !== null ? { low: live.low_mm, high: live.high_mm } : null;
}

/** A delivery that is under way: its contract, and what is sensed of its building. */
export interface Delivery {
  seat: number;
  cards: Card[]; // more than one while the building is carried and may be for any of them
  card: Card; // the first of them
  spot: string; // empty while the building is carried
  fell: boolean;
  band: Band | null;
  confidence: number;
}

/** Return the contracts that a carried building may be for: of its type, and not ruled out by what was sensed of it. */
function candidates(seen: Seen, held: Held): Card[] {
  const type = platformOf(held.thing)?.type;
  const own = contractsOf(areaOf(seen.scene!, held.seat)).filter(({ colour }) => colour === type);
  const open = boardOf(seen.scene!).landmarks.filter(({ colour }) => colour === type);
  const fits = (card: Card): boolean => heightTick(bandOf(held), card.height_mm) !== "no" && piecesTick(card, held.pieces, !held.pieces_unsure) !== "no";
  const fitting = [...own, ...open].filter(fits);
  return fitting.length ? fitting : own;
}

/** Return the building that the player of this turn carries to the city, or null. */
function carried(seen: Seen): Delivery | null {
  const held = seen.held.find(({ seat }) => seat === seen.scene?.seat);
  const cards = held ? candidates(seen, held) : [];
  if (!held || !cards[0]) return null;
  return { seat: held.seat, cards, card: cards[0], spot: "", fell: false, band: bandOf(held), confidence: 0.5 };
}

/** Return the delivery that the table sees but has not confirmed, from the lift on, or null. */
export function deliveryOf(seen: Seen): Delivery | null {
  const act = seen.trying.find(({ key }) => key === "action.deliver");
  if (!seen.scene) return null;
  if (!act?.seat) return carried(seen);
  const area = areaOf(seen.scene, act.seat);
  const cards = [...contractsOf(area), ...boardOf(seen.scene).landmarks];
  const card = cards.find(({ name }) => name === act.words["contract"]);
  if (!card) return null;
  const asked = seen.questions.find(({ about, words }) => about === act.action && words["high_mm"])?.words;
  const live = seen.live.find(({ spot }) => act.spots.includes(spot));
  const measured = asked ? { low: Number(asked["low_mm"]), high: Number(asked["high_mm"]) } : null;
  return { seat: act.seat, cards: [card], card, spot: act.spots[0] ?? "", fell: act.words["stood"] === "no", band: bandOf(live) ?? measured, confidence: act.confidence };
}

/** Return a band in whole millimetres: "54–59". */
export function bandText({ low, high }: Band): string {
  const [least, most] = [Math.floor(low), Math.ceil(high)];
  return least === most ? String(least) : `${least}–${most}`;
}
