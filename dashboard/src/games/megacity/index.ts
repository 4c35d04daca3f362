// MegaCity's screens: its words, its names for things, and the parts that it draws itself.

import type { GameScreens } from "../../lib/playing.svelte";
import ActionsLeft from "./ActionsLeft.svelte";
import Area from "./Area.svelte";
import City from "./City.svelte";
import { icons } from "./icons";
import Hand from "./Hand.svelte";
import Guesses from "./Guesses.svelte";
import DeliveryMoment from "./DeliveryMoment.svelte";
import { deliveryOf } from "./contracts";
import { naming } from "./naming";
import { outcomeOf } from "./outcome";
import ParkMark from "./ParkMark.svelte";

const megacity: GameScreens = {
  words: {},
  naming,
  parts: {
    board: City,
    market: () => import("./Market.svelte"),
    area: Area,
    hand: Hand,
    moment: DeliveryMoment,
    isMoment: (seen) => deliveryOf(seen) !== null,
    outcomeAt: (seen) => outcomeOf(seen)?.at_us ?? null,
    mark: ParkMark,
    left: ActionsLeft,
    result: Guesses,
    paper: () => import("./PaperForm.svelte"),
  },
  icons,
  tabletop: () => import("./tabletop/Tabletop.svelte"),
  overlay: () => import("./overlay"),
  announcer: () => import("./announcer"),
  map: (choices) => (choices.every((one) => one.startsWith("city/")) ? import("./ChoiceMap.svelte") : undefined),
  ceremony: () => import("./ceremony"),
  card: () => import("./card"),
};

export default megacity;
