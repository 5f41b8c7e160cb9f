import { findings } from '#shared/entities/finding.ts';
import { makeId } from '#shared/runtime/ids.ts';
import type { KnownEntry } from './lookup.ts';
import { type Checkpoint, type Session, saveCheckpoint } from './session.ts';

/**
 * The ids of a chunk's new findings, by line. They are reserved and written down before anything that carries them,
 * so that a worker that goes on after a crash writes the very same rows.
 */
export async function idsForNew(session: Session, known: readonly KnownEntry[]): Promise<Map<number, string>> {
  const { table, checkpoint } = session;
  const lines = known.flatMap(({ standing }, line) => (!standing && line >= checkpoint.line ? [line] : []));
  if (lines.length > 0 && !checkpoint.reserved) {
    const first = await table.reserveOrdinals(findings, lines.length);
    await saveCheckpoint(session, { ...checkpoint, reserved: { first, lines: packLines(lines) } });
  }
  const ids = reservedIds(session, known);
  // A finding that was deleted since the ids were reserved.
  const without = lines.filter((line) => !ids.has(line));
  const more = without.length > 0 ? await table.reserve(findings, without.length) : [];
  for (const [n, line] of without.entries()) ids.set(line, more[n] ?? '');
  return ids;
}

function reservedIds({ checkpoint, at }: Session, known: readonly KnownEntry[]): Map<number, string> {
  const { reserved } = checkpoint;
  if (!reserved) return new Map();
  const id = (line: number, n: number) =>
    makeId(reserved.first + n, Date.parse(at), Buffer.from(known[line]?.entry.fingerprint ?? '', 'base64url'));
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
