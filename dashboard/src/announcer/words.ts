// The words of the announcer's page. They lie in files of their own, so that phones do not fetch them.

import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });
const OF_GAMES = import.meta.glob<Words>("../games/*/announcer/words/*.json", { import: "default" });

/** Fetch them for a language; the core's words have to be there already. */
export async function learnAnnouncer(language: Language): Promise<void> {
  Object.assign(LANGUAGES[language], await FILES[`./words/${language}.json`]?.());
}

/** Fetch those that a game has of its own. */
export async function announcing(language: Language, game: string): Promise<Words> {
  return (await OF_GAMES[`../games/${game}/announcer/words/${language}.json`]?.()) ?? {};
}
