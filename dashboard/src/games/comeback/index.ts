// Comeback City's screens: its words, its names for things, and the parts that it draws itself.

import type { GameScreens } from "../../lib/playing.svelte";
import ActionPoints from "./ActionPoints.svelte";
import Beside from "./Beside.svelte";
import City from "./City.svelte";
import Goal from "./Goal.svelte";
import Hand from "./Hand.svelte";
import { naming } from "./naming";

const comeback: GameScreens = {
  words: {},
  naming,
  parts: { board: City, market: () => import("./Flipped.svelte"), area: Beside, lineBeside: true, hand: Hand, left: ActionPoints, result: Goal, paper: () => import("../../paper/Paper.svelte") },
  icons: {},
  tabletop: () => import("./tabletop/Tabletop.svelte"),
  overlay: () => import("./overlay"),
  announcer: () => import("./announcer"),
  card: () => import("./card"),
};

export default comeback;
