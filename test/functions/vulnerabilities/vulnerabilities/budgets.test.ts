import { afterAll, beforeAll, expect, test } from 'vitest';
import { vulnerabilityHandlers } from '#functions/vulnerabilities/vulnerabilities/handlers.ts';
import { newId, newIdAt } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import {
  advisoryGroups,
  fixGroups,
  type StoredGroup,
} from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import { fillRows } from '../../../../bench/fill-rows.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, type Store, startStore } from '../../../support/store.ts';

/** Those of 66,000 vulnerabilities of 5,500 assets; a row of the index has 4,320. */
const GROUPS = 6_600;

let store: Store;
let table: Table;
beforeAll(async () => {
  store = await startStore();
  table = newOrganization(store.dynamo);
  await fillRows(table, advisoryGroups, { size: GROUPS, itemAt });
  await fillRows(table, fixGroups, { size: GROUPS, itemAt });
});
afterAll(() => store.stop());

/** Neighbours have other priorities, so that the records of a page lie apart. */
const placeOf = (n: number): number => (n * 7_919) % 101;

function itemAt(n: number): StoredGroup {
  const time = new Date(0).toISOString();
  return {
    id: newIdAt(n),
    version: 1,
    createdAt: time,
    updatedAt: time,
    createdBy: { kind: 'system', id: 'test', name: 'test' },
    key: newId(),
    name: `CVE-2026-${10_000 + n}`,
    severity: Severity.options[n % 5] ?? 'info',
    priority: placeOf(n),
    open: 1 + placeOf(n),
    assets: 10,
    said: [],
    onAssets: [],
    openBySeverity: { critical: 2, high: 3, medium: 3, low: 2, info: 0 },
  };
}

test.each([
  ['listVulnerabilitiesByAdvisory', { sort: 'priority' }, 'priority'],
  ['listVulnerabilitiesByFix', { sort: 'closes' }, 'closes'],
] as const)('%s in its order takes two round trips and 14.5 units at most', async (name, query, field) => {
  const dynamo = store.connect();
  const call = {
    table: openTable(dynamo, table.organizationId),
    query: { ...query, paginateFrom: 0, paginateSize: 25 },
  };
  let page: { data: object[]; totalCount: number } | undefined;
  const usage = await attachMeter(dynamo).measure(async () => {
    page = await (vulnerabilityHandlers[name] as (input: never) => Promise<typeof page>)(call as never);
  });
  expect(usage.roundTrips).toBe(2);
  expect(usage.readUnits).toBeLessThanOrEqual(14.5);
  expect(page?.totalCount).toBe(GROUPS);
  const values = page?.data.map((group) => Number(Reflect.get(group, field))) ?? [];
  const sorted = Array.from({ length: GROUPS }, (_, n) => itemAt(n)[field === 'closes' ? 'open' : 'priority']).sort(
    (a, b) => b - a,
  );
  expect(values).toEqual(sorted.slice(0, 25));
});
