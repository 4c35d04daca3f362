// How many materials of a delivery have to be tapped or typed, whatever was built, for every contract of the house deck.

import { expect, test } from "vitest";
import deck from "../../../../hub/citytable/games/megacity/house_deck.json";
import { firstValues, sendable, tappable, withValue, type Value } from "../../../src/lib/answers";
import type { Field } from "../../../src/lib/seen";

interface Contract {
  id: string;
  pieces: number;
  plus: boolean;
  requirements: string[];
}

const MATERIALS = ["steel", "concrete", "glass"];
const PIECES_MAX = 15; // R11
const contracts: Contract[] = deck.contracts;

/** Return the shares of the hub's form (`megacity/questions.py`); `counted` pieces, if the table has counted them. */
function sharesOf({ pieces: asked, plus, requirements }: Contract, counted = 0): Field[] {
  const pieces = counted || asked;
  const allowed = MATERIALS.filter((name) => !requirements.includes(`no_${name}`));
  const part = (name: string): number => Math.floor((pieces + allowed.length - 1 - allowed.indexOf(name)) / allowed.length);
  return MATERIALS.map((name) => {
    const [proposed, high] = allowed.includes(name) ? [part(name), 150] : [0, 0];
    return { name, kind: "share", proposed, choices: [], low: 0, high, over: plus && high && !counted ? PIECES_MAX - pieces : 0, voters: null, criteria: [] };
  });
}

/** Return the buildings that fulfil a contract: `[steel, concrete, glass]`. */
function buildingsOf(contract: Contract, shares: Field[]): number[][] {
  const most = contract.plus ? PIECES_MAX : contract.pieces;
  const upTo = (n: number): number[] => Array.from({ length: n + 1 }, (_, k) => k);
  return upTo(most)
    .flatMap((steel) => upTo(most - steel).flatMap((concrete) => upTo(most - steel - concrete).map((glass) => [steel, concrete, glass])))
    .filter((built) => built.every((n, k) => n <= shares[k]!.high) && built.reduce((sum, n) => sum + n) >= contract.pieces);
}

/** Return how many of the shares have to be typed, in the order of the form, before a tap can send the building. */
function typedFor(shares: Field[], built: number[]): number {
  const wanted = new Map(shares.map(({ name }, k) => [name, built[k]!]));
  const isRight = (values: Record<string, Value>): boolean => [...wanted].every(([name, n]) => values[name] === n);
  for (const typed of [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]) {
    let values = firstValues(shares);
    const touched = new Set<string>();
    for (const k of typed) {
      const field = shares[k]!;
      values = withValue(shares, values, touched, field, built[k]!);
      touched.add(field.name);
    }
    if (sendable(shares, values, touched).some(([, sent]) => isRight(sent))) return typed.length;
  }
  return Infinity;
}

test.each(contracts)("for $id nobody types more than two materials, whatever was built of a whole hand", (contract) => {
  const shares = sharesOf(contract);
  const buildings = buildingsOf(contract, shares);
  expect(buildings.length).toBeGreaterThan(0);
  expect(Math.max(...buildings.map((built) => typedFor(shares, built)))).toBeLessThanOrEqual(2);
});

test.each(contracts)("for $id one tap says what is not as shown and one sends it, where the table has counted the pieces", (contract) => {
  for (const built of buildingsOf(contract, sharesOf(contract))) {
    const shares = sharesOf(contract, built.reduce((sum, n) => sum + n));
    const first = shares.find(({ high }) => high)!;
    const wanted = Object.fromEntries(shares.map(({ name }, k) => [name, built[k]!]));
    const numbers = tappable(shares, first);
    const touched = new Set(numbers.length ? [first.name] : []);
    const values = numbers.length ? withValue(shares, firstValues(shares), new Set(), first, wanted[first.name]!) : firstValues(shares);
    expect(numbers.length ? numbers : [wanted[first.name]]).toContain(wanted[first.name]);
    expect(sendable(shares, values, touched).map(([, sent]) => sent)).toContainEqual(wanted);
  }
});
