// MegaCity's part of a replay: what stood on the hex, and how it came down.

import type { GameReplay } from "../../../lib/playing.svelte";
import Fall from "./Fall.svelte";

const replay: GameReplay = { fall: Fall };

export default replay;
