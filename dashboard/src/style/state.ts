// A state of a part, as the style page shows it.

/** One state: the properties of a part, and what is unusual about showing it. */
export interface State {
  name: string; // what is special about it
  props: Record<string, unknown>;
  drawing?: boolean; // the part is a piece of a drawing
  needs?: "browser"; // it cannot be drawn without one
}

/** The states of the parts by their path below `src/`, such as "parts/Badge". */
export type Catalogue = Record<string, State[]>;
