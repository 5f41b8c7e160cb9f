import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/dashboards/handlers.ts';
import { packState } from '#shared/findings/scan-state.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { newOrganization, type Store, startStore } from '#test/support/store.ts';
import { fillFindings, fillScanners } from '../../../bench/dashboards-model.ts';
import { attachMeter } from '../../../bench/meter.ts';
import { fillSoc } from '../../../bench/soc-model.ts';

let store: Store;
let table: Table;
beforeAll(async () => {
  store = await startStore();
  table = newOrganization(store.dynamo);
  await fillFindings(table, 3_000);
  await fillScanners(table, 300);
  await fillSoc(table, 2_000);
});
afterAll(() => store.stop());

/** Of no finding, but there: where a state is gone, another scan has replaced it, and its scope is read again. */
const state = packState([]);

test.each([
  ['getFindingsSummary', 4],
  ['getScannersSummary', 4],
  ['getIntegrationsSummary', 4],
  ['getFindingsMeanTimes', 4],
  ['getFindingsTrend', 4],
  ['getTopFindings', 6],
  ['getSOCSummary', 4],
  ['getSIEMSummary', 4],
  ['getExposedCredentialsSummary', 4],
  ['getComplianceSummary', 4],
  ['getTicketingSummary', 4],
] as const)('%s takes at most two round trips and %d read units, over two years of records', async (name, units) => {
  const dynamo = store.connect();
  const call = {
    table: openTable(dynamo, table.organizationId),
    query: {},
    connections: { bucket: { get: async () => state } },
  };
  await dashboardHandlers[name](call as never); // from now on the process knows whose scopes it needs
  const usage = await attachMeter(dynamo).measure(async () => dashboardHandlers[name](call as never));
  expect(usage.roundTrips).toBeLessThanOrEqual(2);
  expect(usage.readUnits).toBeGreaterThan(0);
  expect(usage.readUnits).toBeLessThanOrEqual(units);
});
