// The words of the replay, and how games draw it. They lie in files of their own, so that phones do not fetch them.

import type { GameReplay } from "../lib/playing.svelte";
import { LANGUAGES, type Language, type Words } from "../lib/words";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });
const GAMES = import.meta.glob<GameReplay>("../games/*/collapse/index.ts", { import: "default" });

/** Fetch the words of a language, after the core's; and return how a game draws a fall, undefined if nothing falls in it. */
export async function learnReplay(language: Language, game = ""): Promise<GameReplay | undefined> {
  const [words, own] = await Promise.all([FILES[`./words/${language}.json`]?.(), GAMES[`../games/${game}/collapse/index.ts`]?.()]);
  Object.assign(LANGUAGES[language], words);
  return own;
}
