// Comeback City's part of the city card: a model of the city from its street to its roofs. A building is as high as its
// stories, its windows are lit while it has power, and its zone has a letter beside the colour.

import { disc, edge, face, INK, LAMP, letters, line, rectangle, type Box, type Point } from "../../card/model";
import type { PaintCity } from "../../card/paint";
import { say, type Language } from "../../lib/words";
import { boardOf, ZONES, type Board, type Cell } from "./board";
import { COLUMNS } from "./geometry";

const LABEL = 58; // a building's strip with its letter and its counters
const STORY = { most: 60, least: 8 };
const HEAP = 66;
const SKY = 80;
const FOOT = 196; // the street, the lines, the plant and the zones' points
const DEEP = { x: 20, y: 14 }; // how far a side goes back
const STEEL = "#8a94a8";
const BIRD = "M18 46C30 14 62 10 74 22L96 18 84 32C84 46 70 54 56 54L50 60 44 54C32 54 24 52 18 46Z";

type Brush = CanvasRenderingContext2D;

/** The city on the card: its columns from the street up, and what a story measures. */
interface Model {
  columns: Cell[][];
  story: number;
  wide: number; // a column, with the gap beside it
  left: number;
  street: number;
}

function modelOf(board: Board, box: Box): Model {
  const columns = Array.from({ length: COLUMNS }, (_, k) => board.cells.filter(({ column }) => column === k + 1).sort((a, b) => a.row - b.row));
  const room = box.height - FOOT - SKY;
  const fits = columns.map((cells) => (room - cells.length * LABEL) / Math.max(1, cells.reduce((sum, cell) => sum + storiesOf(cell), 0)));
  return { columns, story: Math.max(STORY.least, Math.min(STORY.most, ...fits)), wide: box.width / COLUMNS, left: box.x, street: box.y + box.height - FOOT };
}

function storiesOf({ rubble, stories = 0 }: Cell): number {
  return rubble ? 0 : stories;
}

function letterOf(language: Language, zone: string | undefined): string {
  return zone ? say(language, `zone.${zone}`).slice(0, 1) : "?";
}

/** What is left of a building: a heap without windows. */
function heap(brush: Brush, cell: Cell, x: number, y: number, width: number): void {
  const peaks = [0, 0.35, 0.2, 0.75, 0.5, 1, 0.55, 0.7, 0.15, 0];
  const points = peaks.map((peak, k) => ({ x: x + (k * width) / (peaks.length - 1), y: y - peak * HEAP }));
  face(brush, points, ZONES[cell.zone ?? ""] ?? STEEL, 0.55);
  edge(brush, points, STEEL, 3);
}

function windows(brush: Brush, cell: Cell, x: number, y: number, width: number, story: number): void {
  const high = Math.min(story * 0.62, 34);
  for (let k = 0; k < storiesOf(cell); k++)
    for (let n = 0; n < 4; n++) {
      const [left, top] = [x + ((n + 0.5) * width) / 4 - 10, y + k * story + (story - high) / 2];
      face(brush, rectangle(left, top, 20, high), INK);
      if (cell.powered) face(brush, rectangle(left + 3, top + 3, 14, Math.max(2, high - 6)), LAMP);
    }
}

/** A saucer over what the aliens have, a shield on what is guarded. */
function marks(brush: Brush, cell: Cell, at: Point): void {
  if (cell.occupied) {
    disc(brush, { x: at.x, y: at.y - 12 }, 22, LAMP);
    const hull = [-58, -30, 30, 58, 30, -30].map((x, k) => ({ x: at.x + x, y: at.y + [0, -16, -16, 0, 16, 16][k]! }));
    face(brush, hull, "#7fd1a8");
    edge(brush, hull, INK, 4);
  }
  if (!cell.guarded) return;
  const shield = [[-22, -26], [22, -26], [22, 4], [0, 28], [-22, 4]].map(([x = 0, y = 0]) => ({ x: at.x + x, y: at.y + y }));
  face(brush, shield, "#f3eee2");
  edge(brush, shield, INK, 5);
}

