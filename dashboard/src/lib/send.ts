// What people send to the hub's doors, and what their pages ask there. A refusal comes back as a sentence in every language.

import { say, toldIn, type Language } from "./words";

interface Refusal {
  rule?: string;
  text?: Record<string, string>;
}

/** Send a body; null when the hub took it, else why not, in the language, with the rule where a rule refuses. */
export async function send(path: string, body: unknown, language: Language): Promise<string | null> {
  const answer = await post<unknown>(path, body, language);
  return "refusal" in answer ? answer.refusal : null;
}

/** Send a body: what the hub answered, or why it does not take it. */
export async function post<T>(path: string, body: unknown, language: Language): Promise<{ told: T } | { refusal: string }> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.ok ? { told: (await response.json()) as T } : { refusal: await whyNot(response, language) };
  } catch {
    return { refusal: say(language, "send.away") }; // no hub, or something between that is not the hub
  }
}

/** Ask for something: what the hub told, or the sentence that says why it did not. */
export async function ask<T>(path: string, language: Language): Promise<{ told: T } | { refusal: string }> {
  try {
    const response = await fetch(path);
    return response.ok ? { told: (await response.json()) as T } : { refusal: await whyNot(response, language) };
  } catch {
    return { refusal: say(language, "send.silent") };
  }
}

async function whyNot(response: Response, language: Language): Promise<string> {
  const refusal = (await response.json()) as Refusal;
  const text = refusal.text ? toldIn(language, refusal.text) : response.statusText;
  return refusal.rule ? `${refusal.rule}: ${text}` : text;
}
