import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteCommand, GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { ensureTable } from '#local/table-setup.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { type Front, startFront } from '../../bench/cloud/front.ts';
import { until } from '../support/wait.ts';

const engine = await startDynamoDb({ logFile: join(tmpdir(), `cloud-${process.pid}.log`) });
const front = await startFront(engine.endpoint, 20_000);
const TableName = 'cloud';

/** A client that does not retry, so that a test sees each refusal. */
const clientOf = (endpoint: string) =>
  openDynamo(TableName, { endpoint, region: localRegion, credentials: localCredentials, maxAttempts: 1 }).client;
const client = clientOf(front.endpoint);
await ensureTable(client, TableName);
afterAll(async () => {
  client.destroy();
  await front.stop();
  await engine.stop();
});

const row = (pk: string, sk: string, bytes = 10) => ({ pk, sk, text: 'x'.repeat(bytes) });
const transaction = (...rows: object[]) =>
  client.send(new TransactWriteCommand({ TransactItems: rows.map((Item) => ({ Put: { TableName, Item } })) }));
const nameOf = (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => 'written',
    (error) => error.name,
  );

test('of two transactions that meet on a row one is refused, and says at which row', async () => {
  const both = [transaction(row('p', 'a'), row('p', 'b')), transaction(row('p', 'c'), row('p', 'b'))];
  const refused = (await Promise.allSettled(both)).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([
    {
      reason: {
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      },
    },
  ]);
  await transaction(row('p', 'c'), row('p', 'b'));
});

test('a single write of a row in a running transaction is refused, and a read is not', async () => {
  const beside = async () => {
    const running = transaction(row('q', 'a'));
    const write = nameOf(client.send(new PutCommand({ TableName, Item: row('q', 'a') })));
    const read = nameOf(client.send(new GetCommand({ TableName, Key: { pk: 'q', sk: 'a' } })));
    await running;
    return { write: await write, read: await read };
  };
  // a write that comes before the transaction is not refused
  const refused = await until(beside, ({ write }) => write !== 'written');
  expect(refused).toEqual({ write: 'TransactionConflictException', read: 'written' });
});

test('a partition key takes 1,000 units a second and not more, whatever the table takes', async () => {
  const put = (pk: string, n: number) =>
    nameOf(client.send(new PutCommand({ TableName, Item: row(pk, `${n}`, 99_000) })));
  let pk = 'hot';
  const burst = () => {
    pk += '+';
    return Promise.all(Array.from({ length: 14 }, (_, n) => put(pk, n)));
  };
  const refusedOf = (names: readonly unknown[]) =>
    names.filter((name) => name === 'ProvisionedThroughputExceededException').length;
  // a burst that a busy machine spreads over more than a second is taken whole
  const hot = await until(burst, (names) => refusedOf(names) > 0);
  expect(hot.length - refusedOf(hot)).toBeGreaterThanOrEqual(10);
  await expect(transaction(...Array.from({ length: 6 }, (_, n) => row(pk, `t${n}`, 99_000)))).rejects.toMatchObject({
    CancellationReasons: expect.arrayContaining([expect.objectContaining({ Code: 'ThrottlingError' })]),
  });
  const batch = Array.from({ length: 15 }, (_, n) => ({ PutRequest: { Item: row('batch', `${n}`, 99_000) } }));
  const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: batch } }));
  expect(UnprocessedItems?.[TableName]?.length).toBeGreaterThanOrEqual(1);
  expect(await put('cold', 1)).toBe('written');
});

test('a slow engine does not count: a transaction lasts as long as in the cloud', async () => {
  const server = createServer(async (_, answer) => {
    await sleep(300);
    answer.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const slow = await startFront(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 4000);
  const started = slow.clock.now();
  const TransactItems = [{ Put: { TableName, Item: row('p', 'a') } }];
  const slowClient = clientOf(slow.endpoint);
  await slowClient.send(new TransactWriteCommand({ TransactItems }));
  expect(cloudTime(slow, started)).toBeLessThan(300);
  slowClient.destroy();
  await slow.stop();
  server.close();
});

const cloudTime = ({ clock }: Front, since: number): number => clock.now() - since;
