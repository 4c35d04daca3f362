// What is wrong, causes first: a silent station is one line, whatever its sensors do not say.

import type { Asked, Disagreement, Seen } from "./seen";

/**
 * Return what people put right. After an undo the undo is the cause, and no rule that the things on the table would break now:
 * they are only to be put back. The host still reads the rules, and may let the table stay as it is.
 */
export function toPutRight(seen: Seen): Disagreement[] {
  const all = alarms(seen);
  const back = (one: Disagreement): Disagreement => ({ ...one, kind: one.kind === "refused" ? "unexpected" : one.kind, text: {}, rule: "" });
  return seen.restoring ? all.map(back) : all;
}

/** Return the alarms: what stays wrong, without the symptoms of a named cause. Failed sensors are one alarm together. */
export function alarms(seen: Seen): Disagreement[] {
  const wrong = seen.status.disagreements.filter(({ state }) => state === "wrong");
  const silent = new Set(wrong.filter(({ kind }) => kind === "station_silent").flatMap(({ spots }) => spots));
  const own = (kind: string) => wrong.filter((one) => one.kind === kind);
  const failed = own("sensor_fault").filter(({ spots }) => spots.some((spot) => !silent.has(spot)));
  const rest = wrong.filter(({ kind }) => kind !== "station_silent" && kind !== "sensor_fault");
  const spots = [...new Set(failed.flatMap((one) => one.spots))];
  return [...own("station_silent"), ...failed.slice(0, 1).map((one) => ({ ...one, spots })), ...rest];
}

/** Return what is said calmly: what rests where it may not stay, and what somebody holds and is about to put down. */
export function calm(seen: Seen): Disagreement[] {
  const notYet = seen.status.disagreements.filter(({ state }) => state !== "wrong");
  return [...notYet.filter(({ kind }) => kind === "refused"), ...notYet.filter(({ state }) => state === "in_hand")];
}

/** What is wanted of people: to put something right, to answer, or to take away what may not stay where it rests. */
export interface Wanted {
  wrong: Disagreement[];
  asked: Asked | undefined;
  resting: Disagreement | undefined;
}

/** Return what is wanted of people, null if nothing is. What rests is not said beside anything else. */
export function wantedOf(seen: Seen): Wanted | null {
  const [wrong, asked] = [toPutRight(seen), seen.questions[0]];
  const resting = wrong.length || asked || seen.trying.length ? undefined : calm(seen).find(({ kind }) => kind === "refused");
  return wrong.length || asked || resting || seen.restoring ? { wrong, asked, resting } : null;
}
