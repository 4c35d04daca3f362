// The games with screens of their own, found by the names of their folders. The core can draw any other game.

import type { GameScreens } from "../lib/playing.svelte";

const FOUND = import.meta.glob<GameScreens>("./*/index.ts", { eager: true, import: "default" });

/** The games by the name that the hub uses, which is the name of the folder. */
export const GAMES: Record<string, GameScreens> = Object.fromEntries(
  Object.entries(FOUND).map(([path, screens]) => [path.split("/")[1]!, screens]),
);
