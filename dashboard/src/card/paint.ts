// The city card: a picture to keep, painted in the browser that shows it.

import { counted } from "../lib/ceremony";
import { plain } from "../lib/scores";
import type { Scene } from "../lib/seen";
import { winnersText } from "../lib/winners";
import { say, type Language } from "../lib/words";
import { letters, owner, type Box } from "./model";

export const WIDE = 1080;
export const HIGH = 1350;
const EDGE = 64;
const ROW = 84;
const INNER = WIDE - 2 * EDGE;

/** The part of the card that a game paints itself. */
export type PaintCity = (brush: CanvasRenderingContext2D, scene: Scene, box: Box, language: Language) => void;

/** Return a colour of the face, by its name in `app.css`. */
function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Paint the whole card: who won, the city, everybody's points, the day. `when` is the day as people write it. */
export function paint(brush: CanvasRenderingContext2D, scene: Scene, table: string, when: string, city: PaintCity | null, language: Language): void {
  const players = counted(scene).reverse();
  const below = HIGH - EDGE - 40 - players.length * ROW;
  brush.fillStyle = colour("ground");
  brush.fillRect(0, 0, WIDE, HIGH);
  letters(brush, winnersText(language, scene), { x: EDGE, y: EDGE + 64 }, { size: 84, weight: 800, fill: colour("brass"), width: INNER });
  city?.(brush, scene, { x: EDGE, y: EDGE + 110, width: INNER, height: below - EDGE - 130 }, language);
  players.forEach(({ seat, name, score }, k) => {
    const y = below + k * ROW + 52;
    owner(brush, seat, { x: EDGE + 28, y: y - 18 }, 28);
    letters(brush, name || say(language, "seat", { seat: String(seat) }), { x: EDGE + 84, y }, { size: 54, weight: 500, fill: colour("paper"), width: INNER - 250 });
    const won = scene.winners.includes(seat);
    if (score !== null) letters(brush, plain(score), { x: WIDE - EDGE, y }, { size: 64, weight: 800, fill: colour(won ? "brass" : "paper"), align: "right" });
  });
  const last = { size: 32, weight: 400, fill: colour("quiet") };
  letters(brush, `${table} · ${when}`, { x: EDGE, y: HIGH - 40 }, { ...last, width: INNER * 0.6 });
  letters(brush, say(language, scene.origin === "house" ? "unofficial.house" : "unofficial"), { x: WIDE - EDGE, y: HIGH - 40 }, { ...last, align: "right", width: INNER * 0.4 });
}
