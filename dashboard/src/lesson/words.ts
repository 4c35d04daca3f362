// The words of the lessons of a guided game. They lie in files of their own: few games are guided.

import FILES from "words:lesson";
import { teach, type Language } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnLesson(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}
