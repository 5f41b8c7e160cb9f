import { completeAsScanner } from '#functions/scanning/scanner-communication/complete.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { putPool } from '#test/support/scanning.ts';
import { engage, linkScanners } from './lease-world.ts';
import { HEARTBEAT, IDLE, type World } from './machine-world.ts';
import type { BenchRow } from './report.ts';

/** Measures polls and completions of a shared scanner with the tasks of one client. */
export async function measurePools(world: World, elapse: (seconds: number) => void): Promise<BenchRow[]> {
  const { table, connections, row } = world;
  const [poolId, client] = [newId(), openTable(table.dynamo, newId())];
  await putPool(table.dynamo, { poolId, providerId: table.organizationId });
  const [scannerId = ''] = await linkScanners(table, 1, { publicGroupIds: [poolId] });
  const ask = (capacity: number) =>
    pollAsScanner(table, { machineId: scannerId, body: { capacity }, address: '192.0.2.1' });
  const complete = (taskId = '') =>
    completeAsScanner({ connections, table, machineId: scannerId }, [{ taskId, outcome: 'completed' }]);
  await ask(1);
  const rows = [await row({ operation: 'pool: poll, no work', budget: IDLE, run: () => ask(1) })];
  elapse(61);
  rows.push(await row({ operation: 'pool: poll, no work, heartbeat', budget: HEARTBEAT, run: () => ask(1) }));
  const run = () => engage({ connections, table: client }, '192.0.2.0/28', { publicScannerGroupId: poolId });
  rows.push(await row({ operation: 'pool: making 16 tasks of a client', run }));
  let held: string[] = [];
  const take = async (capacity: number) => {
    held = (await ask(capacity)).tasks.map(({ id }) => id);
  };
  rows.push(await row({ operation: 'pool: poll, one task', run: () => take(1) }));
  rows.push(await row({ operation: 'pool: completing one task', run: () => complete(held[0]) }));
  rows.push(await row({ operation: 'pool: poll, ten tasks', run: () => take(10) }));
  return rows;
}
