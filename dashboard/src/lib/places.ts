// The table as a list of places, for a game without its own board: the things on each place, and its sensor readings.

import type { Light, Seen } from "./seen";

/** One place with something on it, or with a light. */
export interface Place {
  spot: string;
  things: string[]; // the top one first
  hidden: number; // how many more lie below
  provisional: boolean; // the top thing is sensed there, but is not part of the confirmed game
  heightMm: number | null;
  massG: number | null;
  light: Light | null;
}

/** Places that belong together: a seat, the city, the supply. */
export interface Room {
  name: string; // a spot's first part, with the number of a seat
  places: Place[];
}

/** Return the places by room: first those between the players, then those of each seat. */
export function rooms(seen: Seen): Room[] {
  const piles = new Map((seen.scene?.piles ?? []).map((pile) => [pile.spot, pile]));
  const lights = new Map(seen.lights.map((light) => [light.spot, light]));
  const live = new Map(seen.live.map((spot) => [spot.spot, spot]));
  const heights = seen.scene?.heights_mm ?? {};
  const sensed = seen.live.filter(({ thing }) => thing !== null).map(({ spot }) => spot);
  const spots = new Set([...piles.keys(), ...Object.keys(heights), ...sensed, ...lights.keys()]);
  const places = [...spots].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((spot): Place => {
    const pile = piles.get(spot);
    const there = live.get(spot)?.thing ?? null;
    const provisional = there !== null && !pile?.things.includes(there);
    return {
      spot,
      things: provisional ? [there, ...(pile?.things ?? [])] : (pile?.things ?? []),
      hidden: pile?.hidden ?? 0,
      provisional,
      heightMm: heights[spot] ?? null,
      massG: live.get(spot)?.mass_g ?? null,
      light: lights.get(spot) ?? null,
    };
  });
  const names = [...new Set(places.map(({ spot }) => roomOf(spot)))].sort(bySeatLast);
  return names.map((name) => ({ name, places: places.filter(({ spot }) => roomOf(spot) === name) }));
}

function bySeatLast(a: string, b: string): number {
  return Number(a.startsWith("seat")) - Number(b.startsWith("seat")) || a.localeCompare(b, "en", { numeric: true });
}

function roomOf(spot: string): string {
  const [room = "", number = ""] = spot.split("/");
  return room === "seat" ? `${room}/${number}` : room;
}
