import { afterAll, expect, test } from 'vitest';
import { openAccepted } from '#functions/workers/imports/accepted.ts';
import { newManifest } from '#functions/workers/imports/manifest.ts';
import type { KnownEntry, Read } from '#functions/workers/imports/phases.ts';
import type { Checkpoint } from '#functions/workers/imports/progress.ts';
import { idsForNew } from '#functions/workers/imports/reserved.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { PARTITION } from '#shared/platform/table/layout/keys.ts';
import { codeScan, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** An import at work, whose report has so many chunks. */
async function atWork(chunks: number, checkpoint: Partial<Checkpoint> = {}): Promise<Read> {
  const table = world.newOrganization();
  const task = await world.task(table, await world.accept(table, codeScan(sarif([]))));
  world.messages.length = 0;
  const work = { table, connections: world.connections, task };
  const accepted = await openAccepted(work, await readScope(table, newId()));
  accepted.progress.checkpoint = { ...accepted.progress.checkpoint, ...checkpoint };
  return { ...accepted, manifest: { ...newManifest(), chunks } };
}

/** Entries that stand or are new, as the letters say. */
const entries = (letters: string): KnownEntry[] =>
  [...letters].map(
    (letter) =>
      ({
        entry: { fingerprint: 'AAAAAAAAAAAAAAAAAAAAAA' },
        ...(letter === 's' && { current: { id: newId() } as StoredFinding }),
      }) as never,
  );

/** The ordinals by line. */
async function ordinals(read: Read, letters: string) {
  const ids = await idsForNew(read, entries(letters));
  return Object.fromEntries([...ids].map(([line, id]) => [line, ordinalOf(id)]));
}

const range = (first: number, size: number, used: number) => ({ first, size, used, pairs: false });

test('each new finding of a chunk gets an id, and those that stand or are applied get none', async () => {
  const read = await atWork(0, { line: 2 });
  const first = await ordinals(read, 'snnsnnnnnnsn');
  const lines = [2, 4, 5, 6, 7, 8, 9, 11];
  expect(Object.keys(first).map(Number)).toEqual(lines);
  const from = Math.min(...Object.values(first));
  expect(Object.values(first)).toEqual(lines.map((_, n) => from + n));
  expect(read.progress.checkpoint).toMatchObject({ range: { first: from, size: 8, used: 8 }, reserved: { first: 0 } });
  // a worker that goes on has the same
  read.progress.checkpoint = { ...read.progress.checkpoint, line: 5 };
  expect(await ordinals(read, 'snnsnnnnnnsn')).toEqual(first);
});

test('a chunk without new findings reserves nothing', async () => {
  const read = await atWork(3);
  const before = read.progress.checkpoint;
  expect(await ordinals(read, 'sss')).toEqual({});
  expect(read.progress.checkpoint).toEqual(before);
});

test('chunks share a range as long as it has room for all that one of them needs', async () => {
  const read = await atWork(4, { chunk: 1 });
  const first = await ordinals(read, 'nn');
  expect(read.progress.checkpoint.range).toMatchObject({ size: 2 * 3, used: 2 });
  const next = async (letters: string) => {
    const { chunk } = read.progress.checkpoint;
    read.progress.checkpoint = { ...read.progress.checkpoint, chunk: chunk + 1, reserved: undefined };
    return Object.values(await ordinals(read, letters));
  };
  const from = first[0] ?? 0;
  expect(await next('nsnn')).toEqual([from + 2, from + 3, from + 4]);
  const beyond = await next('nn');
  expect(Math.min(...beyond)).toBeGreaterThanOrEqual(from + 6);
  read.progress.checkpoint = { ...read.progress.checkpoint, range: range(from, 6, 4) };
  expect(await next('nn')).toEqual([from + 4, from + 5]);
});

test.each([
  [1, 0, 3],
  [5, 4, 3],
  [40, 0, 48],
  [40, 30, 30],
])('of %i chunks the one at %i reserves %i ordinals for three new findings', async (chunks, chunk, size) => {
  const read = await atWork(chunks, { chunk });
  await ordinals(read, 'nnn');
  expect(read.progress.checkpoint.range).toMatchObject({ size, used: 3, pairs: false });
});

test('an import of four partitions reserves whole runs of two pairs of partitions', async () => {
  const rangeOf = async (each: number) => {
    const read = await atWork(9);
    await ordinals(read, 'n'.repeat(each));
    return read.progress.checkpoint.range;
  };
  expect(9 * 1920).toBe(4 * PARTITION);
  expect(await rangeOf(1919)).toMatchObject({ size: 9 * 1919, pairs: false });
  expect(await rangeOf(1920)).toMatchObject({ size: 20_000, used: 1920, pairs: true });
});

test('a finding that was deleted after ids were reserved gets one of its own, and the others keep theirs', async () => {
  const read = await atWork(1);
  const first = await ordinals(read, 'nsn');
  const now = await ordinals(read, 'nnn');
  expect(now).toMatchObject(first);
  expect(new Set(Object.values(now)).size).toBe(3);
  expect(Object.values(now).every((ordinal) => ordinal >= 0)).toBe(true);
});
