// MegaCity's icons: building types, requirements of contracts, prestige and the park.

import type { Drawing } from "../../lib/playing.svelte";

export const icons: Record<string, Drawing> = {
  public: ["M12 2 22 8v2H2V8zM3 19h18v3H3zM4.5 11.5h3v6h-3zM10.5 11.5h3v6h-3zM16.5 11.5h3v6h-3z", ""],
  industrial: ["M2 22V11l6 4v-4l6 4v-4l2 1.4V3h4v9.5l2 1.3V22z", ""],
  commercial: ["M4 3h16l2 6a3 3 0 0 1-5 2 3.4 3.4 0 0 1-5 0 3.4 3.4 0 0 1-5 0 3 3 0 0 1-5-2zM4 13h16v9h-6v-6h-4v6H4z", ""],
  residential: ["M12 2 23 12h-3v10h-5.5v-6h-5v6H4V12H1z", ""],
  courtyard: ["M3 3h18v18H3zM8.5 8.5v7h7v-7z", ""],
  no_overhang: ["M8 9h8v13H8z", "M3 5h18M4.5 2.5l15 5M19.5 2.5l-15 5"],
  no_glass: ["", "M5 4h14v16H5zM8 14l6-7M11 17l5-6M2 22 22 2"],
  no_concrete: ["M4 7h16v11H4z", "M2 22 22 2"],
  no_steel: ["M5 4h14v4h-5v8h5v4H5v-4h5V8H5z", "M2 22 22 2"],
  build_on_vent: ["M7 2h10v9H7z", "M2 15h20M4 19h16M7 22.5h10"],
  upper_archway: ["M4 3h16v10h-4.5a3.5 3.5 0 0 0-7 0H4z", "M4 17.5h16M4 21h16"],
  lower_archway: ["M4 11h16v11h-4a4 4 0 0 0-8 0H4z", "M4 3.5h16M4 7h16"],
  other: ["M3 10h4v4H3zM10 10h4v4h-4zM17 10h4v4h-4z", ""],
  prestige: ["M12 1.5 15 8.600l7.5.7-5.700 5 1.700 7.400L12 17.800l-6.5 3.900 1.700-7.400-5.700-5L9 8.600z", ""],
  park: ["M12 2a6 6 0 0 1 5.5 8.300A5 5 0 0 1 15.5 19H14v4h-4v-4H8.5a5 5 0 0 1-2-8.700A6 6 0 0 1 12 2z", ""],
};
