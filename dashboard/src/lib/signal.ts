// The signal behind an entry: fetched from the hub and laid out for a plot.

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
const GAP_MS = 2500; // a longer pause means that nothing was stored, and no line is drawn
const FLAT_G = 5; // a smaller change is not magnified into noise

export interface Span {
  low: number;
  high: number;
}

/** Return the length of a signal. */
export function lengthMs(signal: Signal): number {
  return Math.max(1, (signal.until_us - signal.from_us) / 1000);
}

/** Return the horizontal position of a time, from 0 to `WIDE`. */
export function across(t_ms: number, length: number): number {
  return (WIDE * t_ms) / length;
}

/** Return the lowest and highest load of a plot: those of the curve, but at least a few grams apart. */
export function spanOf(curve: Curve): Span {
  const low = curve.grams.reduce((least, grams) => Math.min(least, grams), Infinity);
  const high = curve.grams.reduce((most, grams) => Math.max(most, grams), -Infinity);
  const more = Math.max(0, FLAT_G - (high - low)) / 2;
  return { low: low - more, high: high + more };
}

function up(grams: number, { low, high }: Span): number {
  return HIGH - MARGIN - ((HIGH - 2 * MARGIN) * (grams - low)) / (high - low);
}

/** Return the curve as an SVG path, with one line for each part without a gap. */
export function pathOf(curve: Curve, length: number): string {
  const span = spanOf(curve);
  return curve.t_ms
    .map((t_ms, k) => {
      const joined = k > 0 && t_ms - curve.t_ms[k - 1]! <= GAP_MS;
      return `${joined ? "L" : "M"}${across(t_ms, length).toFixed(1)} ${up(curve.grams[k]!, span).toFixed(1)}`;
    })
    .join("");
}

/** Return a number with one decimal, as the language writes it; rounding never gives a negative zero. */
export function decimal(language: Language, value: number): string {
  return (Math.round(value * 10) / 10 || 0).toLocaleString(language);
}

/** Return a fact that the table reported, in words, with its stage and value. */
export function markText(language: Language, mark: Mark): string {
  const value = mark.value === null ? "" : decimal(language, mark.value);
  return say(language, `fact.${mark.fact}${mark.stage && `.${mark.stage}`}`, { value });
}

/** Return the marks of a spot that need words; a moving load shows in the curve itself. */
export function marksOf(signal: Signal, spot: string): Mark[] {
  return signal.marks.filter((mark) => mark.spot === spot && mark.fact !== "mass_moving");
}

/** Fetch the signal of an entry; if there is none, throw the hub's sentence. */
export async function fetchSignal(seq: number, language: Language): Promise<Signal> {
  const response = await fetch(`/api/entries/${seq}/trace`);
  const body = (await response.json()) as Signal & { text?: Record<string, string> };
  if (!response.ok) throw new Error(body.text ? toldIn(language, body.text) : response.statusText);
  return body;
}
