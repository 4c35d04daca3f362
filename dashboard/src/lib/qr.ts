// A QR code as one path of squares.

import { encode } from "uqr";

const QUIET = 4; // light squares around it, as the standard requires

export interface QrCode {
  size: number;
  path: string;
}

/** Return the code of a text. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: QUIET });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}
