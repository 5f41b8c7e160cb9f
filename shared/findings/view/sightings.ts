import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { type ScanState, type Sighting, sightingsInOrder } from './scan-state.ts';
import type { Seen } from './view.ts';

/**
 * When each finding of a scan scope was last seen, small enough for the scan scope's row, so that a page reads no
 * state. A scan sees most findings together and findings of one report have neighbouring ordinals: these are runs of
 * ordinals with one value. Packed as deflated JSON (RFC 1951).
 */
export type PackedSightings = Uint8Array;

type Sightings = {
  tools: string[];
  /** Milliseconds since the epoch, reports, place of the tool. */
  values: [seenAt: number, occurrences: number, tool: number][];
  /** Three numbers a run, in order of ordinals: the gap after the last run, the length, the place of the value. */
  runs: number[];
};

/** Reading 16 KB costs two units. A full scan of any size takes a few bytes; each further run takes about four. */
const MAX_BYTES = 16 * 1024;
const MAX_RUNS = 16_000;

/** @returns undefined where the runs are too many: readers then look into the state */
export function packSightings(state: ScanState): PackedSightings | undefined {
  const sightings = sightingsIn(state);
  if (sightings.runs.length > 3 * MAX_RUNS) return undefined;
  const packed = deflateRawSync(JSON.stringify(sightings));
  return packed.length > MAX_BYTES ? undefined : packed;
}

/** A finding that was seen under two names of its asset has its later sighting. */
function sightingsIn(state: ScanState): Sightings {
  const tools = new Map<string, number>();
  const values = new Map<string, number>();
  const runs: number[] = [];
  let [end, last] = [0, -1];
  let before: Sighting | undefined;
  for (const { ordinal, ...sighting } of sightingsInOrder(state)) {
    if (before && ordinal < end) continue;
    const { seenAt, occurrences, tool } = sighting;
    const isSame = before?.seenAt === seenAt && before.occurrences === occurrences && before.tool === tool;
    const value = isSame ? last : placeIn(values, JSON.stringify([seenAt, occurrences, placeIn(tools, tool)]));
    const length = runs.at(-2) ?? 0;
    if (value === last && ordinal === end) runs[runs.length - 2] = length + 1;
    else runs.push(ordinal - end, 1, value);
    [end, last, before] = [ordinal + 1, value, sighting];
  }
  return { tools: [...tools.keys()], values: [...values.keys()].map((text) => JSON.parse(text)), runs };
}

/** The place of a value among different values, in the order in which they come. */
function placeIn(places: Map<string, number>, value: string): number {
  const place = places.get(value) ?? places.size;
  places.set(value, place);
  return place;
}

/** Finds sightings by the id of the finding. */
export function openSightings(packed: PackedSightings): (id: string) => Seen | undefined {
  const { tools, values, runs } = JSON.parse(inflateRawSync(packed).toString()) as Sightings;
  const starts: number[] = [];
  for (let [n, end] = [0, 0]; n < runs.length; n += 3) {
    const from = end + (runs[n] ?? 0);
    starts.push(from);
    end = from + (runs[n + 1] ?? 0);
  }
  return (id) => {
    const ordinal = ordinalOf(id);
    const run = lastUpTo(starts, ordinal);
    const [from, length = 0, value = -1] = [starts[run], runs[3 * run + 1], runs[3 * run + 2]];
    const found = from !== undefined && ordinal < from + length ? values[value] : undefined;
    if (!found) return undefined;
    const [seenAt, occurrences, tool] = found;
    return { lastSeenAt: new Date(seenAt).toISOString(), occurrences, tool: tools[tool] ?? '' };
  };
}

/** The place of the last of these numbers that is not above the wanted one; -1 if there is none. */
function lastUpTo(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
