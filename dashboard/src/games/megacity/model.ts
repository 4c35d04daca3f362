// Draws the model with three.js, only when something has changed. Shadows are computed once for each change.

import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  EdgesGeometry,
  Group,
  HemisphereLight,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  Scene,
  ShadowMaterial,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
  type BufferGeometry,
  type Material,
} from "three";
import { lookOf, type Pattern } from "../../lib/look";
import { blocksOf, foot, roofOf, type Block, type Shape, type Stuff } from "./blocks";
import type { Cell } from "./cells";
import { RADIUS } from "./hexes";

const UP = new Vector3(0, 1, 0);
const FIELD_DEG = 26;
const TURN = -0.16; // the camera stands a little to the left, so that streets show
const ABOVE = [0.58, 0.66, 0.74, 0.82, 0.9, 0.98]; // radians: how high the camera may stand for the whole city
const LOW = 0.42; // of a delivery
const MARGIN = 0.94; // of the canvas that the picture may fill
const MOVE_MS = 800;

const SHAPES: Record<Shape, BufferGeometry> = {
  prism: new CylinderGeometry(1, 1, 1, 6).rotateY(Math.PI / 6).translate(0, 0.5, 0),
  cone: new ConeGeometry(1, 1, 7).translate(0, 0.5, 0),
};
const EDGES = new EdgesGeometry(SHAPES.prism);

/** Make the materials of a model. Each needs its own: a material holds every renderer that has drawn it, until it is disposed of. */
function stuffs(): Record<Stuff, Material> {
  return {
    solid: new MeshLambertMaterial({ flatShading: true }),
    glass: new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: 0.72 }),
    ghost: new MeshLambertMaterial({ flatShading: true, transparent: true, opacity: 0.34, depthWrite: false }),
  };
}

/** The arcs of a ring's pattern: where each begins and how long it is, in sixths of the outline. */
const ARCS: Record<Pattern, readonly (readonly [number, number])[]> = {
  solid: [[0, 6]],
  pulse: [[0, 6]],
  half: [[0, 3]],
  pair: [[0, 1], [3, 1]],
  thirds: [[0, 1], [2, 1], [4, 1]],
  notch: [[0, 5]],
  point: [[0, 0.5]],
  gap: [[0, 4]],
  chase: [[0, 2]],
  swing: [[0, 1.5], [3, 1.5]],
  march: [[0, 0.6], [1, 0.6], [2, 0.6], [3, 0.6], [4, 0.6], [5, 0.6]],
  dots: Array.from({ length: 12 }, (_, k) => [k / 2, 0.16] as const),
};

/** Where a label stands on the canvas, in pixels. */
export interface Spot2d {
  x: number;
  y: number;
}

