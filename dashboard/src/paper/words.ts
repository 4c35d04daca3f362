// The words of the form for a position. Only the host fetches them.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language. */
export async function learnPaper(language: Language): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.());
}
