import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboardHandlers } from '#functions/dashboards/handlers.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { packState } from '#shared/findings/scan-state.ts';
import { openDynamo } from '#shared/runtime/dynamo.ts';
import { newId } from '#shared/runtime/ids.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { fillFindings, fillScanners } from './dashboards-model.ts';
import { attachMeter, type Meter } from './meter.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';

const sizes = [100, 10_000, 100_000];
const DASHBOARD: Budget = { roundTrips: 2, readUnits: 4 };
const TOP: Budget = { roundTrips: 2, readUnits: 6 };

const dashboards = [
  ['overview/system/findings', 'getFindingsSummary', DASHBOARD],
  ['overview/system/scanners', 'getScannersSummary', DASHBOARD],
  ['overview/top_findings', 'getTopFindings', TOP],
  ['meantime/findings', 'getFindingsMeanTimes', DASHBOARD],
] as const;

/** Measures the reads of the dashboards for two years of findings and a tenth as many scanner tasks. */
export async function benchDashboards(): Promise<BenchTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-dashboards.log') });
  const dynamo = openDynamo('bench-dashboards', {
    endpoint: engine.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    await ensureTable(dynamo.client, dynamo.tableName);
    const meter = attachMeter(dynamo);
    const rows: BenchRow[] = [];
    for (const size of sizes) {
      const table = openTable(dynamo, newId());
      await fillFindings(table, size);
      await fillScanners(table, size / 10);
      for (const [operation, handler, budget] of dashboards)
        rows.push(benchRow({ operation, size: String(size), ...(await measure(meter, handler, table)), budget }));
    }
    return benchTable('Dashboards: consumed capacity and round trips', rows);
  } finally {
    await engine.stop();
  }
}

/**
 * A bucket with empty states: only reads of the table are measured, of the second call of a process, which knows whose
 * scopes it needs.
 */
async function measure(meter: Meter, handler: (typeof dashboards)[number][1], table: Table) {
  const connections = { bucket: { get: async () => packState([]) } };
  const call = async () => dashboardHandlers[handler]({ table, connections } as never);
  await call();
  return meter.measure(call);
}
