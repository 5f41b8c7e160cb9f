import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readyEntries, SETTLE_MS } from '#shared/platform/feed/order.ts';
import { makeId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Entry } from '#shared/platform/table/changes.ts';

const START = Date.parse('2026-01-15T08:00:00Z');

type Transaction = { records: number[]; skew: number };
const transactions = fc.array(
  fc.record({ records: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }), skew: fc.nat(SETTLE_MS - 1) }),
  { maxLength: 30 },
);

/** Transactions that were committed one a second, each with the clock of its own process. */
function entriesOf(all: Transaction[]): Entry[] {
  const versions = new Map<number, number>();
  return all.map(({ records, skew }, n) => {
    const changes = records.map((record) => {
      const version = (versions.get(record) ?? 0) + 1;
      versions.set(record, version);
      return { kind: 'updated' as const, entity: 'ticket', id: String(record), version, fields: {}, masked: [] };
    });
    const id = makeId(n, START + n * 1000 + skew, Buffer.alloc(5, n));
    return { id, at: '', by: systemActor, cause: { operation: 'test' }, changes };
  });
}

const shuffled = (entries: Entry[], seed: number) => entries.toSorted((a, b) => hash(a, seed) - hash(b, seed));
const hash = ({ id }: Entry, seed: number) => Number(BigInt(`0x${id.slice(-6)}`) ^ BigInt(seed % 2 ** 22));

test('clocks that differ never bring the versions of a record out of order', () => {
  fc.assert(
    fc.property(transactions, fc.nat(), (all, seed) => {
      const ready = readyEntries(shuffled(entriesOf(all), seed), Number.POSITIVE_INFINITY);
      expect(ready).toHaveLength(all.length);
      for (const of of Map.groupBy(
        ready.flatMap(({ changes }) => changes),
        ({ id }) => id,
      ).values())
        expect(of.map(({ version }) => version)).toEqual(of.map((_, n) => n + 1));
    }),
  );
});

test('what is numbered now and what later fit together: no version is left behind a newer one', () => {
  fc.assert(
    fc.property(transactions, fc.nat(40), (all, seconds) => {
      const entries = entriesOf(all);
      const now = readyEntries(entries, START + seconds * 1000);
      const later = readyEntries(
        entries.filter((entry) => !now.includes(entry)),
        Number.POSITIVE_INFINITY,
      );
      const changes = [...now, ...later].flatMap((entry) => entry.changes);
      for (const of of Map.groupBy(changes, ({ id }) => id).values())
        expect(of.map(({ version }) => version)).toEqual(of.map((_, n) => n + 1));
    }),
  );
});

test('an entry waits until the clocks of all processes have passed it', () => {
  const entries = entriesOf([
    { records: [1], skew: 0 },
    { records: [2], skew: 0 },
  ]);
  expect(readyEntries(entries, START + SETTLE_MS - 1)).toEqual([]);
  expect(readyEntries(entries, START + SETTLE_MS)).toEqual(entries.slice(0, 1));
});
