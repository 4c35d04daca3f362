// What the mouse, a finger or the keyboard holds above the table: dragged to its place, or chosen first and its place second.

const DRAG_PX = 8;

/** Something that can be moved: `kind` says what, `of` which one, `name` how it is called. */
export interface Held {
  kind: string;
  of: string;
  name: string;
}

export class Holding {
  held: Held | null = $state.raw(null);
  /** Where it is dragged to; null while it is only chosen. */
  at: { x: number; y: number } | null = $state.raw(null);
  #began: { x: number; y: number } | null = null;
  #dragged = false;

  constructor(private readonly drop: (held: Held, place: string) => void) {}

  /** Grip a thing: it follows the pointer from the first few pixels on. */
  grip(event: PointerEvent, held: Held): void {
    if (event.button !== 0) return;
    this.#began = { x: event.clientX, y: event.clientY };
    this.#dragged = false;
    const move = (moved: PointerEvent): void => this.#follow(moved, held);
    const end = (up: PointerEvent): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (this.#dragged) this.#release(up);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Choose a thing by a click or with Enter; a second time lets go of it. */
  choose(held: Held): void {
    if (this.#dragged) return; // the click that ends a drag
    this.held = this.holds(held) ? null : held;
  }

  /** Report whether this is what is held. */
  holds(one: Held | null): boolean {
    return one !== null && this.held?.kind === one.kind && this.held.of === one.of;
  }

  /** Take a click on a place: put what is held there, or else choose what lies there and can be gripped. */
  tap(place: string, lies: Held | null): void {
    if (this.held && !this.holds(lies)) this.place(place);
    else if (lies) this.choose(lies);
  }

  /** Take Enter and the space bar on a place in a drawing, which is no button, as a click. */
  key(event: KeyboardEvent, place: string, lies: Held | null): void {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.tap(place, lies);
  }

  /** Put what is chosen on a place. */
  place(place: string): void {
    if (this.held && !this.#dragged) this.#put(place);
  }

  letGo(): void {
    this.held = null;
    this.at = null;
  }

  #follow(event: PointerEvent, held: Held): void {
    const [x, y] = [event.clientX, event.clientY];
    if (!this.#began || (!this.#dragged && Math.hypot(x - this.#began.x, y - this.#began.y) < DRAG_PX)) return;
    this.#dragged = true;
    this.held = held;
    this.at = { x, y };
  }

  #release(event: PointerEvent): void {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-place]")?.dataset["place"];
    if (event.type === "pointerup" && place) this.#put(place);
    else this.letGo();
    setTimeout(() => (this.#dragged = false)); // after the click that follows
  }

  #put(place: string): void {
    const held = this.held;
    this.letGo();
    if (held) this.drop(held, place);
  }
}
