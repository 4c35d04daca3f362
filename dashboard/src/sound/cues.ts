// Which sounds and words go with what happens: a table of cues, and the moments at which they are due. Silent about the
// past: a page that has just been opened, and corrections, sound of nothing.

import { alarms } from "../lib/causes";
import type { Happened, Seen } from "../lib/seen";

export type Cue = "turn" | "moment" | "fell" | "alarm" | "end";

/** The notes of each cue: Hertz, and when each begins and how long it lasts, in milliseconds. */
export const NOTES: Record<Cue, readonly (readonly [hertz: number, from_ms: number, ms: number])[]> = {
  turn: [[660, 0, 120]],
  moment: [[523, 0, 160], [659, 140, 160], [784, 280, 320]],
  fell: [[196, 0, 300], [147, 260, 600]],
  alarm: [[440, 0, 180], [440, 260, 180]],
  end: [[523, 0, 200], [659, 200, 200], [784, 400, 200], [1047, 600, 700]],
};

/** Something that is heard; `line` is what happened, where it was an act. */
export interface Due {
  cue: Cue;
  line: Happened | null;
}

const CORRECTIONS = ["action.undo", "action.position_set"];

const confirmed = (seen: Seen): Happened[] => seen.happened.filter(({ provisional }) => !provisional);

/** Report whether somebody puts the record right, or the page was away: what is different then has not just happened. */
function corrects(before: Seen, after: Seen): boolean {
  if (before.restoring || after.restoring || after.clearing) return true;
  const turns = (after.scene?.turn ?? 0) - (before.scene?.turn ?? 0);
  if (turns < 0 || turns > 1) return true; // taken back, or the page was away
  const first = after.happened[0]?.no ?? Infinity; // older lines are forgotten
  const now = new Map(confirmed(after).map((line) => [line.no, line.key]));
  if (confirmed(before).some(({ no, key }) => no >= first && now.get(no) !== key)) return true;
  const last = before.happened.at(-1)?.no ?? 0;
  return confirmed(after).some(({ no, key }) => no > last && CORRECTIONS.includes(key));
}

/** Return what is heard when the table changes, the most important last; `moments` are the acts that a game is about. */
export function due(before: Seen | null, after: Seen, moments: readonly string[]): Due[] {
  if (!before?.scene || !after.scene || before.scene.game !== after.scene.game || corrects(before, after)) return [];
  const old = new Set(confirmed(before).map(({ no }) => no));
  const acts = confirmed(after).filter(({ no, key }) => !old.has(no) && moments.includes(key));
  const heard: Due[] = [];
  if (alarms(after).length && !alarms(before).length) heard.push({ cue: "alarm", line: null });
  if (after.scene.seat && after.scene.seat !== before.scene.seat) heard.push({ cue: "turn", line: null });
  heard.push(...acts.filter(({ key }) => !key.includes("fell")).map((line): Due => ({ cue: "moment", line })));
  if (after.collapse && after.collapse.no !== before.collapse?.no) heard.push({ cue: "fell", line: null });
  if (after.scene.ended && !before.scene.ended) heard.push({ cue: "end", line: null });
  return heard;
}
