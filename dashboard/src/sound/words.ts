// The words of what is heard. They lie in files of their own, so that silent displays do not fetch them.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language; the core's words have to be there already. */
export async function learnSound(language: Language): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.());
}
