// The words of the host's own box. They lie in files of their own: not every table plays with one.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language; the core's words have to be there already. */
export async function learnBox(language: Language): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.());
}
