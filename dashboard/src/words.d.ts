// The words of the screens, as ../languages.ts finds them.

type WordsOf = Record<string, string>;
type Fetching = Record<string, () => Promise<WordsOf>>;

declare module "words:languages" {
  const languages: readonly { code: string; name: string }[];
  export default languages;
}
declare module "words:*" {
  const fetching: Fetching;
  export default fetching;
}
declare module "words:games/*" {
  const fetching: Record<string, Fetching>;
  export default fetching;
}
declare module "words-now:*" {
  const words: Record<string, WordsOf>;
  export default words;
}
declare module "words-now:games/*" {
  const words: Record<string, Record<string, WordsOf>>;
  export default words;
}
