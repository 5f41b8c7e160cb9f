import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { DASHBOARDS } from './dashboards-budgets.ts';
import { fillFindings, fillScanners } from './dashboards-model.ts';
import { fillExposure } from './exposure-model.ts';
import { attachMeter, type Meter } from './meter.ts';
import { processorMs } from './processor.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable, growthOf } from './report.ts';
import { fillSoc } from './soc-model.ts';

/** Findings and vulnerabilities; a tenth as many alerts, assets, scanner tasks; ten times as many events. */
const SIZES = [100, 10_000, 100_000];

/** Measures the reads of all dashboards over two years of records. */
export async function benchDashboards(sizes: readonly number[] = SIZES): Promise<BenchTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-dashboards.log') });
  const dynamo = openDynamo('bench-dashboards', {
    endpoint: engine.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    await ensureTable(dynamo.client, dynamo.tableName);
    const meter = attachMeter(dynamo, { inStep: true });
    const rows: BenchRow[] = [];
    for (const size of sizes) {
      const table = openTable(dynamo, newId());
      await fillFindings(table, size);
      await fillScanners(table, size / 10);
      await fillExposure(table, size);
      await fillSoc(table, size / 10, 10 * size);
      for (const [operation, handler, budget] of DASHBOARDS)
        rows.push(
          benchRow({
            operation,
            size: String(size),
            budget,
            ...(await measure(meter, handler, table)),
          }),
        );
    }
    return benchTable('Dashboards: consumed capacity, round trips and processor time', rows, growthOf(rows));
  } finally {
    await engine.stop();
  }
}

/**
 * The second call of a process is measured: the process remembers what it needs of the
 * organization, so that only reads of the table count.
 */
async function measure(meter: Meter, handler: (typeof DASHBOARDS)[number][1], table: Table) {
  const connections = {};
  const call = async () => dashboardHandlers[handler]({ table, connections, query: {} } as never);
  await call();
  return { ...(await meter.measure(call)), processorMs: await processorMs(call) };
}
