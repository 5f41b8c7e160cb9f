import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openWorld, withClock } from './machine-world.ts';
import { measureAgents } from './machines-agents.ts';
import { measureAppliances } from './machines-appliances.ts';
import { measureCredentials } from './machines-credentials.ts';
import { type BenchTable, benchTable } from './report.ts';

/**
 * Measures appliances, agents and the release of credentials, each in its own organization; leases.ts measures
 * scanners.
 */
export async function benchMachines(): Promise<BenchTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-machines.log') });
  const connect = () =>
    openDynamo('bench-machines', {
      endpoint: engine.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  try {
    const { client, tableName } = connect();
    await ensureTable(client, tableName);
    const rows = await withClock(async (elapse) => [
      ...(await measureAppliances(openWorld(connect()), elapse)),
      ...(await measureAgents(openWorld(connect()), elapse)),
      ...(await measureCredentials(openWorld(connect()))),
    ]);
    return benchTable('Machines: consumed capacity and round trips', rows);
  } finally {
    await engine.stop();
  }
}
