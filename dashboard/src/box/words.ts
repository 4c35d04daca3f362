// The words of the host's own box. They lie in files of their own: not every table plays with one.

import FILES from "words:box";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnBox(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
