// Reporting an action step by step: each step asks for the first word in which the remaining actions differ.

export interface Sayable {
  action: string; // in notation
  key: string;
  words: Record<string, string>;
  seat: number | null;
}

export interface Step {
  name: string; // "key", or a word's name
  values: string[]; // "" if some of the remaining actions lack the word
}

/** Return the actions that this seat may report: its own and the table's. The host (null) may report all. */
export function mineToSay(all: readonly Sayable[], seat: number | null): Sayable[] {
  return seat === null ? [...all] : all.filter((one) => one.seat === seat || one.seat === null);
}

export function valueOf(one: Sayable, name: string): string {
  return name === "key" ? one.key : (one.words[name] ?? "");
}

/** Return the next choice; null when one action is left. */
export function nextStep(left: readonly Sayable[]): Step | null {
  const names = new Set(["key", ...left.flatMap((one) => Object.keys(one.words))]);
  for (const name of names) {
    const values = [...new Set(left.map((one) => valueOf(one, name)))];
    if (values.length > 1) return { name, values };
  }
  return null;
}

/** Return the actions that are left after a choice. */
export function chosen(left: readonly Sayable[], step: Step, value: string): Sayable[] {
  return left.filter((one) => valueOf(one, step.name) === value);
}
