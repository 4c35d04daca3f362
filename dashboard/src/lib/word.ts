// What people may say to the hub: `hub/citytable/table/word.py` has the same words, docs/reference/feed.md describes them.

import { post } from "./send";
import type { Language } from "./words";

type By = { by: string };
type Because = { why?: string };

export type Word = By &
  (
    | { type: "answer"; question: string; values: Record<string, number | string | boolean> }
    | { type: "statement"; action: string }
    | { type: "approval"; actions: string[] }
    | { type: "denial"; action: string }
    | { type: "pieces_said"; spot: string; n: number }
    | { type: "undo_reply"; agrees: boolean }
    | { type: "clear_up"; do: "begin" | "stop" | "close" }
    | { type: "guide"; on: boolean; seats?: number[] }
    | { type: "naming"; names: string[] }
    | { type: "play_again" }
    | { type: "next_game"; after: string; players: number; simplified: boolean; same_people: boolean; names: string[]; rulings?: Record<string, boolean | number>; game?: string; box?: string }
    | (Because &
        (
          | { type: "ruling"; action: string }
          | { type: "mode"; mode: string }
          | { type: "stays" }
          | { type: "go_back"; to: number }
          | { type: "take_back"; entry: number }
          | { type: "undo_request"; to: number }
          | { type: "amend"; entry: number; action: string }
          | { type: "insert"; before: number; action: string }
          | { type: "strike"; entry: number }
          | { type: "paper"; paper: unknown }
        ))
  );

/** The number of the last entry before a word, and of the last that came with it. */
export interface Receipt {
  was: number;
  now: number;
}

/** Say a word: the hub's receipt, or the reason for which it does not take it. */
export function speak(word: Word, language: Language): Promise<{ told: Receipt } | { refusal: string }> {
  return post<Receipt>("/api/say", word, language);
}

/** Say a word; null when the hub took it, else the reason for which it did not. */
export async function refusalOf(word: Word, language: Language): Promise<string | null> {
  const answer = await speak(word, language);
  return "refusal" in answer ? answer.refusal : null;
}

/** Return the speaker of a page: the host, or a seat. */
export function speaker(seat: number | null): string {
  return seat === null ? "host" : `seat ${seat}`;
}
