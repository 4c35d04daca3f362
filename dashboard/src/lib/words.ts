// Languages: keys and their words. Data files only; a key without words is shown as it is, never as nothing.

import en from "../words/en.json";
import fr from "../words/fr.json";
import type { Language, Words } from "./languages";
import { playing } from "./playing.svelte";

export type { Language, Words };

export const LANGUAGES: Record<Language, Words> = { en, fr };

/** The language a page is shown in: `?lang=` first, then the browser's wish. */
export function languageOf(query: URLSearchParams, wishes: readonly string[]): Language {
  for (const wish of [query.get("lang") ?? "", ...wishes]) {
    const language = wish.slice(0, 2);
    if (language === "en" || language === "fr") return language;
  }
  return "en";
}

/** Whether there are words for a key, the game's or the core's. */
export function isWorded(language: Language, key: string): boolean {
  return (playing()?.words[language][key] ?? LANGUAGES[language][key]) !== undefined;
}

/** A sentence: the words of `key` with `{name}` filled in. What the game has words for comes before the core's. */
export function say(language: Language, key: string, words: Words = {}): string {
  const text = playing()?.words[language][key] ?? LANGUAGES[language][key] ?? key.split(".").pop()!.replaceAll("_", " ");
  return typeset(language, text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole));
}

/** A sentence of the hub, which it tells in every language. */
export function toldIn(language: Language, text: Record<string, string>): string {
  return typeset(language, text[language] ?? text["en"] ?? "");
}

/** French has a space before its high punctuation, at which no line breaks. */
function typeset(language: Language, text: string): string {
  return language === "fr" ? text.replace(/ (?=[:;!?»])|(?<=«) /g, "\u00a0") : text;
}

/** A sentence about a number: `key.one` for exactly one (in French also for none), else `key.many`. */
export function count(language: Language, key: string, n: number, words: Words = {}): string {
  const one = n === 1 || (language === "fr" && n === 0);
  return say(language, `${key}.${one ? "one" : "many"}`, { ...words, n: String(n) });
}

/** Several of a kind in a sentence: "1, 2 and 4". */
export function listed(language: Language, names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}
