// The games with screens of their own, found by the names of their folders. A page fetches the game that it shows. The core
// can draw any other game.

import WORDS from "words:games/*";
import type { Language } from "../lib/languages";
import type { GameScreens } from "../lib/playing.svelte";

const FOUND = import.meta.glob<GameScreens>("./*/index.ts", { import: "default" });

/** The names of the games that the hub uses, which are the names of the folders. */
export const NAMES: readonly string[] = Object.keys(FOUND).map((path) => path.split("/")[1]!);

/** Fetch the screens of a game with its words in a language; null if it has none of its own. */
export async function screensOf(name: string, language: Language): Promise<GameScreens | null> {
  const [screens, words] = await Promise.all([FOUND[`./${name}/index.ts`]?.(), WORDS[name]?.[language]?.()]);
  if (!screens) return null;
  screens.words[language] = { ...screens.words[language], ...words };
  return screens;
}
