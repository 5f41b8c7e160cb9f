import { expect, test } from 'vitest';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { useStore } from '../../../support/store.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const store = useStore();

type Tickets = Entity<Ticket, 'notes'>;
const joint: Tickets = { ...ticketsWith('joint'), together: true };
/** Its name begins with the name of the other. */
const jointly: Tickets = { ...ticketsWith('jointly'), together: true };

test('facets of several collections are one query of a new organization, and none counts for another', async () => {
  const { organizationId } = await createOrganization({ dynamo: store.dynamo }, 'New');
  const dynamo = store.connect();
  const table = openTable(dynamo, organizationId);
  await table.create(joint, draft({ status: 'open' }));
  await table.create(jointly, draft({ status: 'fixed' }));
  let read: Record<string, number>[] = [];
  const usage = await attachMeter(dynamo).measure(async () => {
    read = await Promise.all([table.facets(joint), table.facets(jointly), table.facets(joint)]);
  });
  expect(read.map((facets) => [facets['status:open'] ?? 0, facets['status:fixed'] ?? 0])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(usage).toMatchObject({ roundTrips: 1, readUnits: 0.5 });
  await table.create(joint, draft({ status: 'open' }));
  expect(await table.facets(joint)).toMatchObject({ 'status:open': 2 });
  for (const one of [joint, jointly]) expect((await verify(table, one)).differences).toEqual([]);
});
