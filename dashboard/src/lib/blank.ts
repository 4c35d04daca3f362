// An action as a form: the fields that the hub describes (`GET /api/blanks`), their values, and the notation of both.

export interface BlankField {
  name: string;
  kind: "count" | "mm" | "yesno" | "choice" | "list" | "pieces" | "text";
  needed: boolean;
  choices: string[];
  most: number; // of a list
}

export interface Blank {
  do: string;
  player: boolean; // true if a player does it, false if it happens to the table
  fields: BlankField[];
}

/** Values in notation by the name of their field; empty if nothing is filled in. */
export type Filled = Record<string, string>;

/** Return the line of notation, without the empty fields. */
export function written(blank: Blank, seat: number, filled: Filled): string {
  const words = blank.fields.flatMap(({ name }) => (filled[name] ? [`${name}=${filled[name]}`] : []));
  return [blank.player ? `p${seat}` : "table", blank.do, ...words].join(" ");
}

/** Report whether a needed field is still empty. */
export function isLacking(blank: Blank, seat: number, filled: Filled): boolean {
  return (blank.player && seat < 1) || blank.fields.some((field) => field.needed && !filled[field.name]);
}

/** Read `steel:5,unknown:2-3` as counts, as they are written: a range stays one. */
export function countsOf(text: string): Record<string, string> {
  const parts = text.split(",").map((part) => part.split(":"));
  return Object.fromEntries(parts.flatMap(([name, count]) => (name && count ? [[name, count]] : [])));
}

/** Return the pieces with another count of one material. */
export function withCount(text: string, material: string, count: number): string {
  const counts = { ...countsOf(text), [material]: String(Math.max(0, Math.round(count) || 0)) };
  const parts = Object.entries(counts).filter(([, n]) => n !== "0");
  return parts.map(([name, n]) => `${name}:${n}`).join(",") || "none";
}

/** Return a list with another item at one position; an empty list is `none`. */
export function withItem(text: string, k: number, item: string): string {
  const items = itemsOf(text);
  items[k] = item;
  return items.filter(Boolean).join(",") || "none";
}

export function itemsOf(text: string): string[] {
  return text && text !== "none" ? text.split(",") : [];
}

/** Return a number as its field is written, such as `61mm`; empty if none is typed. */
export function numberText(kind: "count" | "mm", value: number): string {
  return Number.isFinite(value) ? `${Math.max(0, Math.round(value))}${kind === "mm" ? "mm" : ""}` : "";
}
