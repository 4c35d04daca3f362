// Dilluvia Project's screens: its words, its names for things, and the parts that it draws itself.

import type { GameScreens } from "../../lib/playing.svelte";
import Beside from "./Beside.svelte";
import City from "./City.svelte";
import Due from "./Due.svelte";
import Hand from "./Hand.svelte";
import { naming } from "./naming";

const dilluvia: GameScreens = {
  words: {},
  naming,
  parts: { board: City, market: () => import("./Market.svelte"), area: Beside, lineBeside: true, hand: Hand, left: Due, paper: () => import("../../paper/Paper.svelte") },
  icons: {},
  tabletop: () => import("./tabletop/Tabletop.svelte"),
  overlay: () => import("./overlay"),
  announcer: () => import("./announcer"),
  map: (choices) => (choices.every((one) => /^(city|berth)\//.test(one)) ? import("./ChoiceMap.svelte") : undefined),
  card: () => import("./card"),
};

export default dilluvia;
