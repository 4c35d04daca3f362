// Who has won, in words.

import type { Scene } from "./seen";
import { say, type Language } from "./words";

/** Return the sentence that names the winners of a game that is over. */
export function winnersText(language: Language, scene: Scene): string {
  const [first] = scene.winners;
  if (first === undefined) return say(language, "wins.nobody");
  if (scene.winners.length > 1) return say(language, "wins.shared", { seats: scene.winners.join(", ") });
  const name = scene.players.find(({ seat }) => seat === first)?.name ?? "";
  return name ? say(language, "wins.named", { name }) : say(language, "wins", { seat: String(first) });
}
