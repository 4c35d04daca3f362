// The links from page to page. They keep the language that was chosen.

import type { Language } from "./languages";

export const OTHER: Record<Language, { language: Language; name: string }> = {
  en: { language: "fr", name: "Français" },
  fr: { language: "en", name: "English" },
};

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
