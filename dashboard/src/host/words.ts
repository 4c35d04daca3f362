// The words of the host's page that no other page has. They lie in files of their own, so that phones do not fetch them.

import FILES from "words:host";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnHost(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
