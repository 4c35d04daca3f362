// The words of the lessons of a guided game. They lie in files of their own: few games are guided.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language; the core's words have to be there already. */
export async function learnLesson(language: Language): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.());
}
