// The screens of every game, for tests that look at all of them.

import { NAMES, screensOf } from "../src/games";
import type { GameScreens } from "../src/lib/playing.svelte";

export const GAMES: Record<string, GameScreens> = Object.fromEntries(
  await Promise.all(NAMES.map(async (name) => [name, (await screensOf(name, "en"))!] as const)),
);
