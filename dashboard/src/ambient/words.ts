// The words of the quiet time between games, and of the names in records. They lie in files of their own.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });
const RECORDS = import.meta.glob<Words>("../games/*/records/words/*.json", { import: "default" });

/** Fetch them for a language, with those that a game has for its records. */
export async function learnAmbient(language: Language, game = ""): Promise<void> {
  const [words, own] = await Promise.all([FILES[`./words/${language}.json`]?.(), RECORDS[`../games/${game}/records/words/${language}.json`]?.()]);
  Object.assign(LANGUAGES[language], words, own);
}
