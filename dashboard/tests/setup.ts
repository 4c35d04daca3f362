import { learn } from "../src/lib/words";
import { learnOverlay } from "../src/overlay/words";

for (const language of ["en", "fr"] as const) {
  await learn(language);
  await learnOverlay(language);
}
