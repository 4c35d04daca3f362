import { afterEach, describe, expect, test } from "vitest";
import { play } from "../src/lib/playing.svelte";
import { lineText } from "../src/lib/table";
import { isWorded, type Language } from "../src/lib/words";
import { isProvisional, lineOf } from "../src/overlay/line";
import { PLAIN, said, tried } from "../src/overlay/samples";
import { momentsOf, remembered } from "../src/producer/moments";
import { wishesOf } from "../src/overlay/wishes";
import { seen } from "./fixtures";
import { GAMES } from "./screens";

afterEach(() => play(null));

const wishes = (query: string) => wishesOf(new URLSearchParams(query));

test("without a wish everything is shown at its size", () => {
  expect(wishes("")).toEqual({ show: ["score", "turn", "delivery", "sentence"], scale: 100, test: false, unknown: [], badScale: "" });
});

test("the address chooses elements, and one that does not exist is no other", () => {
  expect(wishes("show=turn, score")).toMatchObject({ show: ["score", "turn"], unknown: [] });
  expect(wishes("show=card,score")).toMatchObject({ show: ["score", "card"], unknown: [] });
  expect(wishes("show=scroe")).toMatchObject({ show: [], unknown: ["scroe"] });
  expect(wishes("show=")).toMatchObject({ show: [], unknown: [] });
});

test.each(["50", "125", "200"])("a scale of %s is used", (scale) => {
  expect(wishes(`scale=${scale}`)).toMatchObject({ scale: Number(scale), badScale: "" });
});

test.each(["49", "201", "1e2", "100%", "-100", "12.5", " "])("a scale of '%s' is not", (scale) => {
  expect(wishesOf(new URLSearchParams({ scale }))).toMatchObject({ scale: 100, badScale: scale });
});

test("test mode needs no value", () => {
  expect([wishes("test").test, wishes("test=1").test, wishes("tested").test]).toEqual([true, true, false]);
});

test("what is tried comes before what happened, and the state of stations is no news for onlookers", () => {
  const past = [...said("action.recycle", {}, 1).happened, ...said("sensed.station_went", { station: "seat-1" }, null).happened];
  expect(lineOf(seen())).toBeNull();
  expect(lineOf(seen({ happened: past }))?.key).toBe("action.recycle");
  const end = seen({ happened: past });
  expect(lineOf({ ...end, scene: { ...end.scene!, ended: "completed" } })).toBeNull();
  const line = lineOf(seen({ happened: past, ...tried("action.deliver", {}, 2) }))!;
  expect([line.key, isProvisional(line)]).toEqual(["action.deliver", true]);
});

describe.each([...Object.keys(GAMES), ""])("the samples of '%s'", (name) => {
  test.each<Language>(["en", "fr"])("are worded in %s", async (language) => {
    const game = GAMES[name] ?? null;
    play(game);
    const samples = (await game?.overlay?.())?.default.samples ?? PLAIN;
    for (const one of samples) {
      if (one.scene!.ended) continue; // who has won is said elsewhere
      const line = lineOf(one)!;
      expect(isWorded(language, line.key), line.key).toBe(true);
      expect(lineText(language, line)).not.toMatch(/[{}]|undefined/);
      expect(isWorded(language, `phase.${one.scene!.phase}`) || name === "", one.scene!.phase).toBe(true);
    }
  });
});

test("moments outlast the ticker, and what the ticker corrects is corrected", () => {
  const line = (no: number, key = "action.deliver") => ({ no, key, t_us: no, words: {}, seat: 1, provisional: false });
  const before = remembered([], [line(1), line(2), line(4)]);
  const after = remembered(before, [line(2, "action.recycle"), line(5)]);
  expect(after.map(({ no }) => no)).toEqual([1, 2, 5]);
  expect(momentsOf(after, ["action.deliver"]).map(({ no }) => no)).toEqual([5, 1]);
  expect(remembered(after, [])).toEqual(after);
});
