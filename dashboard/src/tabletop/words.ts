// The words of the virtual table, and those that each game adds. They lie in files of their own, so that phones do not fetch
// them, and come with this page: a file more for each is bytes more on every page.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const OWN = import.meta.glob<Words>("./words/*.json", { eager: true, import: "default" });
const OF_GAMES = import.meta.glob<Words>("../games/*/tabletop/words/*.json", { eager: true, import: "default" });

/** Learn them for a language; the core's words have to be there already. */
export function learnTabletop(language: Language): void {
  Object.assign(LANGUAGES[language], OWN[`./words/${language}.json`]);
}

/** Learn a game's words for a language. */
export function learnMoves(game: string, language: Language): void {
  Object.assign(LANGUAGES[language], OF_GAMES[`../games/${game}/tabletop/words/${language}.json`]);
}
