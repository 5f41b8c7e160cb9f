import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { packState } from '#shared/findings/view/scan-state.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { DASHBOARDS } from '../../../../bench/dashboards-budgets.ts';
import { fillFindings, fillScanners } from '../../../../bench/dashboards-model.ts';
import { fillExposure } from '../../../../bench/exposure-model.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { fillSoc } from '../../../../bench/soc-model.ts';
import { newOrganization, type Store, startStore } from '../../../support/store.ts';

let store: Store;
let table: Table;
beforeAll(async () => {
  store = await startStore();
  table = newOrganization(store.dynamo);
  await fillFindings(table, 3_000);
  await fillScanners(table, 300);
  await fillExposure(table, 2_000);
  await fillSoc(table, 2_000);
});
afterAll(() => store.stop());

/** Of no finding, but there: where a state is gone, another scan has replaced it, and its scope is read again. */
const state = packState([]);

test.each(DASHBOARDS)('%s, %s, keeps to its budget over two years of records', async (_path, name, budget) => {
  const dynamo = store.connect();
  const call = {
    table: openTable(dynamo, table.organizationId),
    query: {},
    connections: { bucket: { get: async () => state } },
  };
  await dashboardHandlers[name](call as never); // from now on the process knows whose scopes it needs
  const meter = attachMeter(dynamo, { inStep: true });
  const usage = await meter.measure(async () => dashboardHandlers[name](call as never));
  expect(usage.roundTrips).toBeLessThanOrEqual(budget.roundTrips);
  expect(usage.readUnits).toBeGreaterThan(0);
  expect(usage.readUnits).toBeLessThanOrEqual(budget.readUnits);
});
