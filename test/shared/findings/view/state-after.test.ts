import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allSeen,
  bytesOf,
  type SeenRecord,
  stateAfter,
  stateOf,
  unpackState,
  withoutSeen,
} from '#shared/findings/view/scan-state.ts';
import { makeId } from '#shared/platform/runtime/ids.ts';

const print = (n: number) => Buffer.from(`fingerprint ${n}`.padEnd(16)).toString('base64url');
const idOf = (n: number) => makeId(n, 1_700_000_000_000, Buffer.from([0, 0, 0, 0, n]));

/** Few fingerprints and ids, so that they meet in every way. */
const record = fc
  .record({
    fingerprint: fc.nat(12).map(print),
    id: fc.nat(8).map(idOf),
    contentHash: fc.constantFrom('AAAAAAAAAAA', 'BBBBBBBBBBA'),
    seenAt: fc.constantFrom(0, 1_700_000_000_123, 1_700_000_000_124, 4_294_967_295_999),
    occurrences: fc.constantFrom(1, 2, 2 ** 22 - 1),
    tool: fc.constantFrom('', 'nmap', 'zap (ü)'),
  })
  .map((one): SeenRecord => one);
const records = fc.uniqueArray(record, { maxLength: 14, selector: ({ fingerprint }) => fingerprint });
/** Each finding once, as the scans of one name of its asset leave it. */
const earlier = fc.uniqueArray(record, {
  maxLength: 14,
  selector: ({ fingerprint, id }) => `${fingerprint} ${id}`,
  comparator: (a, b) => a.slice(0, 22) === b.slice(0, 22) || a.slice(23) === b.slice(23),
});

/** The same by maps of objects. */
function modelAfter(chunks: SeenRecord[][], before: SeenRecord[]): SeenRecord[] {
  const seen = new Map(chunks.flat().map((one) => [one.fingerprint, one]));
  const current = new Map(before.map((one) => [one.id, one]));
  const after = [...seen.values()].map((one) => {
    const last = current.get(one.id);
    if (!last) return one;
    const newest = last.seenAt > one.seenAt ? last : one;
    return { ...newest, fingerprint: one.fingerprint, occurrences: Math.min(last.occurrences + 1, 2 ** 22 - 1) };
  });
  const ids = new Set(after.map(({ id }) => id));
  return [...after, ...before.filter(({ id, fingerprint }) => !ids.has(id) && !seen.has(fingerprint))];
}

const inOrder = (some: readonly SeenRecord[]) =>
  some.toSorted((a, b) => Buffer.from(a.fingerprint, 'base64url').compare(Buffer.from(b.fingerprint, 'base64url')));

test('after a report each finding has the last sighting that any report gave it, and the number of its reports', () => {
  fc.assert(
    fc.property(fc.array(records, { maxLength: 3 }), earlier, (chunks, before) => {
      const after = stateAfter(
        chunks.map((some) => stateOf(some)),
        stateOf(before, 1),
      );
      expect([...allSeen(after)]).toEqual(inOrder(modelAfter(chunks, before)));
      expect([...allSeen(unpackState(bytesOf(after)))]).toEqual([...allSeen(after)]);
    }),
    { numRuns: 500 },
  );
});

test('findings that leave a state take nothing of others along', () => {
  fc.assert(
    fc.property(records, fc.array(fc.nat(12).map(print)), (some, gone) => {
      const left = some.filter(({ fingerprint }) => !gone.includes(fingerprint));
      expect([...allSeen(withoutSeen(stateOf(some), gone))]).toEqual(inOrder(left));
    }),
    { numRuns: 200 },
  );
});

test('beyond 255 tools of several reports a finding has no tool, and no other', () => {
  const chunk = (from: number) =>
    stateOf(
      Array.from({ length: 200 }, (_, n) => ({
        fingerprint: print(from + n),
        id: idOf(from + n),
        contentHash: 'AAAAAAAAAAA',
        seenAt: 0,
        occurrences: 1,
        tool: `tool-${from + n}`,
      })),
    );
  const tools = [...allSeen(stateAfter([chunk(0), chunk(200)], stateOf([])))].map(({ fingerprint, tool }) => {
    const n = Number(Buffer.from(fingerprint, 'base64url').toString().split(' ')[1]);
    return tool === (n < 255 ? `tool-${n}` : '');
  });
  expect(tools).toEqual(Array.from({ length: 400 }, () => true));
});
