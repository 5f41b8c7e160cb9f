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
};

/** So many entries wait for their chunks to be read again; further repetitions are only counted. */
const MAX_REPEATS = 20_000;

/** Adds an entry about the same problem to the first entry. */
export function takeRepeated({ manifest, lines, entries, repeats }: Filling, entry: Entry, first: number): void {
  manifest.repeated = (manifest.repeated ?? 0) + 1;
  const [chunk, line] = [Math.floor(first / CHUNK_ENTRIES), first % CHUNK_ENTRIES];
  if (chunk === manifest.chunks) {
    const before: Line = JSON.parse(lines[line] ?? '');
    if (!before.finding) throw new RepeatsUnchanged();
    const merged = mergedEntry(before, entry);
    lines[line] = JSON.stringify(merged);
    if (chunk === 0) entries[line] = merged;
    return;
  }
  const current = repeats.get(first);
  if (current || repeats.size < MAX_REPEATS) repeats.set(first, current ? mergedEntry(current, entry) : entry);
}

export async function makeRoom(filling: Filling): Promise<void> {
  if (filling.lines.length === CHUNK_ENTRIES || filling.size > CHUNK_CHARACTERS) await flush(filling);
}

export function addLine(filling: Filling, line: Line): void {
  const text = JSON.stringify(line);
  if (filling.manifest.chunks === 0) filling.entries.push(line);
  filling.lines.push(text);
  filling.size += text.length;
}

export async function flush(filling: Filling): Promise<void> {
  const { accepted, manifest, lines } = filling;
  const chunk = manifest.chunks;
  manifest.chunks += 1;
  await accepted.connections.bucket.put(accepted.files.chunk(chunk), await zipped(lines.join('\n'), 1));
  Object.assign(filling, { entries: [], lines: [], size: 0 });
}
