import { expect, test } from "vitest";
import { isOpen, kindAt, labelsAt, ownerAt, removed, withKind, type Paper } from "../../../src/games/megacity/paper";

const paper: Paper = {
  player: 1,
  players: [],
  buildings: [{ at: "1/0", platform: "6c", owner: 2, contract: "CO5", height_mm: 61, pieces: 7 }],
  parks: [{ at: "2/0", owner: 1, monument: true }],
  columns: ["", "", "", ""],
  supply: "",
  turn: 1,
  actions_used: 0,
  box: 0,
  monument: false,
  due_at: "",
};

test("a hex holds a platform, a park or nothing; Central Park is a park for ever", () => {
  expect(["1/0", "2/0", "3/0", "0/0"].map((at) => kindAt(paper, at))).toEqual(["platform", "park", "empty", "park"]);
  expect(withKind(paper, "0/0", "platform")).toBe(paper);
  expect(kindAt(withKind(paper, "1/0", "park"), "1/0")).toBe("park");
  expect(withKind(paper, "1/0", "empty").buildings).toEqual([]);
});

test("what is chosen again keeps what was said of it", () => {
  expect(withKind(paper, "1/0", "platform")).toBe(paper);
});

test("a hex shows what lies there and how high, and what is not said yet", () => {
  expect(labelsAt(paper, "1/0")).toEqual(["6c", "61"]);
  expect(labelsAt(paper, "2/0")).toEqual(["♣", "▲"]);
  const more = withKind(withKind(paper, "3/0", "platform"), "3/-1", "park");
  expect(labelsAt(more, "3/0")).toEqual(["?", "?"]);
  expect(["1/0", "2/0", "3/0", "3/-1", "0/0"].map((at) => isOpen(more, at))).toEqual([false, false, true, true, false]);
  expect([ownerAt(paper, "1/0"), ownerAt(paper, "2/0"), ownerAt(paper, "3/-3")]).toEqual([2, 1, 0]);
});

test("what the game would lose is named", () => {
  const known: Paper = {
    ...paper,
    buildings: [{ at: "1/0", platform: "6c", owner: 2, contract: "CO5", height_mm: 61, pieces: 7 }],
    parks: [{ at: "2/0", owner: 2, monument: true }],
    players: [{ pieces: 9, tokens: 2, contracts: "RE7", platforms: "3p" }],
    monument: true,
  };
  expect(removed(known, structuredClone(known))).toEqual([]);
  const moved = { ...known, buildings: [{ ...known.buildings[0]!, at: "0/1" }], players: [{ ...known.players[0]!, platforms: "3c" }] };
  expect(removed(known, moved)).toEqual([]);
  const bare = { ...known, buildings: [], parks: [], monument: false, players: [{ pieces: 8, tokens: 0, contracts: "", platforms: "" }] };
  expect(removed(known, bare).map((one) => one.key.replace("paper.thing.", ""))).toEqual([
    "building", "park", "monument", "contract", "platform", "tokens", "pieces",
  ]);
  expect(removed(known, { ...known, parks: [{ at: "2/0", owner: 2, monument: false }] })).toEqual([
    { key: "paper.thing.monument", words: { at: "2/0" } },
  ]);
});
