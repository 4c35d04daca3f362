// The words of the replay, and how games draw it. They lie in files of their own, so that phones do not fetch them.

import FILES from "words:replay";
import type { GameReplay } from "../lib/playing.svelte";
import { teach, type Language } from "../lib/words";

const GAMES = import.meta.glob<GameReplay>("../games/*/collapse/index.ts", { import: "default" });

/** Fetch the words of a language, after the core's; and return how a game draws a fall, undefined if nothing falls in it. */
export async function learnReplay(language: Language, game = ""): Promise<GameReplay | undefined> {
  const [words, own] = await Promise.all([FILES[language]?.(), GAMES[`../games/${game}/collapse/index.ts`]?.()]);
  teach(language, words);
  return own;
}
