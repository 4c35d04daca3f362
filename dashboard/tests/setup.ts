import { NAMES, screensOf } from "../src/games";
import { learn } from "../src/lib/words";
import { learnOverlay } from "../src/overlay/words";

for (const language of ["en", "fr"] as const) {
  await learn(language);
  await learnOverlay(language);
  for (const name of NAMES) await screensOf(name, language);
}
