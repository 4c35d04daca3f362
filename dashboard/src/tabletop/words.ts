// The words of the virtual table, and those that each game adds. They lie in files of their own, so that phones do not fetch
// them, and come with this page: a file more for each is bytes more on every page.

import OWN from "words-now:tabletop";
import OF_GAMES from "words-now:games/*/tabletop";
import { teach, type Language } from "../lib/words";

/** Learn them for a language; the core's words have to be there already. */
export function learnTabletop(language: Language): void {
  teach(language, OWN[language]);
}

/** Learn a game's words for a language. */
export function learnMoves(game: string, language: Language): void {
  teach(language, OF_GAMES[game]?.[language]);
}
