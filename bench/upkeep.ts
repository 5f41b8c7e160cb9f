import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { attachMeter } from './meter.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable } from './report.ts';
import { fillFindings } from './upkeep/fill.ts';
import type { Upkept } from './upkeep/process.ts';
import { readsOf } from './upkeep/reads.ts';

const TABLE = 'bench-upkeep';
/** A function of 512 MB has a bound on its heap too; without one Node collects garbage late. */
const HEAP = '--max-old-space-size=384';

/**
 * The cost of reads of findings whose words and values repeat as in real reports, and the seconds and memory of
 * `verify` and `rekey` over these findings.
 */
export async function benchUpkeep(sizes: number[] = [20_000, 100_000]): Promise<BenchTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), `${TABLE}.log`) });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamo = openDynamo(TABLE, { endpoint: engine.endpoint, region: 'eu-central-1', credentials });
  try {
    await ensureTable(dynamo.client, TABLE);
    const rows: BenchRow[] = [];
    const meter = attachMeter(dynamo);
    for (const size of sizes) {
      const table = openTable(dynamo, newId());
      await fillFindings(table, size);
      rows.push(...(await readsOf(table, meter, size)));
      for (const work of ['rekey', 'verify'] as const)
        rows.push(rowOf(work, size, await upkeep(table, { work, size, endpoint: engine.endpoint })));
    }
    return benchTable('Many findings: reads, and seconds and memory of their upkeep', rows);
  } finally {
    await engine.stop();
  }
}

type Upkeep = { work: 'rekey' | 'verify'; size: number; endpoint: string };

async function upkeep({ organizationId }: Table, { work, size, endpoint }: Upkeep): Promise<Upkept> {
  const script = fileURLToPath(new URL('upkeep/process.ts', import.meta.url));
  const child = fork(script, [work, organizationId, TABLE, endpoint], { execArgv: [HEAP] });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`${work} ended with ${code}`);
  });
  const [used] = (await Promise.race([once(child, 'message'), died])) as [Upkept];
  died.catch(() => undefined);
  if (used.records !== size) throw new Error(`${work} saw ${used.records} of ${size} findings`);
  if (work === 'verify' && used.changed > 0) throw new Error(`${work} found ${used.changed} wrong rows`);
  if (work === 'rekey' && used.changed === 0) throw new Error('nothing was rewritten');
  return used;
}

const rowOf = (operation: Upkeep['work'], size: number, { seconds, megabytes }: Upkept): BenchRow =>
  benchRow({
    operation,
    size: String(size),
    roundTrips: 0,
    readUnits: 0,
    writeUnits: 0,
    seconds,
    megabytes,
    budget: { megabytes: 512 },
  });
