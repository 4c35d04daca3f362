// MegaCity's part of a replay: what stood on the hex, and how it came down.

import type { GameReplay } from "../../../lib/playing.svelte";
import Fall from "./Fall.svelte";
import { title } from "./title";

const replay: GameReplay = { fall: Fall, title };

export default replay;
