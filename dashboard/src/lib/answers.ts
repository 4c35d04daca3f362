// The values of a form before it is sent: what is proposed, kept within its bounds.

import type { Field } from "./seen";

export type Value = number | string | boolean;

/** What stands in the form at first. */
export function firstValues(fields: readonly Field[]): Record<string, Value> {
  return Object.fromEntries(fields.map((field) => [field.name, field.proposed ?? emptyOf(field)]));
}

function emptyOf(field: Field): Value {
  if (field.kind === "yesno") return true;
  return field.kind === "choice" ? (field.choices[0] ?? "") : field.low;
}

/** A number within its field's bounds, whole. */
export function bounded(field: Field, value: number): number {
  if (!Number.isFinite(value)) return field.low;
  return Math.min(field.high, Math.max(field.low, Math.round(value)));
}

/** Whether one tap answers the question: nothing is to be filled in. */
export function isOneTap(fields: readonly Field[]): boolean {
  return fields.length === 1 && (fields[0]!.kind === "yesno" || fields[0]!.kind === "choice");
}
