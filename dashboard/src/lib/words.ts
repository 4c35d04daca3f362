// Turns keys into words, from data files. A key without words is shown itself, so nothing is ever empty.

import type { Language, Words } from "./languages";
import { playing } from "./playing.svelte";

export type { Language, Words };

const FILES = import.meta.glob<Words>("../words/*.json", { import: "default" });

/** The words that were fetched. */
export const LANGUAGES: Record<Language, Words> = { en: {}, fr: {} };

/** Fetch the words of a language, before anything is said in it. */
export async function learn(language: Language): Promise<void> {
  LANGUAGES[language] = (await FILES[`../words/${language}.json`]?.()) ?? {};
}

/** Return the language of a page: `?lang=` comes first, then the browser's preference. */
export function languageOf(query: URLSearchParams, wishes: readonly string[]): Language {
  for (const wish of [query.get("lang") ?? "", ...wishes]) {
    const language = wish.slice(0, 2);
    if (language === "en" || language === "fr") return language;
  }
  return "en";
}

/** Report whether the game or the core has words for a key. */
export function isWorded(language: Language, key: string): boolean {
  return (playing()?.words[language][key] ?? LANGUAGES[language][key]) !== undefined;
}

/** Return the words of `key` with `{name}` filled in. The game's words come before the core's. */
export function say(language: Language, key: string, words: Words = {}): string {
  const text = playing()?.words[language][key] ?? LANGUAGES[language][key] ?? key.split(".").pop()!.replaceAll("_", " ");
  return typeset(language, text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole));
}

/** Return a sentence that the hub sent in every language. */
export function toldIn(language: Language, text: Record<string, string>): string {
  return typeset(language, text[language] ?? text["en"] ?? "");
}

/** Keep lines from breaking at the space that French puts before tall punctuation marks. */
function typeset(language: Language, text: string): string {
  return language === "fr" ? text.replace(/ (?=[:;!?»])|(?<=«) /g, "\u00a0") : text;
}

/** Return a sentence with a number: `key.one` for exactly one (in French also for zero), otherwise `key.many`. */
export function count(language: Language, key: string, n: number, words: Words = {}): string {
  const one = n === 1 || (language === "fr" && n === 0);
  return say(language, `${key}.${one ? "one" : "many"}`, { ...words, n: String(n) });
}

/** Return what a screen says while it shows an old state: when that was, by its own clock. */
export function asOf(language: Language, key: string, at: Date | null): string {
  return say(language, key, { time: at?.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false }) ?? "" });
}

/** Return a list as part of a sentence: "1, 2 and 4". */
export function listed(language: Language, names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}
