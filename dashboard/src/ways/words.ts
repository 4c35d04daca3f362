// The words of the ways to put an act right. They lie in files of their own.

import FILES from "words:ways";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnWays(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
