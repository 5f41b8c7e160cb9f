import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeAsScanner } from '#functions/scanning/scanner-communication/complete.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { type Dynamo, openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { addContention } from './contention.ts';
import { type Simulated, simulate } from './lease-simulation.ts';
import { engage, linkScanners, portsOf, rangesOf } from './lease-world.ts';
import { measurePools } from './leases-pools.ts';
import { HEARTBEAT, IDLE, openWorld, type World, withClock } from './machine-world.ts';
import { type BenchRow, type BenchTable, benchTable } from './report.ts';

export type LeaseOptions = { scanners: number; tasks: number };
export type LeaseFigures = Simulated & { shards: number; conflictsPerTransaction: number; leasesPerSecond: number };
export type LeaseTable = BenchTable & { figures: LeaseFigures[] };

/** `leases-full` is larger (bench/run.ts). */
const usual: LeaseOptions = { scanners: 500, tasks: 8192 };
const CONTENDED: LeaseOptions = { scanners: 100, tasks: 1024 };
const CONCURRENCY = 16;

/**
 * Measures polls and completions, and checks that scanners which poll at the named intervals do each task exactly once;
 * then the same under contention with one counter shard and with sixteen.
 */
export async function benchLeases(options: LeaseOptions = usual): Promise<LeaseTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-leases.log') });
  const connect = () =>
    openDynamo('bench-leases', {
      endpoint: engine.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  try {
    const dynamo = connect();
    await ensureTable(dynamo.client, dynamo.tableName);
    const rows = await withClock(async (elapse) => [
      ...(await measureUnits(openWorld(connect()), elapse)),
      ...(await measurePools(openWorld(connect()), elapse)),
    ]);
    const figures = [await runScanners(dynamo, options)];
    for (const shards of [1, scannerTasks.shards])
      figures.push(await withShards(shards, () => runContended(connect())));
    return {
      ...benchTable(`Leases: ${options.scanners} scanners, ${options.tasks} tasks`, rows),
      figures,
    };
  } finally {
    await engine.stop();
  }
}

/** Replaces a release with another number of shards. Each run has its own organization. */
async function withShards<T>(shards: number, run: () => Promise<T>): Promise<T> {
  const declared = scannerTasks.shards;
  scannerTasks.shards = shards;
  try {
    return await run();
  } finally {
    scannerTasks.shards = declared;
  }
}

async function runScanners(dynamo: Dynamo, { scanners, tasks }: LeaseOptions): Promise<LeaseFigures> {
  const table = openTable(dynamo, newId());
  const connections = portsOf(dynamo);
  for (const range of rangesOf(tasks)) await engage({ connections, table }, range);
  const scannerIds = await linkScanners(table, scanners);
  const simulated = await simulate({ table, connections, scannerIds, tasks, concurrency: CONCURRENCY });
  await assertExact(table, tasks);
  const leasesPerSecond = Math.round(simulated.leased / simulated.seconds);
  return { ...simulated, shards: scannerTasks.shards, conflictsPerTransaction: 0, leasesPerSecond };
}

async function runContended(dynamo: Dynamo): Promise<LeaseFigures> {
  const { conflicts, transactions } = addContention(dynamo);
  const figures = await runScanners(dynamo, CONTENDED);
  return { ...figures, conflictsPerTransaction: Math.round((100 * conflicts()) / transactions()) / 100 };
}

async function assertExact(table: Table, tasks: number): Promise<void> {
  const counts = await table.facets(scannerTasks);
  const { differences } = await verify(table, scannerTasks);
  if (counts['status:completed'] !== tasks || differences.length > 0)
    throw new Error(`not each task exactly once: ${JSON.stringify({ counts, differences: differences.slice(0, 5) })}`);
}

async function measureUnits(
  { table, connections, row }: World,
  elapse: (seconds: number) => void,
): Promise<BenchRow[]> {
  const [scannerId = ''] = await linkScanners(table, 1);
  const ask = (capacity: number) =>
    pollAsScanner(table, { machineId: scannerId, body: { capacity }, address: '192.0.2.1' });
  await ask(1);
  const rows = [await row({ operation: 'poll, no work', budget: IDLE, run: () => ask(1) })];
  elapse(61);
  rows.push(await row({ operation: 'poll, no work, heartbeat', budget: HEARTBEAT, run: () => ask(1) }));
  rows.push(await row({ operation: 'making 256 tasks', run: () => engage({ connections, table }, '10.0.0.0/24') }));
  rows.push(await row({ operation: 'poll, one task', run: () => ask(1) }));
  let held: string[] = [];
  const take = async () => {
    held = (await ask(10)).tasks.map(({ id }) => id);
  };
  rows.push(await row({ operation: 'poll, ten tasks', run: take }));
  const complete = () =>
    completeAsScanner({ connections, table, machineId: scannerId }, [{ taskId: held[0], outcome: 'completed' }]);
  rows.push(await row({ operation: 'completing one task', run: complete }));
  return rows;
}
