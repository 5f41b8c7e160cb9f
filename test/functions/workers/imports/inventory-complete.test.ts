import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf, goToDay } from './days.ts';
import { networkScan, nmap } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const [A, B] = ['10.0.0.5', '10.0.0.6'];

/** How many services each host has. */
async function services(table: Table): Promise<Record<string, number>> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
  const whole = await Promise.all(data.map(({ id }) => table.get(assets, id, true)));
  return Object.fromEntries(whole.map((asset) => [asset.value, asset.services?.length ?? 0]));
}

const told = (addresses: readonly string[], complete?: string) =>
  networkScan(nmap(addresses.map((address) => ({ address, ports: [80] }))), {
    source: 'import',
    target: undefined,
    inventory: { source: 'cmdb', ...(complete !== undefined && { complete }) },
  });

/** Accepts the reports of successive days and works them in this order. */
async function work(table: Table, reports: readonly ReturnType<typeof told>[], order: readonly number[]) {
  for (const [n, report] of reports.entries()) {
    goToDay(n);
    await world.accept(table, report);
  }
  const messages = world.messages.splice(0);
  for (const n of order) {
    world.messages.push(...messages.slice(n, n + 1));
    await world.drain();
  }
}

describe('a complete inventory', () => {
  test.each([
    ['this report has all', 'now'],
    ['a time to come', dayOf(9)],
  ])('that is worked late takes nothing from assets of which a newer one tells: %s', async (_name, complete) => {
    const table = world.newOrganization();
    await work(table, [told([A, B], complete), told([A], complete), told([A, B], complete)], [0, 2, 1]);
    expect(await services(table)).toEqual({ [A]: 1, [B]: 1 });
  });

  test.each([
    ['this report has all', 'now', 0],
    ['all since before the other was told', dayOf(0), 1],
    ['all since after the other was told', dayOf(0.5), 0],
    ['nothing', undefined, 1],
  ])('takes from other assets what was told of them before: it says %s', async (_name, complete, left) => {
    const table = world.newOrganization();
    await work(table, [told([A, B]), told([A], complete)], [0, 1]);
    expect(await services(table)).toEqual({ [A]: 1, [B]: left });
  });
});

test('a host that merely answers a scan of another one becomes no asset, and the target does', async () => {
  const table = world.newOrganization();
  const hosts = [A, B].map((address) => ({ address, ports: [] }));
  const target = { type: 'host', value: A } as const;
  await world.ingest(table, networkScan(nmap(hosts), { source: 'import', target }));
  expect(await services(table)).toEqual({ [A]: 0 });
});
