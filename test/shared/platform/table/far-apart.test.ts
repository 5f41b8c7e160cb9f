import { expect, test } from 'vitest';
import { keysOf, PARTITION } from '#shared/platform/table/layout/keys.ts';
import { findPositions } from '#shared/platform/table/list.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, severities, statuses, type Ticket, ticketsWith } from './models.ts';

const store = useStore();

/** Blocks of the index between two records: some next to each other, some far apart, more runs than are read at once. */
const GAPS = [0, 1, 0, 4, 5, 3, 0, 9, 6, 5, 12, 5, 7, 0, 5, 6, 40, 5, 5, 8, 2, 5, 6, 5, 7, 5];

test.each([1, 4])(
  'records of a value that lie far apart are found with their status, and with no other (%i shards)',
  async (shards) => {
    const tickets = ticketsWith(`apart${shards}`, shards);
    const table = newOrganization(store.dynamo);
    const made: Ticket[] = [];
    for (const [n, gap] of GAPS.entries()) {
      await table.reserveOrdinals(tickets, gap * PARTITION);
      for (const points of [n % 3, 7]) {
        const fields = { status: statuses[n % 3] ?? 'open', severity: severities[(n >> 1) % 2] ?? 'low', points };
        made.unshift(await table.create(tickets, draft(fields)));
      }
    }
    const range = { paginateFrom: 0, paginateSize: 500 };
    for (const points of [0, 1, 2, 7])
      for (const status of statuses)
        for (const severity of [...severities, [...severities]]) {
          const wanted = [severity].flat();
          const where = { points: String(points), status, severity };
          const { data, totalCount } = await table.list(tickets, { where, ...range });
          const found = made.filter(
            (one) => one.points === points && one.status === status && wanted.includes(one.severity),
          );
          expect(data.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
          expect(totalCount).toBe(found.length);
        }
    const nobody = await table.list(tickets, { where: { points: '3', status: 'open' }, ...range });
    expect(nobody).toMatchObject({ data: [], totalCount: 0 });
  },
);

test('the status of records is read in the blocks that have the value asked for, not in all', async () => {
  const tickets = ticketsWith('asked');
  const table = newOrganization(store.dynamo);
  await table.create(tickets, draft({ points: 1 }));
  for (let n = 0; n < 8; n++) {
    await table.reserveOrdinals(tickets, 5 * PARTITION);
    await table.create(tickets, draft({ points: 2 }));
  }
  await table.create(tickets, draft({ points: 1 }));
  const reader = store.connect();
  const asked: unknown[] = [];
  reader.client.middlewareStack.add(
    (next) => (args) => {
      asked.push((args.input as { ExpressionAttributeValues?: unknown }).ExpressionAttributeValues);
      return next(args);
    },
    { step: 'initialize', name: 'asked' },
  );
  const where = { points: '1', status: 'open' };
  const { ordinals } = await findPositions(
    { dynamo: reader, tenant: table.tenant, entity: tickets },
    { where, paginateFrom: 0, paginateSize: 5 },
  );
  expect(ordinals).toHaveLength(2);
  const { pk } = keysOf(table.tenant, tickets).valueMarks('status=open');
  const runs = asked.filter((values) => (values as { ':pk': { S: string } })[':pk'].S === pk);
  expect(runs).toEqual([
    { ':pk': { S: pk }, ':from': { S: '0000000' }, ':to': { S: '0000000$' } },
    { ':pk': { S: pk }, ':from': { S: '0000014' }, ':to': { S: '0000014$' } },
  ]);
});
