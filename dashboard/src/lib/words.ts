// Turns keys into words, from data files. A key without words is shown itself, so nothing is ever empty.

import FILES from "words:";
import TONGUES from "words:languages";
import type { Language, Words } from "./languages";
import { playing } from "./playing.svelte";

export type { Language, Words };

/** The words that were fetched. */
export const LANGUAGES: Record<Language, Words> = Object.fromEntries(TONGUES.map(({ code }) => [code, {}]));

/** Fetch the words of a language, before anything is said in it. */
export async function learn(language: Language): Promise<void> {
  LANGUAGES[language] = { ...(await FILES[language]?.()) };
}

/** Add words to a language; the core's have to be there already. */
export function teach(language: Language, ...words: (Words | undefined)[]): void {
  Object.assign(LANGUAGES[language]!, ...words);
}

/** Return the language of a page: `?lang=` comes first, then the browser's preference. */
export function languageOf(query: URLSearchParams, wishes: readonly string[]): Language {
  for (const wish of [query.get("lang") ?? "", ...wishes]) {
    const language = wish.slice(0, 2);
    if (language in LANGUAGES) return language;
  }
  return "en";
}

/** Report whether the game or the core has words for a key. */
export function isWorded(language: Language, key: string): boolean {
  return (playing()?.words[language]?.[key] ?? LANGUAGES[language]?.[key]) !== undefined;
}

/** Return the words of `key` with `{name}` filled in. The game's words come before the core's. */
export function say(language: Language, key: string, words: Words = {}): string {
  const text = playing()?.words[language]?.[key] ?? LANGUAGES[language]?.[key] ?? key.split(".").pop()!.replaceAll("_", " ");
  return typeset(text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole));
}

/** Return a sentence that the hub sent in every language. */
export function toldIn(language: Language, text: Record<string, string>): string {
  return typeset(text[language] ?? text["en"] ?? "");
}

/** Return a text as a sentence begins. */
export function begun(language: Language, text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** Keep lines from breaking between a number and its unit, and at the space that French puts before tall punctuation. */
function typeset(text: string): string {
  return text.replace(/ (?=[:;!?»])|(?<=«) |(?<=\d) (?=mm\b|g\b|%)/g, "\u00a0");
}

/** Return a sentence with a number: `key.one` where the language takes the singular, as French does for zero, or `key.many`. */
export function count(language: Language, key: string, n: number, words: Words = {}): string {
  const one = new Intl.PluralRules(language).select(n) === "one";
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
