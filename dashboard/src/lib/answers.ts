// The values of a form before it is sent: what is proposed, kept within its bounds.

import type { Asked, Field } from "./seen";

const BUTTONS_MAX = 8; // more choices than that are a list

export type Value = number | string | boolean;

/** What stands in the form at first. */
export function firstValues(fields: readonly Field[]): Record<string, Value> {
  return Object.fromEntries(fields.map((field) => [field.name, field.proposed ?? emptyOf(field)]));
}

function emptyOf(field: Field): Value {
  if (field.kind === "yesno") return true;
  if (field.kind === "choice") return isList(field) ? "" : (field.choices[0] ?? "");
  return field.low;
}

/** What tells one form from another: what is left of a question is another form than the whole of it. */
export function formKey(asked: Asked): string {
  return [asked.id, ...asked.fields.map((field) => field.name)].join(" ");
}

/** A number within its field's bounds, whole. */
export function bounded(field: Field, value: number): number {
  if (!Number.isFinite(value)) return field.low;
  return Math.min(field.high, Math.max(field.low, Math.round(value)));
}

/** Whether a choice is made from a list, in which nothing is chosen at first. */
export function isList(field: Field): boolean {
  return field.kind === "choice" && field.choices.length > BUTTONS_MAX;
}

/** Whether one tap answers the question: nothing is to be filled in. */
export function isOneTap(fields: readonly Field[]): boolean {
  const field = fields[0];
  return fields.length === 1 && (field?.kind === "yesno" || (field?.kind === "choice" && !isList(field)));
}
