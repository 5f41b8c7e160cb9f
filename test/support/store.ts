import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { newId } from '#shared/ids.ts';
import { type Dynamo, openDynamo } from '#shared/table/client.ts';
import { openTable, type Table } from '#shared/table/table.ts';

/** A table of its own on a running engine; `connect` opens one more connection to it, to be broken on its own. */
export type Store = { dynamo: Dynamo; connect(): Dynamo; stop(): Promise<void> };

export async function startStore(): Promise<Store> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), `store-${process.pid}.log`) });
  const tableName = `test-${randomUUID()}`;
  const connect = () =>
    openDynamo(tableName, {
      endpoint: engine.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  const dynamo = connect();
  await ensureTable(dynamo.client as never, tableName);
  return { dynamo, connect, stop: () => engine.stop() };
}

/** The table of an organization that nobody else uses. */
export const newOrganization = (dynamo: Dynamo): Table => openTable(dynamo, newId());
