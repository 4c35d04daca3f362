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
  if (field.kind === "choice") return isList(field) ? "" : (field.choices[0] ?? "");
  return field.low;
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

/** Report whether a choice is shown as a list, in which nothing is chosen at first. */
export function isList(field: Field): boolean {
  return field.kind === "choice" && field.choices.length > BUTTONS_MAX;
}

/** Report whether one tap answers the question, because nothing has to be filled in. */
export function isOneTap(fields: readonly Field[]): boolean {
  const field = fields[0];
  return fields.length === 1 && (field?.kind === "yesno" || (field?.kind === "choice" && !isList(field)));
}
