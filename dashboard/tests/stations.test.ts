import { render } from "svelte/server";
import { describe, expect, it, test } from "vitest";
import megacity from "../src/games/megacity";
import { play } from "../src/lib/playing.svelte";
import { ago, drift, inOrder, loudest, spotLines, stateOf, zerosOf, type CellZero, type Health } from "../src/lib/stations";
import { placeInWords, placeName, stepText } from "../src/stations/care";
import Where from "../src/stations/Where.svelte";
import { learnStations } from "../src/stations/words";

const station = (name: string, changes: Partial<Health> = {}): Health => ({
  station: name,
  online: true,
  firmware: "0.1.0",
  offset_us: 0,
  last_seen_us: 0,
  samples_lost: 0,
  events_lost: 0,
  faults: [],
  kind: "sector",
  hardware: "pico_w",
  bundle: "",
  reset: "",
  report: null,
  said: [],
  ...changes,
});

const zero = (spot: string, changes: Partial<CellZero> = {}): CellZero => ({
  spot,
  cell: 0,
  drift_g: null,
  bare_us: null,
  calibrated: null,
  due: "unknown",
  ...changes,
});

describe("stations", () => {
  it("has the zeros of the cells it reports, and none before it reports", () => {
    const cell = { spot: "a", cell: 0, rate_hz: 80, saturated: 0, distinct: 90, noise: 40, lost: 0 };
    const report = { gap_us: 1, free_bytes: null, cells: [cell], readers: [], rangers: [], accelerometer: null };
    const zeros = [zero("a"), zero("b")];
    expect(zerosOf(station("s", { report }), zeros)).toEqual([zeros[0]]);
    expect(zerosOf(station("s"), zeros)).toEqual([]);
  });

  it("a drift has a sign, and is a dash while it is not known", () => {
    expect(drift(zero("a"), "en")).toBe("–");
    expect(drift(zero("a", { drift_g: -1.26 }), "en")).toBe("−1.3 g");
    expect(drift(zero("a", { drift_g: 1.26 }), "fr")).toBe("+1,3 g");
    expect(drift(zero("a", { drift_g: -0.04 }), "en")).toBe("0.0 g");
  });

  it("says how loud the loudest knock was, where somebody listens", () => {
    const report = { gap_us: 1, free_bytes: null, cells: [], readers: [], rangers: [], accelerometer: null };
    const heard = (rate_hz: number, peak_mg: number) => ({ ...report, accelerometer: { rate_hz, lost: 0, peak_mg } });
    expect(loudest(null, "en")).toBe(null);
    expect(loudest(report, "en")).toBe(null);
    expect(loudest(heard(100, 240), "en")).toBe("2.4 m/s²");
    expect(loudest(heard(100, 0), "fr")).toBe("0,0 m/s²");
    expect(loudest(heard(0, 0), "en")).toBe("–");
  });

  it("one that is silent is silent, whatever it complained of before", () => {
    expect(stateOf(station("a", { online: false, faults: [{ en: "x" }] }))).toBe("silent");
    expect(stateOf(station("a", { faults: [{ en: "x" }] }))).toBe("bad");
    expect(stateOf(station("a"))).toBe("good");
  });

  it("those that need somebody come first, numbers as people count", () => {
    const all = [station("s-10"), station("s-9"), station("b", { faults: [{ en: "x" }] }), station("c", { online: false })];
    expect(inOrder(all).map((one) => one.station)).toEqual(["c", "b", "s-9", "s-10"]);
  });

  it("gathers what the sensors of a spot measured", () => {
    const cell = (number: number, rate_hz: number, noise: number) => ({
      spot: "seat/1/pad/0",
      cell: number,
      rate_hz,
      noise,
      saturated: 1,
      distinct: 40,
      lost: 2,
    });
    const report = {
      gap_us: 1,
      free_bytes: null,
      cells: [cell(0, 80.2, 41), cell(1, 91.7, 55), cell(2, 84, 30)],
      readers: [
        { spot: "seat/1/pad/0", answered: 99, silent: 1 },
        { spot: "seat/1/card/0", answered: 0, silent: 0 },
      ],
      rangers: [{ spot: "seat/1/pad/0", n: 20, spread_mm: 1.5, bad: 0 }],
      accelerometer: null,
    };
    expect(spotLines(report)).toEqual([
      { spot: "seat/1/card/0", rate_hz: null, noise: null, saturated: 0, lost: 0, answered: null, spread_mm: null },
      {
        spot: "seat/1/pad/0",
        rate_hz: [80.2, 91.7],
        noise: 55,
        saturated: 3,
        lost: 6,
        answered: 99,
        spread_mm: 1.5,
      },
    ]);
  });

  it("a clock that was put back makes nothing happen in the future", () => {
    expect(ago(5_000_000, 2_000_000)).toBe("0 s");
  });

  it("how long ago something was is said as people say it", () => {
    expect([3.4, 119, 120, 7199, 7200, 90_000].map((s) => ago(0, s * 1e6))).toEqual(["3 s", "119 s", "2 min", "119 min", "2 h", "25 h"]);
  });
});

test("the map of a place lies as the wall shows the city", () => {
  const spots = ["city/2/-1", "city/0/-1", "city/2/0"];
  const { body } = render(Where, { props: { spots, all: ["city/0/0"], language: "en" } });
  const at = [...body.matchAll(/translate\((\S+) (\S+)\)/g)].slice(1).map(([, x, y]) => [Math.sign(Math.round(Number(x))), Math.sign(Math.round(Number(y)))]);
  expect(at).toEqual([[1, 0], [0, -1], [1, 1]]); // to the right, straight behind, to the front right
});

test("the host is told in words where a weight goes, and figures have the names of the plan file", async () => {
  play(megacity);
  await learnStations("en");
  expect(stepText("en", { deed: "put", spot: "city/2/-1", grams: 500, block_mm: 0 })).toBe("Put 500\u00a0g on the hex 2 steps from Central Park, to the right, in the middle");
  expect([placeInWords("en", "seat/1/pad/0"), placeName("en", "city/2/-1")]).toEqual(["seat 1's pad 1", "hex 2/-1"]);
  play(null);
  expect(placeInWords("en", "city/2/-1")).toBe("hex 2/-1");
});

test.each([
  ["en", "grid/1/4", "column 1, row 4"],
  ["en", "market/3", "market space 3"],
  ["en", "aside/1", "the place 1 for cards put aside"],
  ["fr", "grid/1/4", "colonne 1, rangée 4"],
  ["en", "lagoon/2", "lagoon 2"],
] as const)("in %s %s is %s where no game is on that names it", async (language, spot, name) => {
  play(null);
  await learnStations(language);
  expect(placeName(language, spot)).toBe(name);
});
