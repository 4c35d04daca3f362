// The words of the form for a position: the core's, and those of a game's own lines. Only the host fetches them.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language; `own` are the game's, by the end of their path. */
export async function learnPaper(language: Language, own: Record<string, () => Promise<Words>>): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.(), await own[`./paper/${language}.json`]?.());
}
