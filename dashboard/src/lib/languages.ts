// The languages of the screens.

export type Language = "en" | "fr";

/** Sentences by their keys, or what is filled in by its name. */
export type Words = Record<string, string>;
