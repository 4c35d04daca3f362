// An action as a form: what the hub says it consists of (`GET /api/blanks`), what is filled in, and the notation of it.

export interface BlankField {
  name: string;
  kind: "count" | "mm" | "yesno" | "choice" | "list" | "pieces" | "text";
  needed: boolean;
  choices: string[];
  most: number; // of a list
}

export interface Blank {
  do: string;
  player: boolean; // a player does it, else the table
  fields: BlankField[];
}

/** Values in notation by the name of their field; empty where nothing is filled in. */
export type Filled = Record<string, string>;

/** The line of notation. What is empty is left out. */
export function written(blank: Blank, seat: number, filled: Filled): string {
  const words = blank.fields.flatMap(({ name }) => (filled[name] ? [`${name}=${filled[name]}`] : []));
  return [blank.player ? `p${seat}` : "table", blank.do, ...words].join(" ");
}

/** Whether something is not filled in without which it is no action. */
export function isLacking(blank: Blank, seat: number, filled: Filled): boolean {
  return (blank.player && seat < 1) || blank.fields.some((field) => field.needed && !filled[field.name]);
}

/** `steel:5,glass:2` as counts. */
export function countsOf(text: string): Record<string, number> {
  const parts = text.split(",").map((part) => part.split(":"));
  return Object.fromEntries(parts.flatMap(([name, count]) => (name && count ? [[name, Number(count)]] : [])));
}

/** Pieces with another count of one material. */
export function withCount(text: string, material: string, count: number): string {
  const counts = { ...countsOf(text), [material]: Math.max(0, Math.round(count) || 0) };
  const parts = Object.entries(counts).filter(([, n]) => n > 0);
  return parts.map(([name, n]) => `${name}:${n}`).join(",") || "none";
}

/** A list with another item at a place; nothing in it is `none`. */
export function withItem(text: string, k: number, item: string): string {
  const items = itemsOf(text);
  items[k] = item;
  return items.filter(Boolean).join(",") || "none";
}

export function itemsOf(text: string): string[] {
  return text && text !== "none" ? text.split(",") : [];
}

/** A number as its field is written: `61mm`; nothing where none is typed. */
export function numberText(kind: "count" | "mm", value: number): string {
  return Number.isFinite(value) ? `${Math.max(0, Math.round(value))}${kind === "mm" ? "mm" : ""}` : "";
}
