// A brush that paints nothing and keeps what it was asked to paint. jsdom has no canvas.

import type { PaintCity } from "../src/card/paint";
import type { Scene } from "../src/lib/seen";
import type { Language } from "../src/lib/words";

/** Something painted: a text with its size, an icon, a face, an edge, or a disc. */
export interface Stroke {
  what: "text" | "icon" | "face" | "edge";
  said: string; // the text, or the path of an icon
  colour: string;
  size: number; // of letters, or of a disc's radius
  at: [number, number][]; // in points of the card
}

export const BOX = { x: 64, y: 174, width: 952, height: 800 };

globalThis.Path2D = class {
  constructor(readonly path: string) {}
} as never;

/** Return what a game paints of a scene into `BOX`. */
export function painted(paint: PaintCity, scene: Scene, language: Language = "en"): Stroke[] {
  const strokes: Stroke[] = [];
  const saved: { dx: number; dy: number; sx: number; sy: number }[] = [];
  let now = { dx: 0, dy: 0, sx: 1, sy: 1 };
  let at: [number, number][] = [];
  let radius = 0;
  const placed = (x: number, y: number): [number, number] => [now.dx + x * now.sx, now.dy + y * now.sy];
  const brush = {
    fillStyle: "",
    strokeStyle: "",
    font: "",
    save: () => saved.push(now),
    restore: () => (now = saved.pop()!),
    translate: (x: number, y: number) => (now = { ...now, dx: now.dx + x * now.sx, dy: now.dy + y * now.sy }),
    scale: (x: number, y: number) => (now = { ...now, sx: now.sx * x, sy: now.sy * y }),
    rotate: () => {},
    beginPath: () => ([at, radius] = [[], 0]),
    closePath: () => {},
    lineTo: (x: number, y: number) => at.push(placed(x, y)),
    arc: (x: number, y: number, r: number) => ([at, radius] = [[placed(x, y)], r * now.sx]),
    fill: (icon?: unknown) => strokes.push({ what: icon ? "icon" : "face", said: (icon as { path: string } | undefined)?.path ?? "", colour: brush.fillStyle, size: radius, at: icon ? [placed(12, 12)] : at }),
    stroke: () => strokes.push({ what: "edge", said: "", colour: brush.strokeStyle, size: 0, at }),
    fillText: (said: string, x: number, y: number) => strokes.push({ what: "text", said, colour: brush.fillStyle, size: Number(/([\d.]+)px/.exec(brush.font)![1]) * now.sx, at: [placed(x, y)] }),
  };
  paint(brush as unknown as CanvasRenderingContext2D, scene, BOX, language);
  return strokes;
}

/** Return the texts, in the order in which they are painted. */
export function textsOf(strokes: readonly Stroke[]): string[] {
  return strokes.filter(({ what }) => what === "text").map(({ said }) => said);
}

/** Return what does not lie within the box. */
export function outside(strokes: readonly Stroke[]): Stroke[] {
  const within = ([x, y]: [number, number]): boolean => x >= BOX.x - 1 && x <= BOX.x + BOX.width + 1 && y >= BOX.y - 1 && y <= BOX.y + BOX.height + 1;
  return strokes.filter(({ at }) => !at.every(within));
}
