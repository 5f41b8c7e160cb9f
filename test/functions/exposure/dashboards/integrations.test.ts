import { expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Integrator, integrators } from '#shared/soc/incidents/integrator.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

const machine = (name: string, status: Integrator['status']) => ({
  name,
  status,
  zone: null,
  groupIds: [],
  tags: [],
  enabled: true,
  instanceId: null,
  softwareVersion: null,
  platform: null,
  hostname: null,
  lastSeenAt: '2026-11-01T08:00:00.000Z',
});

test('problems of integrations are read only where a counter shows some, and shown with the first answer', async () => {
  const table = newOrganization(store.dynamo);
  await table.create(integrators, machine('well', 'online'));
  const { id } = await table.create(integrators, machine('other', 'online'));
  const dynamo = store.connect();
  const meter = attachMeter(dynamo);
  const show = async () => {
    let names: string[] = [];
    const { roundTrips, readUnits } = await meter.measure(async () => {
      const call = { table: openTable(dynamo, table.organizationId), query: {} };
      names = (await dashboardHandlers.getIntegrationsSummary(call as never)).failing.map(({ name }) => name);
    });
    return { names, roundTrips, readUnits };
  };
  expect(await show()).toEqual({ names: [], roundTrips: 1, readUnits: 0.5 });
  await table.modify(integrators, id, () => ({ status: 'offline' as const }));
  expect(await show()).toEqual({ names: ['other'], roundTrips: 3, readUnits: 1.5 });
  expect(await show()).toEqual({ names: ['other'], roundTrips: 2, readUnits: 1.5 });
  await table.modify(integrators, id, () => ({ status: 'online' as const }));
  expect((await show()).names).toEqual([]);
  expect(await show()).toEqual({ names: [], roundTrips: 1, readUnits: 0.5 });
});
