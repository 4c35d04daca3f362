// The words of the form for a position. Only the host fetches them.

import FILES from "words:paper";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language. */
export async function learnPaper(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