function building(brush: Brush, cell: Cell, x: number, y: number, width: number, story: number, letter: string): void {
  const high = LABEL + storiesOf(cell) * story;
  const fill = ZONES[cell.zone ?? ""] ?? STEEL;
  const top = y - high;
  const back = ({ x: across, y: down }: Point): Point => ({ x: across + DEEP.x, y: down - DEEP.y });
  const [a, b, c, d] = rectangle(x, top, width, high) as [Point, Point, Point, Point];
  face(brush, [b, back(b), back(c), c], fill, 0.5);
  face(brush, [a, back(a), back(b), b], fill, 0.15);
  face(brush, [a, b, c, d], fill, 0.06);
  edge(brush, [a, b, c, d], INK, 3);
  letters(brush, letter, { x: x + 10, y: top + 44 }, { size: 44, weight: 800, fill: INK });
  if (cell.counters) {
    letters(brush, String(cell.counters), { x: x + width - 8, y: top + 44 }, { size: 44, fill: INK, align: "right" });
    disc(brush, { x: x + width - 20 - String(cell.counters).length * 20, y: top + 29 }, 9, INK);
  }
  windows(brush, cell, x, top + LABEL, width, story);
  marks(brush, cell, { x: x + width / 2, y: (top + LABEL + y) / 2 });
}

function column(brush: Brush, cells: readonly Cell[], x: number, { story, wide, street }: Model, language: Language): number {
  let y = street;
  const width = wide - DEEP.x - 16;
  for (const cell of cells) {
    if (cell.rubble) heap(brush, cell, x, y, width);
    else building(brush, cell, x, y, width, story, letterOf(language, cell.zone));
    y -= cell.rubble ? LABEL : LABEL + storiesOf(cell) * story;
  }
  return y;
}

/** The street and the lines from column to column; of what does not work only the ends are left. */
function ways(brush: Brush, board: Board, { left, wide, street }: Model): void {
  const middle = (k: number): number => left + (k + 0.5) * wide - 16;
  for (let k = 0; k < COLUMNS; k++) line(brush, [{ x: middle(k), y: street + 42 }, { x: middle(k), y: street + 94 }], STEEL, 5);
  for (let k = 0; k < COLUMNS - 1; k++) {
    const gap = (works: boolean | undefined): [number, number][] => (works ? [[0, 1]] : [[0, 0.3], [0.7, 1]]);
    const at = (share: number): number => middle(k) + share * wide;
    for (const [from, to] of gap(board.roads[k])) {
      face(brush, rectangle(at(from), street + 8, (to - from) * wide, 24), "#596275");
      for (let dash = at(from) + 10; dash < at(to) - 14; dash += 32) face(brush, rectangle(dash, street + 18, 16, 4), "#eef0f4");
    }
    for (const [from, to] of gap(board.lines[k])) {
      const hang = (share: number): Point => ({ x: at(share), y: street + 50 + 72 * share * (1 - share) });
      line(brush, Array.from({ length: 9 }, (_, n) => hang(from + ((to - from) * n) / 8)), "#e9d84a", 4);
    }
  }
}

/** The plant at the foot, and what each zone counts. */
function foot(brush: Brush, board: Board, box: Box, { street }: Model, language: Language): void {
  face(brush, rectangle(box.x, street + 94, box.width, 46), "#3a4560", board.plant_works ? 0 : 0.4);
  const works = say(language, board.plant_works ? "plant.works" : "plant.broken");
  letters(brush, `${say(language, "plant")}${say(language, "colon")} ${works}`, { x: box.x + box.width / 2, y: street + 129 }, { size: 34, weight: 600, fill: "#eef0f4", align: "center" });
  Object.entries(board.points).forEach(([zone, points], k, all) => {
    const [x, y, wide] = [box.x + (k * box.width) / all.length, street + 152, box.width / all.length];
    face(brush, rectangle(x, y, 40, 42), ZONES[zone] ?? STEEL);
    letters(brush, letterOf(language, zone), { x: x + 20, y: y + 34 }, { size: 36, weight: 800, fill: INK, align: "center" });
    letters(brush, `${say(language, `zone.${zone}`)} ${points}`, { x: x + 48, y: y + 34 }, { size: 32, weight: 600, fill: "#f3eee2", width: wide - 62 });
  });
}

function bird(brush: Brush, x: number, y: number): void {
  brush.save();
  brush.translate(x, y);
  brush.scale(1.2, 1.2);
  const path = new Path2D(BIRD);
  brush.fillStyle = "#f0b41e";
  brush.fill(path);
  brush.strokeStyle = INK;
  brush.lineWidth = 4;
  brush.stroke(path);
  brush.restore();
}

const paintCity: PaintCity = (brush, scene, box, language) => {
  const board = boardOf(scene);
  const model = modelOf(board, box);
  ways(brush, board, model);
  const roofs = model.columns.map((cells, k) => column(brush, cells, model.left + k * model.wide, model, language));
  foot(brush, board, box, model, language);
  if (board.bird) bird(brush, model.left + (board.bird.column - 1) * model.wide - 4, (roofs[board.bird.column - 1] ?? model.street) - 84);
};

export default paintCity;
