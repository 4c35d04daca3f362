// The way to the hands of the virtual table. The hub says where it is; what is asked for then goes to the table itself.
// docs/reference/table.md describes the messages.

import { Pace, pace } from "../lib/pace";
import { ask, type Answered } from "../lib/send";
import { toldIn, type Language } from "../lib/words";

/** One piece: its number, its material and its shape. */
export interface Piece {
  n: number;
  material: string;
  shape: string;
  a_mm: number;
  b_mm: number;
}

/** What lies on a spot, as people see it. */
export interface Lying {
  thing: string;
  below: number; // how many more lie below it
  tower?: (Piece & { rise_mm: number })[];
  cube?: number | null; // a seat
  height_mm?: number;
  monument?: Piece | null;
}

/** A pile that nothing senses; `top` is its top card if that is face up. */
export interface Pile {
  count: number;
  top: string | null;
}

/** What lies before a player, and who moves it. */
export interface Before {
  pieces: Piece[];
  cubes: number;
  completed: string[];
  park: boolean;
  hands: "bot" | "wished" | "person";
}

type Parts = Record<string, unknown>;
type Told = { table?: Parts; whole?: boolean; id?: number | null; refused?: Record<string, string> };

/** Return the table after a message: the whole of it, or the parts that have changed; null for those that are gone. */
export function after(parts: Parts, told: Parts, whole: boolean): Parts {
  const all = whole ? told : { ...parts, ...told };
  return Object.fromEntries(Object.entries(all).filter(([, part]) => part !== null));
}

export class Hands {
  parts: Parts = $state.raw({});
  live = $state(false);
  refusal: string | null = $state(null);
  #socket: WebSocket | null = null;
  #ids = 0;
  #opened = false;
  #sits = false; // at the next table
  readonly #door = new Pace(); // the table's own process may be away while the hub is there

  constructor(
    private readonly page: URL,
    private readonly seat: number,
    private readonly language: Language,
    private readonly turns: Pace = pace,
  ) {}

  /** Begin to look for the table, once the game is known to be one that hands can play. */
  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    void this.#connect();
  }

  /** Ask the hands of the seat for an act. */
  act(act: string, fields: Record<string, unknown> = {}): void {
    this.refusal = null;
    this.#socket?.send(JSON.stringify({ id: ++this.#ids, act, ...fields }));
  }

  /** Take the seat at the table that comes next: with a new game it is another one, where bots have sat down everywhere. */
  sitNextTime(): void {
    this.#sits = true;
  }

  lying(spot: string): Lying | null {
    return (this.parts[`spot/${spot}`] as Lying | undefined) ?? null;
  }

  before(seat: number): Before | null {
    return (this.parts[`seat/${seat}`] as Before | undefined) ?? null;
  }

  /** Return the spots with this beginning on which something lies. */
  spots(prefix: string): string[] {
    return Object.keys(this.parts).filter((name) => name.startsWith(`spot/${prefix}`)).map((name) => name.slice(5));
  }

  pile(name: string): Pile | null {
    return (this.parts[`pile/${name}`] as Pile | undefined) ?? null;
  }

  get stack(): number {
    return Number(this.parts["stack"] ?? 0);
  }

  get aside(): number {
    return Number(this.parts["aside"] ?? 0);
  }

  async #connect(): Promise<void> {
    await this.#door.turn();
    await this.turns.turn();
    const found: Answered<{ port: number; key: string }> = await ask(`/api/hands?as=seat/${this.seat}`, this.language);
    if ("silent" in found) this.turns.failed();
    else this.turns.answered();
    if ("refusal" in found) {
      this.refusal = found.refusal;
      this.#again();
      return;
    }
    this.refusal = null;
    const { port, key } = found.told;
    const socket = new WebSocket(`ws://${this.page.hostname}:${port}/hands?key=${key}`);
    socket.onopen = () => {
      this.#socket = socket;
      this.live = true;
      this.#door.answered();
      if (this.#sits) this.act("sit");
      this.#sits = false;
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#read(JSON.parse(message.data) as Told);
    socket.onclose = () => this.#again();
  }

  #again(): void {
    this.#socket = null;
    this.live = false;
    this.#door.failed();
    void this.#connect();
  }

  #read(told: Told): void {
    if (told.table) this.parts = after(this.parts, told.table, told.whole ?? false);
    if (told.refused) this.refusal = toldIn(this.language, told.refused);
  }
}
