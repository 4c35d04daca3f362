// The city card: a picture to keep, painted in the browser that shows it.

import { counted } from "../lib/ceremony";
import { seatColour } from "../lib/look";
import { plain } from "../lib/scores";
import type { Scene } from "../lib/seen";
import { winnersText } from "../lib/winners";
import { say, type Language } from "../lib/words";

export const WIDE = 1080;
export const HIGH = 1350;
const EDGE = 64;
const ROW = 84;
const FONT = '"Archivo", "Arial Narrow", sans-serif';

/** The part of the card that a game paints itself. */
export type PaintCity = (brush: CanvasRenderingContext2D, scene: Scene, box: { x: number; y: number; width: number; height: number }) => void;

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
  const text = (said: string, x: number, y: number, size: number, weight: number, fill: string, align: CanvasTextAlign = "left"): void => {
    brush.font = `${weight} ${size}px ${FONT}`;
    brush.textAlign = align;
    brush.fillStyle = fill;
    brush.fillText(said, x, y, WIDE - 2 * EDGE);
  };
  text(winnersText(language, scene), EDGE, EDGE + 64, 84, 800, colour("brass"));
  city?.(brush, scene, { x: EDGE, y: EDGE + 110, width: WIDE - 2 * EDGE, height: below - EDGE - 130 });
  players.forEach((player, k) => {
    const y = below + k * ROW + 52;
    brush.fillStyle = seatColour(player.seat);
    brush.beginPath();
    brush.arc(EDGE + 28, y - 18, 28, 0, 7);
    brush.fill();
    text(String(player.seat), EDGE + 28, y - 2, 44, 750, colour("ink"), "center");
    text(player.name || say(language, "seat", { seat: String(player.seat) }), EDGE + 84, y, 54, 500, colour("paper"));
    if (player.score !== null) text(plain(player.score), WIDE - EDGE, y, 64, 800, scene.winners.includes(player.seat) ? colour("brass") : colour("paper"), "right");
  });
  text(`${table} · ${when}`, EDGE, HIGH - 40, 32, 400, colour("quiet"));
  text(say(language, scene.origin === "house" ? "unofficial.house" : "unofficial"), WIDE - EDGE, HIGH - 40, 32, 400, colour("quiet"), "right");
}
