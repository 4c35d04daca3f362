// The languages of the screens.

export type Language = "en" | "fr";

/** Sentences by key, or the values to fill in by name. */
export type Words = Record<string, string>;
