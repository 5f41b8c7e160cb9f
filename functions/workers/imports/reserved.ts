import { findings } from '#shared/findings/finding/finding.ts';
import { makeId } from '#shared/platform/runtime/ids.ts';
import { PARTITION } from '#shared/platform/table/layout/keys.ts';
import type { KnownEntry, Read } from './phases.ts';
import { type Checkpoint, saveCheckpoint } from './progress.ts';

/** Whether an entry becomes a new finding. */
export const isNew = ({ current, base, merged }: Pick<KnownEntry, 'current' | 'base' | 'merged'>): boolean =>
  !current && !base && !merged;

type Range = NonNullable<Checkpoint['range']>;

/**
 * The ids of a chunk's new findings, by line. They are reserved and written down before anything that carries them,
 * so that a worker that goes on after a crash writes the very same rows.
 */
export async function idsForNew(read: Read, known: readonly KnownEntry[]): Promise<Map<number, string>> {
  const { checkpoint } = read.progress;
  const lines = known.flatMap((one, line) => (isNew(one) && line >= checkpoint.line ? [line] : []));
  if (lines.length > 0 && !checkpoint.reserved) {
    const { used, ...range } = await rangeFor(read, lines.length);
    const reserved = { first: used, lines: packLines(lines) };
    await saveCheckpoint(read, { ...checkpoint, range: { ...range, used: used + lines.length }, reserved });
  }
  const ids = reservedIds(read, known);
  // A finding that was deleted since the ids were reserved.
  const without = lines.filter((line) => !ids.has(line));
  const more = without.length > 0 ? await read.table.reserve(findings, without.length) : [];
  for (const [n, line] of without.entries()) ids.set(line, more[n] ?? '');
  return ids;
}

/** Ordinals are reserved for at most so many chunks, because those that turn out not to be needed stay unused. */
const CHUNKS_PER_RANGE = 16;

/** Ordinals for this chunk, and for those behind it if they have as many new findings. */
async function rangeFor({ table, progress: { checkpoint }, manifest }: Read, wanted: number): Promise<Range> {
  const { range, chunk } = checkpoint;
  if (range && range.size - range.used >= wanted) return range;
  const chunks = Math.max(1, Math.min(CHUNKS_PER_RANGE, manifest.chunks - chunk));
  const pairs = wanted * chunks >= 4 * PARTITION;
  const size = pairs ? Math.ceil((wanted * chunks) / (2 * RUN)) * 2 * RUN : wanted * chunks;
  return { first: await table.reserveOrdinals(findings, size), size, used: 0, pairs };
}

/** Findings that are in one pair of partitions before the next ones are in the other: the findings of one chunk. */
const RUN = 2000;

/**
 * A partition takes 1,000 write units a second, and a large import writes more. In a range of some partitions neighbours take turns between
 * two of them; in a large one chunks take turns between two such pairs, so that a pair rests while the other is written. The
 * findings of a chunk stay in two partitions, because an index row is of one.
 */
export function ordinalAt({ first, size, pairs }: Pick<Range, 'first' | 'size' | 'pairs'>, place: number): number {
  if (size < 2 * PARTITION) return first + place;
  if (!pairs) return first + (place % 2) * Math.ceil(size / 2) + Math.floor(place / 2);
  const run = Math.floor(place / RUN);
  const inPair = Math.floor(run / 2) * RUN + (place % RUN);
  return first + ((run % 2) * 2 + (inPair % 2)) * (size / 4) + Math.floor(inPair / 2);
}

function reservedIds({ progress: { checkpoint }, at }: Read, known: readonly KnownEntry[]): Map<number, string> {
  const { reserved, range } = checkpoint;
  if (!reserved || !range) return new Map();
  const id = (line: number, n: number) =>
    makeId(
      ordinalAt(range, reserved.first + n),
      Date.parse(at),
      Buffer.from(known[line]?.entry.fingerprint ?? '', 'base64url'),
    );
  return new Map(unpackLines(reserved.lines).map((line, n) => [line, id(line, n)]));
}

/** Line numbers of one chunk as bits. */
function packLines(lines: readonly number[]): NonNullable<Checkpoint['reserved']>['lines'] {
  const bits = Buffer.alloc(Math.floor((lines.at(-1) ?? 0) / 8) + 1);
  for (const line of lines) bits.writeUInt8(bits.readUInt8(line >> 3) | (1 << (line & 7)), line >> 3);
  return bits.toString('base64');
}

const unpackLines = (packed: string): number[] =>
  [...Buffer.from(packed, 'base64')].flatMap((byte, n) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (byte & (1 << bit) ? [n * 8 + bit] : [])),
  );
