// MegaCity's part of the city card: the city as the flat drawing shows it, on a canvas.

import type { PaintCity } from "../../card/paint";
import { seatColour } from "../../lib/look";
import { sample } from "../../overlay/samples";
import { cells, drawn, viewBox, type Cell } from "./cells";
import { column, UNITS_PER_MM, type Column } from "./column";
import { centre, corners, RADIUS, type Point } from "./hexes";
import { typeColour } from "./types";

const SLAB = 10;
const TEXT = 52;

function polygon(brush: CanvasRenderingContext2D, points: readonly Point[], fill: string, shade = 0): void {
  brush.beginPath();
  for (const { x, y } of points) brush.lineTo(x, y);
  brush.closePath();
  for (const colour of [fill, `rgb(11 27 34 / ${shade})`]) {
    brush.fillStyle = colour;
    brush.fill();
  }
}

function block(brush: CanvasRenderingContext2D, { left, front, right, top }: Column, fill: string, shade = 0): void {
  polygon(brush, left, fill, shade + 0.35);
  polygon(brush, front, fill, shade + 0.2);
  polygon(brush, right, fill, shade + 0.45);
  polygon(brush, top, fill, shade);
}

function standing(brush: CanvasRenderingContext2D, { hex, tile }: Cell): void {
  if (!tile) return;
  const at = centre(hex);
  const own = tile.kind === "platform" ? typeColour(tile.colour) : typeColour("park");
  block(brush, column(at, 82, SLAB), own, 0.5);
  const foot = { x: at.x, y: at.y - SLAB };
  if (tile.kind !== "platform" || !tile.standing) return;
  const tower = column(foot, 60, (tile.height_mm ?? 20) * UNITS_PER_MM);
  block(brush, tower, tile.tallest ? "#e8b84a" : own);
  brush.font = `750 ${TEXT}px "Archivo", sans-serif`;
  brush.textAlign = "center";
  brush.fillStyle = "#0b1b22";
  brush.fillText(String(tile.height_mm ?? "?"), tower.topCentre.x, tower.topCentre.y + TEXT / 3);
  brush.fillStyle = seatColour(tile.owner);
  brush.beginPath();
  brush.arc(at.x - 66, at.y + 6, 22, 0, 7);
  brush.fill();
}

const paintCity: PaintCity = (brush, scene, box) => {
  const city = drawn(cells(sample({ ...scene, lights: [] })));
  const [left = 0, top = 0, width = 1, height = 1] = viewBox(city).split(" ").map(Number);
  const scale = Math.min(box.width / width, box.height / height);
  brush.save();
  brush.translate(box.x + (box.width - width * scale) / 2, box.y + (box.height - height * scale) / 2);
  brush.scale(scale, scale);
  brush.translate(-left, -top);
  for (const { hex } of city) polygon(brush, corners(centre(hex), RADIUS * 0.96), "#152d36");
  for (const cell of city) standing(brush, cell);
  brush.restore();
};

export default paintCity;
