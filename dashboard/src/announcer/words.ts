// The words of the announcer's page. They lie in files of their own, so that phones do not fetch them.

import FILES from "words:announcer";
import OF_GAMES from "words:games/*/announcer";
import { teach, type Language, type Words } from "../lib/words";

/** Fetch them for a language; the core's words have to be there already. */
export async function learnAnnouncer(language: Language): Promise<void> {
  teach(language, await FILES[language]?.());
}

/** Fetch those that a game has of its own. */
export async function announcing(language: Language, game: string): Promise<Words> {
  return (await OF_GAMES[game]?.[language]?.()) ?? {};
}
