// The words of the host's choice for displays. They lie in files of their own.

import FILES from "words:displays";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnDisplays(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
