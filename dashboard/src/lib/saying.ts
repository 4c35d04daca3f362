// Reporting an action step by step: each step asks for the first word in which the remaining actions differ.

import type { Seen } from "./seen";

export interface Sayable {
  action: string; // in notation
  key: string;
  words: Record<string, string>;
  seat: number | null;
}

/** Return what changes whenever something else may be said: an act, or a value that an owner has entered. */
export function momentOf({ scene, happened, trying }: Seen): string {
  const turn = scene?.origin === "house" ? [scene.turn, scene.seat, scene.phase] : scene;
  return JSON.stringify([turn, happened.at(-1)?.no, trying.map(({ action }) => action)]);
}

export interface Step {
  name: string; // "key", or a word's name
  values: string[]; // "" if some of the remaining actions lack the word
}

/** Return the actions that this seat may report: its own and the table's. The host (null) may report all. */
export function mineToSay(all: readonly Sayable[], seat: number | null): Sayable[] {
  return seat === null ? [...all] : all.filter((one) => one.seat === seat || one.seat === null);
}

export function valueOf(one: Sayable, name: string): string {
  return name === "key" ? one.key : (one.words[name] ?? "");
}

/** Return the next choice; null when one action is left. */
export function nextStep(left: readonly Sayable[]): Step | null {
  return stepsOf(left)[0] ?? null;
}

/** Return all choices in which the remaining actions differ. */
export function stepsOf(left: readonly Sayable[]): Step[] {
  const names = [...new Set(["key", ...left.flatMap((one) => Object.keys(one.words))])];
  return names
    .map((name) => ({ name, values: [...new Set(left.map((one) => valueOf(one, name)))] }))
    .filter(({ values }) => values.length > 1);
}

/** Return the actions that are left after a choice. */
export function chosen(left: readonly Sayable[], step: Step, value: string): Sayable[] {
  return left.filter((one) => valueOf(one, step.name) === value);
}

/** Actions of one kind: those with one key, or one variant of it. */
export interface Kind {
  kind: string;
  all: Sayable[];
}

/** Return the actions by their kinds, in the order in which the kinds come up. */
export function kindsOf(told: readonly Sayable[], variant: (key: string, words: Record<string, string>) => string = () => ""): Kind[] {
  const kinds = new Map<string, Sayable[]>();
  for (const one of told) {
    const kind = one.key + variant(one.key, one.words);
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return [...kinds].map(([kind, all]) => ({ kind, all }));
}
