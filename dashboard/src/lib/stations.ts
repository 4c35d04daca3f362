// The state of the stations: `GET /api/stations`, fetched again and again. docs/reference/feed.md describes it.

import type { Language } from "./words";

export interface CellHealth {
  spot: string;
  cell: number;
  rate_hz: number; // conversions a second
  saturated: number;
  distinct: number;
  noise: number; // counts
  lost: number;
}

export interface Health {
  station: string;
  online: boolean;
  firmware: string;
  offset_us: number | null;
  last_seen_us: number; // hub time
  samples_lost: number;
  events_lost: number;
  faults: Record<string, string>[]; // language -> sentence
  kind: string;
  hardware: string;
  bundle: string;
  reset: string;
  report: {
    gap_us: number;
    free_bytes: number | null;
    cells: CellHealth[];
    readers: { spot: string; answered: number; silent: number }[];
    rangers: { spot: string; n: number; spread_mm: number; bad: number }[];
    accelerometer: { rate_hz: number; lost: number; peak_mg: number } | null; // peak in thousandths of g
  } | null;
  said: { at_us: number; level: string; text: string }[];
}

/** A load cell's zero; `drift_g` and `bare_us` are null until its spot has been empty once. */
export interface CellZero {
  spot: string;
  cell: number;
  drift_g: number | null; // since its calibration
  bare_us: number | null; // hub time
  calibrated: string | null; // a day
  due: "" | "unknown" | "old" | "drifted"; // why it should be calibrated again
}

export interface Stations {
  t_us: number; // hub time
  table: string;
  stations: Health[];
  zeros: CellZero[];
  turned_away: string[]; // addresses whose logins the broker rejects
}

export type State = "good" | "bad" | "silent";

/** Return whether a station is online, has a problem or is silent. */
export function stateOf(health: Health): State {
  if (!health.online) return "silent";
  return health.faults.length > 0 ? "bad" : "good";
}

/** Sort stations with problems first, then by name. */
export function inOrder(stations: Health[]): Health[] {
  const weight: Record<State, number> = { silent: 0, bad: 1, good: 2 };
  return [...stations].sort(
    (a, b) => weight[stateOf(a)] - weight[stateOf(b)] || a.station.localeCompare(b.station, "en", { numeric: true }),
  );
}

/** Return one line for each spot's sensors: its slowest cell, its noisiest cell, and how often its reader answers. */
export interface SpotLine {
  spot: string;
  rate_hz: [low: number, high: number] | null;
  noise: number | null;
  saturated: number;
  lost: number;
  answered: number | null; // per cent
  spread_mm: number | null;
}

export function spotLines(report: NonNullable<Health["report"]>): SpotLine[] {
  const spots = new Set([...report.cells, ...report.readers, ...report.rangers].map((one) => one.spot));
  return [...spots].sort().map((spot) => {
    const cells = report.cells.filter((cell) => cell.spot === spot);
    const reader = report.readers.find((one) => one.spot === spot);
    const ranger = report.rangers.find((one) => one.spot === spot);
    const rates = cells.map((cell) => cell.rate_hz);
    const asked = reader ? reader.answered + reader.silent : 0;
    return {
      spot,
      rate_hz: rates.length ? [Math.min(...rates), Math.max(...rates)] : null,
      noise: cells.length ? Math.max(...cells.map((cell) => cell.noise)) : null,
      saturated: cells.reduce((sum, cell) => sum + cell.saturated, 0),
      lost: cells.reduce((sum, cell) => sum + cell.lost, 0),
      answered: reader && asked ? Math.round((100 * reader.answered) / asked) : null,
      spread_mm: ranger ? ranger.spread_mm : null,
    };
  });
}

/** Return the loudest knock since the previous report, a dash for a silent accelerometer, or null if there is none. */
export function loudest(report: Health["report"], language: Language): string | null {
  if (!report?.accelerometer) return null;
  const { rate_hz, peak_mg } = report.accelerometer;
  if (!rate_hz) return "–";
  return `${((peak_mg * 9.80665) / 1000).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} m/s²`;
}

/** Return the zeros of the cells that a station reports. */
export function zerosOf(health: Health, zeros: CellZero[]): CellZero[] {
  const spots = new Set((health.report?.cells ?? []).map((cell) => cell.spot));
  return zeros.filter((zero) => spots.has(zero.spot));
}

/** Return a drift with its sign, to a tenth of a gram. */
export function drift(zero: CellZero, language: Language): string {
  if (zero.drift_g === null) return "–";
  const tenths = Math.round(zero.drift_g * 10) / 10;
  const size = Math.abs(tenths).toLocaleString(language, { minimumFractionDigits: 1 });
  return `${tenths < 0 ? "−" : tenths > 0 ? "+" : ""}${size} g`;
}

/** Return how long ago a moment of hub time was, in the unit that people would use. */
export function ago(t_us: number, now_us: number): string {
  const seconds = Math.max(0, Math.round((now_us - t_us) / 1e6));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