/** The part of a canvas that no panel covers, in pixels. */
export interface Free {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Aim {
  target: Vector3;
  distance: number;
  above: number;
  filled: number; // of the free part of the canvas, by the picture's box
}

export class Model {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD_DEG, 1, 10, 20_000);
  readonly #lamp = new DirectionalLight("#ffedcc", 3.1);
  readonly #sky = new HemisphereLight("#bcd6e0", "#33464c", 1.7);
  readonly #stuffs = stuffs();
  readonly #paints = new Map<string, Material>(); // kept: a shader whose last material goes is compiled again for the next one
  readonly #table = new Mesh(new PlaneGeometry(6000, 6000).rotateX(-Math.PI / 2), new ShadowMaterial({ opacity: 0.42 }));
  #city = new Group();
  #cells: readonly Cell[] = [];
  #lookAt = "";
  #size = "";
  #aim: Aim | null = null;
  #frame = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly moved: () => void, // called after the camera moved: labels follow it
  ) {
    this.#renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: "low-power" });
    this.#renderer.outputColorSpace = SRGBColorSpace;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#light();
    this.#table.receiveShadow = true;
    this.#scene.add(this.#table, this.#city);
  }

  #light(): void {
    this.#lamp.position.set(-620, 980, 520);
    this.#lamp.castShadow = true;
    this.#lamp.shadow.mapSize.set(2048, 2048);
    Object.assign(this.#lamp.shadow.camera, { left: -700, right: 700, top: 700, bottom: -700, near: 10, far: 3000 });
    this.#lamp.shadow.radius = 3;
    this.#lamp.shadow.normalBias = 2;
    this.#scene.add(this.#lamp, this.#sky);
  }

  /** Fit the drawing buffer to the canvas, and the picture to the part of it that no panel covers. */
  resize(width: number, height: number, ratio: number, free: Free = { left: 0, top: 0, width, height }): void {
    const size = [width, height, ...Object.values(free)].join();
    if (size === this.#size) return;
    this.#size = size;
    this.#renderer.setPixelRatio(Math.min(ratio, 1.5));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = free.width / Math.max(1, free.height);
    this.#camera.setViewOffset(free.width, Math.max(1, free.height), -free.left, -free.top, width, height);
    if (this.#cells.length) this.#look(this.#wanted(), true);
  }

  /** Show these hexes; a spot that is looked at gets the lamp, and the camera comes down to it. */
  show(cells: readonly Cell[], lookAt: string, still: boolean, blocks = cells.flatMap(blocksOf)): void {
    this.#cells = cells;
    this.#lookAt = lookAt;
    this.#clear();
    this.#build(cells, blocks);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#sky.intensity = lookAt ? 0.7 : 1.7; // the room dims for a delivery
    this.#look(this.#wanted(), still || this.#aim === null);
  }

  /** Return the time of one frame, in milliseconds: the whole drawing, until the pixels are there. */
  frameMs(): number {
    const began = performance.now();
    this.#renderer.render(this.#scene, this.#camera);
    const context = this.#renderer.getContext();
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - began;
  }

  /** Return where the middle of a hex is on the canvas, so high above the table. */
  place(cell: Cell, height: number, dx = 0, dz = 0): Spot2d {
    const { x, z } = foot(cell);
    const at = new Vector3(x + dx, height, z + dz).project(this.#camera);
    const { clientWidth, clientHeight } = this.#renderer.domElement;
    return { x: ((at.x + 1) / 2) * clientWidth, y: ((1 - at.y) / 2) * clientHeight };
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#clear();
    for (const material of [...Object.values(this.#stuffs), ...this.#paints.values(), this.#table.material]) material.dispose();
    this.#table.geometry.dispose();
    this.#lamp.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss(); // a browser lends a page few of them, and takes back the oldest: the city's
  }

  #clear(): void {
    for (const child of this.#city.children) {
      if (child instanceof InstancedMesh) child.dispose();
      else if (child instanceof Mesh || child instanceof LineSegments) {
        if (child.geometry !== EDGES) child.geometry.dispose();
      }
    }
    this.#city.clear();
  }

  #build(cells: readonly Cell[], blocks: readonly Block[]): void {
    for (const shape of Object.keys(SHAPES) as Shape[])
      for (const stuff of Object.keys(this.#stuffs) as Stuff[]) this.#instances(shape, stuff, blocks);
    for (const block of blocks) if (block.stuff === "ghost") this.#outline(block);
    for (const cell of cells) this.#ground(cell);
  }

  #instances(shape: Shape, stuff: Stuff, all: readonly Block[]): void {
    const blocks = all.filter((block) => block.shape === shape && block.stuff === stuff);
    if (!blocks.length) return;
    const mesh = new InstancedMesh(SHAPES[shape], this.#stuffs[stuff], blocks.length);
    blocks.forEach((block, k) => {
      mesh.setMatrixAt(k, placed(block));
      mesh.setColorAt(k, new Color(block.colour));
    });
    mesh.castShadow = stuff !== "ghost";
    mesh.receiveShadow = stuff === "solid";
    this.#city.add(mesh);
  }

  #paint(kind: "ring" | "line", color: string): Material {
    const name = `${kind} ${color}`;
    const paint = this.#paints.get(name) ?? (kind === "ring" ? new MeshBasicMaterial({ color }) : new LineBasicMaterial({ color }));
    this.#paints.set(name, paint);
    return paint;
  }

  #outline(block: Block): void {
    const lines = new LineSegments(EDGES, this.#paint("line", block.colour));
    lines.applyMatrix4(placed(block));
    this.#city.add(lines);
  }

  #ground(cell: Cell): void {
    const empty = !cell.tile && !cell.ghost;
    if (empty) this.#ring(cell, 0.94, 0.965, 0, 6, "#6d8a95");
    if (!cell.light) return;
    const look = lookOf(cell.light.role, cell.light.seat);
    const bold = look.pattern === "pulse" || look.pattern === "march";
    for (const [from, length] of ARCS[look.pattern]) this.#ring(cell, bold ? 0.8 : 0.86, 0.93, from, length, look.colour);
  }

  #ring(cell: Cell, inner: number, outer: number, from: number, length: number, colour: string): void {
    const sixth = Math.PI / 3;
    const geometry = new RingGeometry(RADIUS * inner, RADIUS * outer, Math.max(1, Math.ceil(length)), 1, from * sixth, length * sixth).rotateX(-Math.PI / 2);
    const ring = new Mesh(geometry, this.#paint("ring", tinted(colour)));
    const { x, z } = foot(cell);
    ring.position.set(x, 1.5, z);
    this.#city.add(ring);
  }

  /** Return the camera of the whole city, at the height from which it fills the free part best, or the low one of what is looked at. */
  #wanted(): Aim {
    const middle = this.#cells.find(({ spot }) => spot === this.#lookAt);
    if (middle) return this.#fit(around(this.#cells, middle), LOW);
    return ABOVE.map((above) => this.#fit(this.#cells, above)).reduce((best, one) => (one.filled > best.filled ? one : best));
  }

  /** Return the place of the camera from which these hexes and their roofs fill the canvas. */
  #fit(cells: readonly Cell[], above: number): Aim {
    const points = cells.flatMap(cornersOf);
    const aim: Aim = { target: middle(points), distance: 2000, above, filled: 0 };
    if (this.#camera.view) this.#camera.view.enabled = false; // by what is free, not by the whole canvas
    this.#camera.updateProjectionMatrix();
    for (let k = 0; k < 8; k++) {
      this.#stand(aim);
      const seen = points.map((point) => point.clone().project(this.#camera));
      const [left, right] = [Math.min(...seen.map(({ x }) => x)), Math.max(...seen.map(({ x }) => x))];
      const [low, high] = [Math.min(...seen.map(({ y }) => y)), Math.max(...seen.map(({ y }) => y))];
      const tall = Math.tan((FIELD_DEG * Math.PI) / 360) * aim.distance;
      const across = new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, 0);
      const upward = new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, 1);
      aim.target.addScaledVector(across, ((left + right) / 2) * tall * this.#camera.aspect).addScaledVector(upward, ((low + high) / 2) * tall);
      aim.distance *= Math.max(right - left, high - low) / 2 / MARGIN;
      aim.filled = ((right - left) * (high - low)) / 4;
    }
    if (this.#camera.view) this.#camera.view.enabled = true;
    this.#camera.updateProjectionMatrix();
    return aim;
  }

  #stand({ target, distance, above }: Aim): void {
    const flat = Math.cos(above) * distance;
    this.#camera.position.set(target.x + Math.sin(TURN) * flat, target.y + Math.sin(above) * distance, target.z + Math.cos(TURN) * flat);
    this.#camera.lookAt(target);
    this.#camera.updateMatrixWorld();
  }

  #look(to: Aim, still: boolean): void {
    cancelAnimationFrame(this.#frame);
    const from = this.#aim;
    this.#aim = to;
    if (still || !from) return this.#render(to);
    const began = performance.now();
    const step = (): void => {
      const part = Math.min(1, (performance.now() - began) / MOVE_MS);
      const eased = part * part * (3 - 2 * part);
      this.#render(between(from, to, eased));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    step();
  }

  #render(aim: Aim): void {
    this.#stand(aim);
    this.#renderer.render(this.#scene, this.#camera);
    this.moved();
  }
}

/** Return a colour of the roles as three.js reads it: "rgb(1 2 3)" with commas. */
function tinted(colour: string): string {
  return colour.replace(/(\d+) (\d+) (\d+)/, "$1, $2, $3");
}

function between(from: Aim, to: Aim, part: number): Aim {
  const mix = (a: number, b: number): number => a + (b - a) * part;
  return { ...to, target: from.target.clone().lerp(to.target, part), distance: mix(from.distance, to.distance), above: mix(from.above, to.above) };
}

function placed({ x, y, z, radius, height, turn, lean = 0, heading = 0 }: Block): Matrix4 {
  const leaning = new Quaternion().setFromAxisAngle(new Vector3(Math.sin(heading), 0, -Math.cos(heading)), lean);
  const turned = leaning.multiply(new Quaternion().setFromAxisAngle(UP, turn));
  return new Matrix4().compose(new Vector3(x, y, z), turned, new Vector3(radius, height, radius));
}

function cornersOf(cell: Cell): Vector3[] {
  const { x, z } = foot(cell);
  const low = Array.from({ length: 6 }, (_, k) => new Vector3(x + RADIUS * Math.cos((Math.PI / 3) * k), 0, z + RADIUS * Math.sin((Math.PI / 3) * k)));
  return [...low, new Vector3(x, roofOf(cell) + 24, z)];
}

/** Return a hex and its neighbours. */
function around(cells: readonly Cell[], middleCell: Cell): Cell[] {
  const at = foot(middleCell);
  return cells.filter((cell) => Math.hypot(foot(cell).x - at.x, foot(cell).z - at.z) < RADIUS * 2);
}

function middle(points: readonly Vector3[]): Vector3 {
  const sum = points.reduce((all, point) => all.add(point), new Vector3());
  return sum.divideScalar(Math.max(1, points.length));
}
