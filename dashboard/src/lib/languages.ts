// The languages of the screens: English, and those that have a file in the hub's package.

/** A code, such as "fr". */
export type Language = string;

/** Sentences by key, or the values to fill in by name. */
export type Words = Record<string, string>;
