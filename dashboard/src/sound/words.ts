// The words of what is heard. They lie in files of their own, so that silent displays do not fetch them.

import FILES from "words:sound";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnSound(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
