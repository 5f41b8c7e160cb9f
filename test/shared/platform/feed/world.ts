import { expect } from 'vitest';
import { auditIndex, BY_TIME, byActor, byRecord, followUp } from '#shared/platform/feed/audit.ts';
import { cursors, follow, type Take } from '#shared/platform/feed/consumer.ts';
import { type Announced, announcedIn, readHead, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { inboxKey } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A ticket to create. */
export const draftOf = (points: number) =>
  ({
    title: 'pump',
    status: 'open',
    severity: 'low',
    owner: null,
    zone: 'north',
    code: null,
    points,
    notes: 'x',
  }) as const;

type Effect = { consumer: string; number: number };

/** The row that a consumer makes of a change. Making it a second time fails. */
const effects = defineRow<Effect>({
  name: 'effect',
  about: 'a test',
  key: ({ consumer, number }) => [consumer, String(number).padStart(8, '0')],
});

/** A consumer that takes some of the changes that it is offered. */
export const noting =
  (table: Table, consumer: string, some: (of: number) => number): Take =>
  (batch, changes) => {
    const taken = changes.slice(0, some(changes.length));
    const fail = () => new Error('a change was seen twice');
    for (const { number } of taken)
      batch.write(putWrite(table.tenant, effects, { row: { consumer, number }, expect: 'absent', fail }));
    return taken.length;
  };

const notedBy = async (table: Table, consumer: string): Promise<number[]> =>
  (await table.rows(effects).query(consumer, { consistent: true })).map(({ number }) => number);

const readLog = async (table: Table): Promise<Announced[]> =>
  (await sheetsAfter(table, 0, 10_000)).flatMap(announcedIn);

const waiting = (table: Table) => {
  const { pk, sk: prefix } = inboxKey(table.tenant, '');
  return queryRows(table.dynamo, { pk, prefix, consistent: true });
};

/** Numbers until nothing waits; the clock must go on meanwhile. */
export async function numberAll(table: Table): Promise<void> {
  while ((await waiting(table)).length > 0) await numberChanges(table);
}

/** Every version of every record, each once and in order, under numbers without a gap. */
export async function expectWholeLog(table: Table, latest: ReadonlyMap<string, number>): Promise<void> {
  const told = await readLog(table);
  expect(told.map(({ number }) => number)).toEqual(told.map((_, n) => n + 1));
  expect((await readHead(table)).next).toBe(told.length + 1);
  const versions = Map.groupBy(told, ({ change }) => change?.id ?? '');
  const found = [...versions].map(([id, of]) => [id, of.map(({ change }) => change?.version)]);
  const expected = [...latest].map(([id, version]) => [id, Array.from({ length: version }, (_, n) => n + 1)]);
  expect(found.toSorted()).toEqual(expected.toSorted());
}

/** Follows to the end: each change was seen once, and the cursor stands behind the last. */
export async function expectSeenOnce(table: Table, consumer: string): Promise<void> {
  await follow(
    table,
    consumer,
    noting(table, consumer, (n) => n),
  );
  const numbers = (await readLog(table)).map(({ number }) => number);
  expect(await notedBy(table, consumer)).toEqual(numbers);
  const cursor = await table.rows(cursors).find({ consumer }, true);
  expect(cursor?.seen ?? 0).toBe(numbers.length);
}

/** The audit log finds each change by its time, its actor and its record, and nothing else. */
export async function expectIndexed(table: Table): Promise<void> {
  while (await followUp(table));
  const all = (await sheetsAfter(table, 0, 10_000)).map((sheet) => ({ first: sheet.first, told: announcedIn(sheet) }));
  const expected = new Set<string>();
  const places = new Set<string>();
  for (const { first, told } of all)
    for (const { entry, change } of told)
      for (const of of [BY_TIME, byActor(entry.by.id), ...(change ? [byRecord(change.entity, change.id)] : [])]) {
        places.add(of);
        expected.add(`${of} ${first}`);
      }
  const found = new Set<string>();
  for (const of of places)
    for (const { number } of await table.rows(auditIndex).query(of, { consistent: true })) {
      const sheet = all.findLast(({ first }) => first <= number);
      expect(sheet?.told.some((told) => told.number === number)).toBe(true);
      found.add(`${of} ${sheet?.first}`);
    }
  expect([...found].toSorted()).toEqual([...expected].toSorted());
}
