// MegaCity's words for announcers. They lie in files of their own, so that phones do not fetch them.

import type { Language, Words } from "../../../lib/languages";

const FILES = import.meta.glob<Words>("./words/*.json", { import: "default" });

/** Fetch them for a language. */
export async function announcing(language: Language): Promise<Words> {
  return (await FILES[`./words/${language}.json`]?.()) ?? {};
}
