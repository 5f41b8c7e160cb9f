import { zipped } from '#shared/platform/runtime/gzip.ts';
import type { Entry, Line } from './entry.ts';
import { CHUNK_ENTRIES, type Manifest } from './manifest.ts';
import { mergedEntry } from './merge-repeated.ts';
import type { Accepted } from './phases.ts';
import { RepeatsUnchanged } from './unchanged.ts';

const CHUNK_CHARACTERS = 4 * 1024 * 1024;

/** The chunk that is filled now, and what belongs to chunks that are written. */
export type Filling = {
  accepted: Accepted;
  manifest: Manifest;
  /** Entries that repeat one of a chunk that is written already, by its chunk and line. */
  repeats: Map<number, Entry>;
  /** Those of the first chunk, in case that it remains the only one. */
  entries: Line[];
  lines: string[];
  size: number;
  /** The same lines without their findings, for when the report comes again; absent where that cannot be. */
  kept?: { lines: string[]; chunks: Uint8Array[] };
};

/** So many entries wait for their chunks to be read again; further repetitions are only counted. */
const MAX_REPEATS = 20_000;

/** Adds an entry about the same problem to the first entry. */
export function takeRepeated(filling: Filling, entry: Entry, first: number): void {
  const { manifest, lines, entries, repeats, kept } = filling;
  manifest.repeated = (manifest.repeated ?? 0) + 1;
  const [chunk, line] = [Math.floor(first / CHUNK_ENTRIES), first % CHUNK_ENTRIES];
  if (chunk === manifest.chunks) {
    const before: Line = JSON.parse(lines[line] ?? '');
    if (!before.finding) throw new RepeatsUnchanged();
    const merged = mergedEntry(before, entry);
    lines[line] = JSON.stringify(merged);
    if (kept) kept.lines[line] = lines[line];
    if (chunk === 0) entries[line] = merged;
    return;
  }
  delete filling.kept;
  const current = repeats.get(first);
  if (current || repeats.size < MAX_REPEATS) repeats.set(first, current ? mergedEntry(current, entry) : entry);
}

export async function makeRoom(filling: Filling): Promise<void> {
  if (filling.lines.length === CHUNK_ENTRIES || filling.size > CHUNK_CHARACTERS) await flush(filling);
}

/** `nth` of the report's findings; of one that is unchanged since the last report the entry is enough. */
type Place = { nth: number; isUnchanged: boolean };

export function addLine(filling: Filling, entry: Entry, { nth, isUnchanged }: Place): void {
  const short = { ...entry, finding: undefined, nth };
  const line = isUnchanged ? short : entry;
  const text = JSON.stringify(line);
  filling.kept?.lines.push(isUnchanged ? text : JSON.stringify(short));
  if (filling.manifest.chunks === 0) filling.entries.push(line);
  filling.lines.push(text);
  filling.size += text.length;
}

export async function flush(filling: Filling): Promise<void> {
  const { accepted, manifest, lines } = filling;
  const chunk = manifest.chunks;
  manifest.chunks += 1;
  await packKept(filling);
  await accepted.connections.bucket.put(accepted.files.chunk(chunk), await zipped(lines.join('\n'), 1));
  Object.assign(filling, { entries: [], lines: [], size: 0 });
}

/** Packs the kept lines of a chunk. */
export async function packKept({ kept }: Filling): Promise<void> {
  if (!kept || kept.lines.length === 0) return;
  kept.chunks.push(await zipped(kept.lines.join('\n'), 1));
  kept.lines = [];
}
