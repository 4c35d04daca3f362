// Requests to the hub. A refusal comes back as a sentence in every language.

import { say, toldIn, type Language } from "./words";

interface Refusal {
  rule?: string;
  text?: Record<string, string>;
}

/** What the hub responded, or the reason for a refusal; `silent`: nobody is there, perhaps for a moment. */
export type Answered<T> = { told: T } | { refusal: string; silent?: boolean };

/** Send a body; return null if the hub accepts it, otherwise the reason, with the rule if a rule forbids it. */
export async function send(path: string, body: unknown, language: Language, key = ""): Promise<string | null> {
  const answer = await post<unknown>(path, body, language, key);
  return "refusal" in answer ? answer.refusal : null;
}

/** Send a body; return the hub's response, or the reason for a refusal. */
export async function post<T>(path: string, body: unknown, language: Language, key = ""): Promise<Answered<T>> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    });
    return response.ok ? { told: (await response.json()) as T } : { refusal: await whyNot(response, language) };
  } catch {
    return { refusal: say(language, "send.away") }; // there is no hub, or something else responded in its place
  }
}

/** Fetch something; return the hub's response, or the reason for a refusal. */
export async function ask<T>(path: string, language: Language): Promise<Answered<T>> {
  try {
    const response = await fetch(path);
    return response.ok ? { told: (await response.json()) as T } : { refusal: await whyNot(response, language) };
  } catch {
    return { refusal: say(language, "send.silent"), silent: true };
  }
}

async function whyNot(response: Response, language: Language): Promise<string> {
  const refusal = (await response.json()) as Refusal;
  const text = refusal.text ? toldIn(language, refusal.text) : response.statusText;
  return refusal.rule ? `${refusal.rule}: ${text}` : text;
}
