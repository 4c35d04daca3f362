// The links from page to page. They keep the language that was chosen.

import TONGUES from "words:languages";
import type { Language } from "./languages";

/** Return the other languages, with what their speakers call them. */
export function others(language: Language): typeof TONGUES {
  return TONGUES.filter(({ code }) => code !== language);
}

/** Return the address of another page in the language of this one. */
export function linkTo(page: URL, path: string): string {
  const wish = page.searchParams.get("lang");
  return wish ? `${path}?lang=${encodeURIComponent(wish)}` : path;
}

/** Return the address of the same page in another language. */
export function inLanguage(page: URL, language: Language): string {
  const query = new URLSearchParams(page.search);
  query.set("lang", language);
  return `${page.pathname}?${query}`;
}
