// The words of the ceremony and of the city card. They lie in files of their own, so that phones do not fetch them.

import FILES from "words:card";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnCard(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
