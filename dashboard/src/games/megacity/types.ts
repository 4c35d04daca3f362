// The colours of MegaCity's building types, and the platforms that carry them.

/** The colours of building types and parks. They also differ for people who cannot see red or green, and always come with an icon. */
const TYPES: Record<string, string> = {
  public: "#cf86b4",
  industrial: "#e9d84a",
  commercial: "#56b4e9",
  residential: "#e0693a",
  park: "#35b184",
  "central-park": "#35b184",
};

export function typeColour(type: string): string {
  return TYPES[type] ?? "#8a94a8";
}

export interface Platform {
  number: string;
  type: string; // of the side that lies up
}

/** Return the platform that a thing is, or null. */
export function platformOf(thing: string): Platform | null {
  const [word, number, type] = thing.split("/");
  return word === "platform" && number ? { number, type: type ?? "" } : null;
}
