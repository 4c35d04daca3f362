// The colours and patterns of roles and seats. They come from the hub's own file, which the LED rings use too.

import { roles, seats } from "../../../hub/citytable/views/roles.json"; // by name, so that its other texts are not fetched

export type Pattern = "solid" | "half" | "pair" | "thirds" | "notch" | "point" | "dots" | "pulse" | "march" | "gap" | "chase" | "swing";

export interface Look {
  colour: string;
  pattern: Pattern;
}

/** The length of a ring's outline; the dashes of its patterns are given in this unit. */
export const ROUND = 12;

type Rgb = number[];

const SEATS = seats as Record<string, Rgb>;
const OTHER = roles.find((role) => role.role === "other")!;

const css = (rgb: Rgb): string => `rgb(${rgb.join(" ")})`;

/** Return the colour and the pattern of a role; an unknown role looks like "other". */
export function lookOf(name: string, seat: number | null): Look {
  const role = roles.find((listed) => listed.role === name) ?? OTHER;
  const rgb = role.rgb === "seat" ? (SEATS[String(seat)] ?? OTHER.rgb) : role.rgb;
  return { colour: css(rgb as Rgb), pattern: role.pattern as Pattern };
}

/** Return a seat's colour. */
export function seatColour(seat: number | null): string {
  return css(SEATS[String(seat)] ?? (OTHER.rgb as Rgb));
}
