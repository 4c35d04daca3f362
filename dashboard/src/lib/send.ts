// What people send: a JSON body to one of the hub's doors. A refusal comes back as a sentence in every language.

import { say, type Language } from "./words";

interface Refusal {
  rule?: string;
  text?: Record<string, string>;
}

/** Send a body; null when the hub took it, else why not, in the language, with the rule where a rule refuses. */
export async function send(path: string, body: unknown, language: Language): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return null;
    const refusal = (await response.json()) as Refusal;
    const text = refusal.text?.[language] ?? response.statusText;
    return refusal.rule ? `${refusal.rule}: ${text}` : text;
  } catch {
    return say(language, "send.away"); // no hub, or something between that is not the hub
  }
}
