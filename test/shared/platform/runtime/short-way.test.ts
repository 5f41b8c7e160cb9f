import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamoDb } from '#local/dynamodb.ts';
import type { Engine } from '#local/engine-process.ts';
import { ensureTable } from '#local/table-setup.ts';
import { type Dynamo, openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { withShortWay } from '../../../support/short-way.ts';

const TableName = 'compared';

let engines: Engine[];
let bySdk: Dynamo;
let direct: Dynamo;
beforeAll(async () => {
  const start = () => startDynamoDb({ logFile: join(tmpdir(), `short-way-${process.pid}.log`) });
  engines = await Promise.all([start(), start()]);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const opened = engines.map(({ endpoint }) =>
    openDynamo(TableName, { endpoint, region: 'eu-central-1', credentials }),
  );
  for (const { client } of opened) await ensureTable(client as never, TableName);
  bySdk = opened[0] ?? expect.fail();
  direct = withShortWay(opened[1] ?? expect.fail());
});
afterAll(() => Promise.all(engines.map((engine) => engine.stop())));

const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => Number(value.toFixed(3))),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }),
  fc.uint8Array({ minLength: 1 }),
  fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(true, null, new Set(['a', 'b']), new Set([1, 2]), new Set([new Uint8Array([1, 2])])),
);
const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.constantFrom('B', 'BS', 'M', 'x'), scalar));

const more = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Each kind of request, those that are done and those that are refused. */
function requests(pk: string, values: object): { input: object }[] {
  const [a, b, c] = ['a', 'b', 'c'].map((sk) => marshall({ pk, sk }));
  const Item = { ...marshall(values), ...a };
  const ConditionExpression = 'attribute_not_exists(pk)';
  const Put = { ...more, ConditionExpression, Item: { ...Item, ...b } };
  const add = { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: marshall({ ':n': 7 }) };
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: marshall({ ':pk': pk }) };
  return [
    new PutItemCommand({ ...more, Item }),
    new PutItemCommand({ ...more, Item, ConditionExpression }),
    new TransactWriteItemsCommand({ TransactItems: [{ Put }] }),
    new TransactWriteItemsCommand({ TransactItems: [{ Put }] }),
    new GetItemCommand({ TableName, Key: a }),
    new GetItemCommand({ TableName, Key: c, ConsistentRead: true }),
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [a, b, c] as never } } }),
    new QueryCommand({ TableName, ...query, Limit: 1, ReturnConsumedCapacity: 'TOTAL' }),
    new QueryCommand({ TableName, KeyConditionExpression: 'nonsense' }),
    new UpdateItemCommand({ ...more, ...add, Key: a, ReturnValues: 'UPDATED_NEW' }),
    new DeleteItemCommand({ ...more, Key: a, ConditionExpression: 'attribute_exists(nothing)' }),
    new DeleteItemCommand({ ...more, Key: b, ReturnValues: 'ALL_OLD' }),
  ];
}

/** The answer to a request, or the error that a caller sees. */
async function outcome({ client }: Dynamo, command: never): Promise<object> {
  try {
    const { $metadata, ...answer } = (await client.send(command)) as { $metadata: { httpStatusCode?: number } };
    return { ...answer, status: $metadata.httpStatusCode };
  } catch (error) {
    const { name, message, CancellationReasons, Item } = error as Record<string, unknown>;
    return { name, message, CancellationReasons, Item };
  }
}

test('a request without the SDK answers and fails as with the SDK, whatever a row holds', async () => {
  const all = fc.record({ B: value, BS: value, other: value });
  await fc.assert(
    fc.asyncProperty(fc.uuid(), all, async (pk, values) => {
      for (const command of requests(pk, values)) {
        const expected = await outcome(bySdk, command as never);
        expect(await outcome(direct, command as never)).toEqual(expected);
      }
    }),
    { numRuns: 20 },
  );
});

test('middleware of each step sees each request, as a fault that a test makes must, and may change its input', async () => {
  const commands: unknown[] = [];
  const stack = direct.client.middlewareStack;
  const note = (step: 'initialize' | 'build', name: string, priority: 'high' | 'low' | 'normal') =>
    stack.add(
      (next, context) => (args) => {
        commands.push(`${name} ${context.commandName}`);
        return next({ ...args, input: { ...args.input, Key: marshall({ pk: 'x', sk: name }) } as never });
      },
      { step: step as 'initialize', name, priority },
    );
  const put = (sk: string) => new PutItemCommand({ TableName, Item: marshall({ pk: 'x', sk }) }) as never;
  await direct.client.send(put('late'));
  note('initialize', 'late', 'low');
  note('initialize', 'early', 'high');
  const get = () => direct.client.send(new GetItemCommand({ TableName, Key: marshall({ pk: 'x', sk: 'y' }) }) as never);
  expect(await get()).toMatchObject({ Item: marshall({ pk: 'x', sk: 'late' }) });
  expect(commands.splice(0)).toEqual(['early GetItemCommand', 'late GetItemCommand']);
  stack.remove('late');
  note('build', 'built', 'normal');
  expect(await get()).not.toHaveProperty('Item');
  expect(commands).toEqual(['early GetItemCommand', 'built GetItemCommand']);
});
