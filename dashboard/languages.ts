// The words of the screens. English stands in `words/en.json` beside the parts that say it; every other language is one file in
// the hub's package (docs/howto/add-a-language.md). A page fetches the words of the language that it shows.
//
//   words:host                     how to fetch the words of src/host, by language
//   words:games/*/announcer        the same by the name of the folder at the star, then by language
//   words-now:tabletop             the words themselves, by language
//   words:languages                the languages: their codes, and what their speakers call them

import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Plugin } from "vite";

const SRC = resolve(import.meta.dirname, "src");
const SHARED = resolve(import.meta.dirname, "../hub/citytable/languages");
const ID = /^\0(words|words-now|words-in:(\w+)):(.*)$/;

type Words = Record<string, string>;
interface Translation {
  name: string;
  texts: Record<string, Words>;
}

function languagesOf(folder: string): Map<string, Translation> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
  return new Map(files.map((name) => [basename(name, ".json"), JSON.parse(readFileSync(join(folder, name), "utf8")) as Translation]));
}

const english = (section: string): string => join(SRC, section, "words/en.json");

/** Return the sections that fit a pattern, by what stands at its star. */
function fitting(pattern: string): [string, string][] {
  const [before, after] = pattern.split("*") as [string, string];
  const names = readdirSync(join(SRC, before), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }): [string, string] => [name, before + name + after]).filter(([, section]) => readdirSync(join(SRC, section), { withFileTypes: true }).some(({ name }) => name === "words"));
}

/** Find the words of all languages in one file each; `folder` holds those files. */
export function words(folder = SHARED): Plugin {
  const others = languagesOf(folder);
  const codes = ["en", ...others.keys()];
  const idOf = (section: string, language: string): string => (language === "en" ? english(section) : `words-in:${language}:${section}`);

  /** Return the code of an object: each language's words of a section, or how they are fetched. */
  function loaders(section: string): string {
    return `{${codes.map((code) => `${code}: () => import(${JSON.stringify(idOf(section, code))}).then((file) => file.default)`).join(", ")}}`;
  }

  function fetched(pattern: string): string {
    if (!pattern.includes("*")) return `export default ${loaders(pattern)};`;
    return `export default {${fitting(pattern).map(([name, section]) => `${name}: ${loaders(section)}`).join(", ")}};`;
  }

  function bundled(pattern: string): string {
    const found: [string, string][] = pattern.includes("*") ? fitting(pattern) : [["only", pattern]];
    const lines: string[] = [];
    const objects = found.map(([name, section]) => {
      for (const code of codes) lines.push(`import ${name}_${code} from ${JSON.stringify(idOf(section, code))};`);
      return `${name}: {${codes.map((code) => `${code}: ${name}_${code}`).join(", ")}}`;
    });
    return `${lines.join("\n")}\nconst found = {${objects.join(", ")}};\nexport default ${pattern.includes("*") ? "found" : "found.only"};`;
  }

  function translated(language: string, section: string): string {
    const source = JSON.parse(readFileSync(english(section), "utf8")) as Words;
    const name = ["screens", ...section.split("/").filter(Boolean)].join(".");
    return `export default ${JSON.stringify({ ...source, ...others.get(language)!.texts[name] })};`;
  }

  return {
    name: "words",
    resolveId: (id) => (/^words(-now|-in:\w+)?:/.test(id) ? `\0${id}` : undefined),
    load(id) {
      const [, kind, language, pattern] = ID.exec(id) ?? [];
      if (kind === undefined || pattern === undefined) return undefined;
      for (const code of others.keys()) this.addWatchFile(join(folder, `${code}.json`));
      if (language) return translated(language, pattern);
      if (pattern === "languages") return `export default ${JSON.stringify([{ code: "en", name: "English" }, ...[...others].map(([code, { name }]) => ({ code, name }))])};`;
      return kind === "words" ? fetched(pattern) : bundled(pattern);
    },
  };
}
