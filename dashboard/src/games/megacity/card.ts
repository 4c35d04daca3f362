// MegaCity's part of the city card: the city as the flat drawing shows it, on a canvas.

import { BRASS, edge, face, GROUND, icon, INK, letters, owner } from "../../card/model";
import type { PaintCity } from "../../card/paint";
import { sample } from "../../overlay/samples";
import type { Tile } from "./board";
import { cells, drawn, viewBox, type Cell } from "./cells";
import { column, UNITS_PER_MM, type Column } from "./column";
import { centre, corners, RADIUS, type Point } from "./hexes";
import { icons } from "./icons";
import { typeColour } from "./types";

const SLAB = 10;
const TEXT = 52;
const MARK = 30; // the radius of an owner's disc
const BESIDE = 60;

type Brush = CanvasRenderingContext2D;

function block(brush: Brush, { left, front, right, top }: Column, fill: string, shade = 0): void {
  face(brush, left, fill, shade + 0.35);
  face(brush, front, fill, shade + 0.2);
  face(brush, right, fill, shade + 0.45);
  face(brush, top, fill, shade);
}

/** Draw an icon of a type. */
function drawing(brush: Brush, name: string, at: Point, size: number): void {
  icon(brush, icons[name]?.[0] ?? "", at, size, INK);
}

const nameOf = ({ kind, colour }: Tile): string => (kind === "platform" ? colour : "park");

function standing(brush: Brush, { hex, tile }: Cell): void {
  if (!tile) return;
  const at = centre(hex);
  const own = typeColour(nameOf(tile));
  block(brush, column(at, 82, SLAB), own, 0.5);
  const foot = { x: at.x, y: at.y - SLAB };
  if (tile.kind !== "platform") drawing(brush, "park", { x: at.x, y: foot.y - 10 }, 72);
  if (tile.kind === "platform" && tile.standing) {
    const tower = column(foot, 60, (tile.height_mm ?? 20) * UNITS_PER_MM);
    block(brush, tower, own);
    if (tile.tallest) for (const one of [tower.left, tower.front, tower.right, tower.top]) edge(brush, one, BRASS, 8);
    letters(brush, String(tile.height_mm ?? "?"), { x: foot.x, y: tower.topCentre.y + TEXT / 3 }, { size: TEXT, fill: INK, align: "center" });
  }
}

/** Say of what type a building is, and whose; above all towers, so that none in front hides it. */
function marks(brush: Brush, { hex, tile }: Cell): void {
  if (!tile) return;
  const { x, y } = centre(hex);
  const beside = { x: x + BESIDE, y: y + 6 };
  if (tile.kind === "platform") {
    face(brush, corners(beside, MARK, 1), typeColour(tile.colour));
    drawing(brush, tile.colour, beside, MARK * 1.2);
  }
  if (tile.owner) owner(brush, tile.owner, { x: x - BESIDE, y: y + 6 }, MARK);
}

const paintCity: PaintCity = (brush, scene, box) => {
  const city = drawn(cells(sample({ ...scene, lights: [] })));
  const [left = 0, top = 0, width = 1, height = 1] = viewBox(city).split(" ").map(Number);
  const scale = Math.min(box.width / width, box.height / height);
  brush.save();
  brush.translate(box.x + (box.width - width * scale) / 2, box.y + (box.height - height * scale) / 2);
  brush.scale(scale, scale);
  brush.translate(-left, -top);
  for (const { hex } of city) face(brush, corners(centre(hex), RADIUS * 0.96), GROUND);
  for (const cell of city) standing(brush, cell);
  for (const cell of city) marks(brush, cell);
  brush.restore();
};

export default paintCity;
