// What is wrong, causes first: a silent station is one line, whatever its sensors do not say.

import type { Disagreement, Seen } from "./seen";

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
