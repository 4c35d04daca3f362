// The words of a producer's controls. They lie in files of their own.

import FILES from "words:producer";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnProducer(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
