// Dilluvia Project's part of the city card: a model of the city that floats, seen from its corner. The higher the number of a
// building, the more floors it has; whose something is says a disc with the number of the seat.

import { disc, edge, face, GROUND, INK, line, owner, type Box, type Point } from "../../card/model";
import type { PaintCity } from "../../card/paint";
import { seatColour } from "../../lib/look";
import { boardOf, type Board, type Ground } from "./board";

const DEEP = 0.7; // how deep a space looks, seen from above, beside its width
const FLOOR = 0.11; // the height of a floor, in widths of a space
const HULL = 0.45; // the city floats: its underside
const HEAD = 0.8;
const PAPER = "#e6decb";
const STEEL = "#c4cbd9";
const GARDEN = "#3f8f4f";

type Brush = CanvasRenderingContext2D;

/** Where the spaces lie on the card. */
interface Model {
  wide: number; // a space from its left corner to its right one
  at: (x: number, y: number) => Point; // the corner of a space at the back
}

function modelOf([low, high]: Board["grid"], box: Box): Model {
  const spaces = high - low + 1;
  const wide = Math.min(box.width / spaces, box.height / (spaces * DEEP + HEAD + HULL));
  const top = box.y + (box.height - wide * (spaces * DEEP + HEAD + HULL)) / 2 + wide * HEAD;
  const middle = box.x + box.width / 2;
  return { wide, at: (x, y) => ({ x: middle + ((x - y) * wide) / 2, y: top + ((x + y - 2 * low) * wide * DEEP) / 2 }) };
}

/** The spaces that something covers: the first column and row, and the ones after the last. */
function spread({ cells }: Ground): { left: number; back: number; right: number; front: number } {
  const places = cells.map((cell) => cell.split("/").map(Number) as [number, number]);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  return { left: Math.min(...xs), back: Math.min(...ys), right: Math.max(...xs) + 1, front: Math.max(...ys) + 1 };
}

type Corners = [behind: Point, right: Point, front: Point, left: Point];

/** Return the corners of what covers these spaces, `inset` of a space within them. */
function outline(ground: Ground, { at }: Model, inset: number): Corners {
  const { left, back, right, front } = spread(ground);
  return [at(left + inset, back + inset), at(right - inset, back + inset), at(right - inset, front - inset), at(left + inset, front - inset)];
}

function middle([behind, , front]: Corners): Point {
  return { x: (behind.x + front.x) / 2, y: (behind.y + front.y) / 2 };
}

const floorsOf = ({ building = "" }: Ground): number => 1 + (Number.parseInt(building, 10) || 0);

/** Return the outline of a building after some of its floors. */
function slice(ground: Ground, model: Model, floors: number): Corners {
  return outline(ground, model, 0.1).map(({ x, y }) => ({ x, y: y - floors * FLOOR * model.wide })) as Corners;
}

function building(brush: Brush, ground: Ground, model: Model): void {
  const floors = floorsOf(ground);
  const [foot, roof] = [slice(ground, model, 0), slice(ground, model, floors)];
  face(brush, [roof[3], roof[2], foot[2], foot[3]], PAPER, 0.3);
  face(brush, [roof[2], roof[1], foot[1], foot[2]], PAPER, 0.55);
  for (let k = 1; k < floors; k++) {
    const [, right, front, left] = slice(ground, model, k);
    line(brush, [left, front, right], INK, 2);
  }
  face(brush, roof, PAPER);
  edge(brush, roof, seatColour(ground.owner ?? null), model.wide * 0.05);
}

function garden(brush: Brush, ground: Ground, model: Model): void {
  const plot = outline(ground, model, 0.08);
  face(brush, plot, GARDEN);
  const { x, y } = middle(plot);
  for (const [across, down] of [[-0.2, 0], [0.2, -0.02], [0, 0.14]] as const) {
    const tree = { x: x + across * model.wide, y: y + down * model.wide };
    face(brush, [{ x: tree.x, y: tree.y - model.wide * 0.34 }, { x: tree.x + model.wide * 0.14, y: tree.y }, { x: tree.x - model.wide * 0.14, y: tree.y }], "#8fd19a");
  }
}

/** A propeller, or the one in the middle: a ring with four blades. */
function propeller(brush: Brush, ground: Ground, model: Model): void {
  const { x, y } = middle(outline(ground, model, 0));
  brush.save();
  brush.translate(x, y);
  brush.scale(1, DEEP);
  disc(brush, { x: 0, y: 0 }, model.wide * 0.48, ground.owner ? seatColour(ground.owner) : "#596275");
  disc(brush, { x: 0, y: 0 }, model.wide * 0.41, INK);
  for (let k = 0; k < 4; k++) {
    brush.rotate(Math.PI / 2);
    face(brush, [[0, 0], [0.1, 0.16], [0.12, 0.39], [-0.12, 0.39]].map(([across = 0, down = 0]) => ({ x: across * model.wide, y: down * model.wide })), STEEL);
  }
  brush.restore();
  badge(brush, ground, outline(ground, model, 0), model);
}

/** Ground without a building. */
function terrain(brush: Brush, ground: Ground, model: Model): void {
  const plot = outline(ground, model, 0.12);
  edge(brush, plot, seatColour(ground.owner ?? null), model.wide * 0.05);
  badge(brush, ground, plot, model);
}

/** Say whose it is. */
function badge(brush: Brush, { owner: seat }: Ground, corners: Corners, model: Model): void {
  if (seat) owner(brush, seat, middle(corners), model.wide * 0.25);
}

const DRAWN: Record<Ground["kind"], (brush: Brush, ground: Ground, model: Model) => void> = { building, garden, propeller, centre: propeller, terrain };

function floor(brush: Brush, [low, high]: Board["grid"], model: Model): void {
  const [right, front, left] = [model.at(high + 1, low), model.at(high + 1, high + 1), model.at(low, high + 1)];
  const under = ({ x, y }: Point): Point => ({ x: front.x + (x - front.x) * 0.82, y: y + HULL * model.wide });
  face(brush, [left, front, under(front), under(left)], GROUND, 0.35);
  face(brush, [front, right, under(right), under(front)], GROUND, 0.6);
  for (let y = low; y <= high; y++) for (let x = low; x <= high; x++) face(brush, outline({ kind: "terrain", cells: [`${x}/${y}`] }, model, 0.03), GROUND);
}

const paintCity: PaintCity = (brush, scene, box) => {
  const board = boardOf(scene);
  const model = modelOf(board.grid, box);
  floor(brush, board.grid, model);
  const near = (ground: Ground): number => spread(ground).right + spread(ground).front;
  const fromBehind = [...board.ground].sort((a, b) => near(a) - near(b));
  for (const ground of fromBehind) DRAWN[ground.kind](brush, ground, model);
  for (const ground of fromBehind.filter(({ kind }) => kind === "building")) badge(brush, ground, slice(ground, model, floorsOf(ground)), model); // none in front hides it
};

export default paintCity;
