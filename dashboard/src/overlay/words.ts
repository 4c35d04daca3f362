// The words of the overlay and of its controls. They lie in files of their own, so that phones do not fetch them.

import FILES from "words:overlay";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnOverlay(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
