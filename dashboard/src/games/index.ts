// The games with screens of their own, found by the names of their folders. A game that has none is drawn as any game.

import type { GameScreens } from "../lib/playing.svelte";

const FOUND = import.meta.glob<GameScreens>("./*/index.ts", { eager: true, import: "default" });

/** By the name that the hub gives a game: its folder's. */
export const GAMES: Record<string, GameScreens> = Object.fromEntries(
  Object.entries(FOUND).map(([path, screens]) => [path.split("/")[1]!, screens]),
);
