// What the painters of the card share: faces of a model, letters, and the disc of a player with the number of their seat.

import { seatColour } from "../lib/look";

export const INK = "#0b1b22";
export const GROUND = "#152d36"; // where nothing stands
export const BRASS = "#e8b84a"; // the tallest alone
export const LAMP = "#ffe9b0"; // a window with light
const FONT = '"Archivo", "Arial Narrow", sans-serif';

type Brush = CanvasRenderingContext2D;

export interface Point {
  x: number;
  y: number;
}

/** Where on the card something is painted, in points of the picture. */
export interface Box extends Point {
  width: number;
  height: number;
}

function trace(brush: Brush, points: readonly Point[]): void {
  brush.beginPath();
  for (const { x, y } of points) brush.lineTo(x, y);
  brush.closePath();
}

/** Fill a face of a body; `shade` is how far it lies in the dark, from 0 to 1. */
export function face(brush: Brush, points: readonly Point[], fill: string, shade = 0): void {
  trace(brush, points);
  for (const colour of [fill, `rgb(11 27 34 / ${shade})`]) {
    brush.fillStyle = colour;
    brush.fill();
  }
}

/** Draw the edge of a face. */
export function edge(brush: Brush, points: readonly Point[], colour: string, width: number): void {
  trace(brush, points);
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.lineJoin = "round";
  brush.stroke();
}

/** Return the corners of a rectangle. */
export function rectangle(x: number, y: number, width: number, height: number): Point[] {
  return [{ x, y }, { x: x + width, y }, { x: x + width, y: y + height }, { x, y: y + height }];
}

export function line(brush: Brush, points: readonly Point[], colour: string, width: number): void {
  brush.beginPath();
  for (const { x, y } of points) brush.lineTo(x, y);
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.stroke();
}

export function disc(brush: Brush, { x, y }: Point, radius: number, fill: string): void {
  brush.fillStyle = fill;
  brush.beginPath();
  brush.arc(x, y, radius, 0, 7);
  brush.fill();
}

/** How letters look; what is left out is as in a caption on the left. */
export interface Letters {
  size: number;
  fill: string;
  weight?: number;
  align?: CanvasTextAlign;
  width?: number; // at most
}

/** Write words with their left end, middle or right end at a point on the line. */
export function letters(brush: Brush, said: string, { x, y }: Point, { size, fill, weight = 750, align = "left", width }: Letters): void {
  brush.font = `${weight} ${size}px ${FONT}`;
  brush.textAlign = align;
  brush.fillStyle = fill;
  brush.fillText(said, x, y, width);
}

/** Draw a player's disc: the colour and the number of their seat. */
export function owner(brush: Brush, seat: number, at: Point, radius: number): void {
  disc(brush, at, radius, seatColour(seat));
  letters(brush, String(seat), { x: at.x, y: at.y + radius * 0.55 }, { size: Math.round(radius * 1.55), fill: INK, align: "center" });
}

/** Draw an icon of 24 by 24 around a point. */
export function icon(brush: Brush, path: string, { x, y }: Point, size: number, fill: string): void {
  brush.save();
  brush.translate(x - size / 2, y - size / 2);
  brush.scale(size / 24, size / 24);
  brush.fillStyle = fill;
  brush.fill(new Path2D(path), "evenodd");
  brush.restore();
}
