// The words of the quiet time between games, and of the names in records. They lie in files of their own.

import FILES from "words:ambient";
import RECORDS from "words:games/*/records";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language, with those that a game has for its records. */
export async function learnAmbient(language: Language, game = ""): Promise<void> {
  const [words, own] = await Promise.all([FILES[language]?.(), RECORDS[game]?.[language]?.()]);
  teach(language, words, own);
}
