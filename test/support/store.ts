import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { type Dynamo, openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { withShortWay } from './short-way.ts';

/** A table of its own on a running engine; `connect` opens one more connection to it, to be broken on its own. */
export type Store = { dynamo: Dynamo; connect(): Dynamo; stop(): Promise<void> };

export async function startStore(): Promise<Store> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), `store-${process.pid}.log`) });
  const tableName = `test-${randomUUID()}`;
  const connect = () =>
    withShortWay(
      openDynamo(tableName, {
        endpoint: engine.endpoint,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      }),
    );
  const dynamo = connect();
  await ensureTable(dynamo.client as never, tableName);
  return { dynamo, connect, stop: () => engine.stop() };
}

/** A store for all tests of a file, or for each test one of its own; time goes on as usual after them. */
export function useStore(share: 'file' | 'test' = 'file'): Store {
  let store: Store | undefined;
  const [before, after] = share === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    store = await startStore();
  });
  after(async () => {
    setClock();
    await store?.stop();
  });
  const open = (): Store => {
    if (!store) throw new Error('the store is there while tests and hooks run');
    return store;
  };
  return {
    get dynamo() {
      return open().dynamo;
    },
    connect: () => open().connect(),
    stop: () => open().stop(),
  };
}

/** The table of an organization that nobody else uses. */
export const newOrganization = (dynamo: Dynamo): Table => openTable(dynamo, newId());
