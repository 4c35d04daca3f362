// The signal an entry rests on: what the hub gives, and where it lies in a plot. Nothing is judged here.

import { say, toldIn, type Language } from "./words";

export interface Curve {
  spot: string;
  t_ms: number[];
  grams: number[];
}

export interface Mark {
  spot: string;
  t_ms: number;
  fact: string;
  stage: string;
  value: number | null;
}

export interface Signal {
  seq: number;
  from_us: number;
  until_us: number;
  curves: Curve[];
  marks: Mark[];
}

export const WIDE = 1000;
export const HIGH = 100;
const MARGIN = 8; // of HIGH, above and below the curve
const GAP_MS = 2500; // longer without a reading: nothing was kept, and no line is drawn
const FLAT_G = 5; // a load that changes less is not blown up to noise

export interface Span {
  low: number;
  high: number;
}

/** How long a signal is. */
export function lengthMs(signal: Signal): number {
  return Math.max(1, (signal.until_us - signal.from_us) / 1000);
}

/** Where a time lies, 0 to `WIDE`. */
export function across(t_ms: number, length: number): number {
  return (WIDE * t_ms) / length;
}

/** The loads a plot reaches from and to: those of the curve, and never less than a few grams apart. */
export function spanOf(curve: Curve): Span {
  const low = curve.grams.reduce((least, grams) => Math.min(least, grams), Infinity);
  const high = curve.grams.reduce((most, grams) => Math.max(most, grams), -Infinity);
  const more = Math.max(0, FLAT_G - (high - low)) / 2;
  return { low: low - more, high: high + more };
}

function up(grams: number, { low, high }: Span): number {
  return HIGH - MARGIN - ((HIGH - 2 * MARGIN) * (grams - low)) / (high - low);
}

/** The curve as an SVG path: one line for each stretch without a gap. */
export function pathOf(curve: Curve, length: number): string {
  const span = spanOf(curve);
  return curve.t_ms
    .map((t_ms, k) => {
      const joined = k > 0 && t_ms - curve.t_ms[k - 1]! <= GAP_MS;
      return `${joined ? "L" : "M"}${across(t_ms, length).toFixed(1)} ${up(curve.grams[k]!, span).toFixed(1)}`;
    })
    .join("");
}

/** A number with one digit, as the language writes it; nothing is less than nothing by rounding. */
export function decimal(language: Language, value: number): string {
  return (Math.round(value * 10) / 10 || 0).toLocaleString(language);
}

/** What the table told, in words: a fact with its stage and value. */
export function markText(language: Language, mark: Mark): string {
  const value = mark.value === null ? "" : decimal(language, mark.value);
  return say(language, `fact.${mark.fact}${mark.stage && `.${mark.stage}`}`, { value });
}

/** The marks of a spot that are worth a word: that a load moves is seen in its curve. */
export function marksOf(signal: Signal, spot: string): Mark[] {
  return signal.marks.filter((mark) => mark.spot === spot && mark.fact !== "mass_moving");
}

/** Ask the hub for the signal of an entry; where there is none it throws the hub's sentence. */
export async function fetchSignal(seq: number, language: Language): Promise<Signal> {
  const response = await fetch(`/api/entries/${seq}/trace`);
  const body = (await response.json()) as Signal & { text?: Record<string, string> };
  if (!response.ok) throw new Error(body.text ? toldIn(language, body.text) : response.statusText);
  return body;
}
