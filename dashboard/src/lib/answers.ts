// The values of a question's form before it is sent.

import type { Asked, Field } from "./seen";

const BUTTONS_MAX = 8; // more choices than this become a list

export type Value = number | string | boolean;

/** Return the values that a form begins with. */
export function firstValues(fields: readonly Field[]): Record<string, Value> {
  return Object.fromEntries(fields.map((field) => [field.name, field.proposed ?? emptyOf(field)]));
}

function emptyOf(field: Field): Value {
  if (field.kind === "yesno") return true;
  if (field.kind === "choice" || field.kind === "mm") return ""; // nobody confirms a height that stood there by itself
  return field.low;
}

/** Return the fields that other values ask for. */
export function shownOf(fields: readonly Field[], values: Record<string, Value>): Field[] {
  return fields.filter(({ only_if: [name, ...those] = [] }) => !name || those.includes(String(values[name])));
}

/** Return the values as they are sent: what was not asked for is as little as it may be. */
export function sent(fields: readonly Field[], values: Record<string, Value>): Record<string, Value> {
  const shown = shownOf(fields, values);
  const unasked = fields.filter((field) => field.kind === "mm" && !shown.includes(field));
  return { ...values, ...Object.fromEntries(unasked.map(({ name, low }) => [name, values[name] || low])) };
}

/** Return a key for a form; the rest of a question has another key than the whole question. */
export function formKey(asked: Asked): string {
  return [asked.id, ...asked.fields.map((field) => field.name)].join(" ");
}

/** Return a whole number within the bounds of its field. */
export function bounded(field: Field, value: number): number {
  if (!Number.isFinite(value)) return field.low;
  return Math.min(field.high, Math.max(field.low, Math.round(value)));
}

/** Return the values with one of them set. The other shares of a sum that nobody has touched make up for it. */
export function withValue(
  fields: readonly Field[],
  values: Record<string, Value>,
  touched: ReadonlySet<string>,
  field: Field,
  wanted: number,
): Record<string, Value> {
  const value = bounded(field, wanted);
  const changed = { ...values, [field.name]: value };
  let over = field.kind === "share" ? value - Number(values[field.name]) : 0;
  for (const other of fields) {
    if (other.kind !== "share" || other.name === field.name || touched.has(other.name)) continue;
    const was = Number(values[other.name]);
    const now = bounded(other, was - over);
    changed[other.name] = now;
    over -= was - now;
  }
  return changed;
}

/** Return the shares of a sum that may be anything and that nobody has touched. */
function untouched(fields: readonly Field[], touched: ReadonlySet<string>): Field[] {
  return fields.filter(({ kind, high, name }) => kind === "share" && high && !touched.has(name));
}

/**
 * Return what a tap may send: each sum of the shares, with the values. It is what they come to, or more where one that
 * nobody has touched may make up for it. Where the sum is known and nobody has touched two of them, each way to share
 * out what is left.
 */
export function sendable(fields: readonly Field[], values: Record<string, Value>, touched: ReadonlySet<string>): [number, Record<string, Value>][] {
  const shares = fields.filter(({ kind }) => kind === "share");
  const sumOf = (of: Record<string, Value>, these: readonly Field[]): number => these.reduce((sum, { name }) => sum + Number(of[name]), 0);
  const open = untouched(fields, touched);
  const [spare, other] = open;
  const sum = sumOf(values, shares);
  const more = spare ? sumOf(firstValues(shares), shares) + spare.over - sum : 0;
  if (spare && other && open.length === 2 && more <= 0) {
    const left = sumOf(values, open);
    return upTo(left).map((k) => [sum, { ...values, [spare.name]: k, [other.name]: left - k }]);
  }
  return upTo(more).map((k) => [sum + k, spare ? { ...values, [spare.name]: Number(values[spare.name]) + k } : values]);
}

/** Return the whole numbers from 0 to this one. */
const upTo = (n: number): number[] => Array.from({ length: Math.max(0, n) + 1 }, (_, k) => k);

/**
 * Return the numbers that one tap may set a field to: every height that was measured where somebody has to take the
 * ruler, and the shares of a sum; none for the last shares, which the tap that sends tells apart.
 */
export function tappable(fields: readonly Field[], field: Field, words: Asked["words"] = {}): number[] {
  if (field.kind === "mm" && field.proposed === null && words["high_mm"]) {
    const [low, high] = [Number(words["low_mm"]), Number(words["high_mm"])];
    return high - low < BUTTONS_MAX ? upTo(high - low).map((k) => low + k) : [];
  }
  const open = untouched(fields, new Set());
  const most = open.reduce((sum, { proposed }) => sum + Number(proposed), field.over);
  const apart = field.over ? 1 : 2;
  return open.indexOf(field) >= 0 && open.indexOf(field) < open.length - apart ? upTo(most) : [];
}

/** Report whether a choice beside other fields is shown as a list, in which nothing is chosen at first. */
export function isList(field: Field): boolean {
  return field.kind === "choice" && field.choices.length > BUTTONS_MAX;
}

/** Report whether taps alone answer the question, one for each field and none to send it: nothing has to be filled in. */
export function isTapped(fields: readonly Field[]): boolean {
  if (fields.length === 1) return fields[0]?.kind === "yesno" || fields[0]?.kind === "choice";
  return fields.length > 1 && fields.every((field) => field.kind === "choice" && field.proposed === null);
}

/** Return the thing that a choice names: a platform is one thing, whichever side lies up. */
const thingOf = (choice: Value): Value => (typeof choice === "string" ? choice.replace(/^((?!seat)\w+\/\d+)\/[a-z]+$/, "$1") : choice);

/** Return the choices of a field after others have been made: of a long list, and of things, nothing is there twice. */
export function choicesLeft(field: Field, values: Record<string, Value>): readonly string[] {
  const gone = new Set(Object.values(values).map(thingOf));
  const once = isList(field) || field.choices.every((choice) => choice.includes("/"));
  return once ? field.choices.filter((choice) => !gone.has(thingOf(choice))) : field.choices;
}
