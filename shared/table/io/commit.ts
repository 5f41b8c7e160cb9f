import { BatchWriteCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { ApiError } from '../../runtime/errors.ts';
import { newId } from '../../runtime/ids.ts';
import { retry } from '../../runtime/retry.ts';
import { type Adds, effective } from '../layout/contribution.ts';
import type { Key, Row } from '../layout/keys.ts';

export type Expression = {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, NativeAttributeValue>;
};

/** One write of a transaction. `fail` makes the error for a condition that does not hold, from the stored row. */
export type Write = { fail?: (standing: Row | undefined) => Error } & (
  | { put: Row; condition?: Expression }
  | { remove: Key; condition?: Expression }
  | { change: Key; set: Expression & { UpdateExpression: string } }
  | { check: Key; condition: Expression }
);

export const MAX_TRANSACTION = 100;
const RETRIED = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Writes all rows or none. Conflicts and throttling are retried. A retry after a lost answer carries the same request
 * token, which DynamoDB remembers for ten minutes, so that nothing is counted twice.
 */
export async function commit(dynamo: Dynamo, writes: readonly Write[], adds: Adds): Promise<void> {
  const token = newId();
  const items = transactionItems(dynamo.tableName, writes, adds);
  if (items.length === 0) return;
  if (items.length > MAX_TRANSACTION) throw new Error(`a transaction of ${items.length} rows: split the batch`);
  const command = new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token });
  try {
    await retry(() => dynamo.client.send(command), isRetried);
  } catch (error) {
    const failed = failedCondition(error);
    if (failed) throw writes[failed.index]?.fail?.(failed.standing) ?? error;
    throw isTooLarge(error) ? new ApiError('payload_too_large', TOO_LARGE) : error;
  }
}

/** Puts and removals outside a transaction, 25 at a time; rows that the table leaves unprocessed are sent again. */
export async function writeRows(
  dynamo: Dynamo,
  rows: { put?: readonly Row[]; remove?: readonly Key[] },
): Promise<void> {
  const requests = [
    ...(rows.put ?? []).map((Item) => ({ PutRequest: { Item } })),
    ...(rows.remove ?? []).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  await Promise.all(chunksOf(requests, 25).map((chunk) => writeChunk(dynamo, chunk)));
}

async function writeChunk(dynamo: Dynamo, chunk: object[]): Promise<void> {
  let left = chunk;
  await retry(async () => {
    const answer = await dynamo.client.send(new BatchWriteCommand({ RequestItems: { [dynamo.tableName]: left } }));
    left = answer.UnprocessedItems?.[dynamo.tableName] ?? [];
    if (left.length > 0) throw new Unprocessed(left.length);
  }, isRetried);
}

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

function transactionItems(TableName: string, writes: readonly Write[], adds: Adds): TransactItems {
  const all = 'ALL_OLD' as const;
  const items: TransactItems = writes.map((write) => {
    const more = { TableName, ReturnValuesOnConditionCheckFailure: all };
    if ('put' in write) return { Put: { ...more, ...write.condition, Item: write.put } };
    if ('change' in write)
      return { Update: { ...more, ...write.set, Key: { pk: write.change.pk, sk: write.change.sk } } };
    const key = 'remove' in write ? write.remove : write.check;
    const target = { ...more, ...write.condition, Key: { pk: key.pk, sk: key.sk } };
    if ('remove' in write) return { Delete: target };
    return { ConditionCheck: { ...target, ConditionExpression: target.ConditionExpression ?? '' } };
  });
  for (const { key: Key, changes } of effective(adds))
    items.push({ Update: { TableName, Key, ...addExpression(changes) } });
  return items;
}

const addExpression = (changes: [string, bigint | number][]) => ({
  UpdateExpression: `ADD ${changes.map((_, n) => `#${n} :${n}`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(changes.map(([name], n) => [`#${n}`, name])),
  ExpressionAttributeValues: Object.fromEntries(changes.map(([, amount], n) => [`:${n}`, amount])),
});

type Reason = { Code?: string; Message?: string; Item?: Record<string, never> };
type Failure = { name?: string; code?: string; message?: string; CancellationReasons?: Reason[] };

function failedCondition(error: unknown): { index: number; standing: Row | undefined } | undefined {
  const reasons = (error as Failure).CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (index < 0) return undefined;
  const item = reasons[index]?.Item;
  return { index, standing: item && (readItem(item) as Row) };
}

/** The row of a failed condition. Depending on its version the SDK gives native or typed values. */
export const readItem = (item: Record<string, never>): unknown => {
  const pk: unknown = item.pk;
  return typeof pk === 'string' ? item : unmarshall(item);
};

const TOO_LARGE = 'The record must be at most 400 KB with this change: shorten it or split it.';

/** DynamoDB reports this in the message of the request or in the reason of one item. */
function isTooLarge(error: unknown): boolean {
  const { message = '', CancellationReasons = [] } = error as Failure;
  return [message, ...CancellationReasons.map(({ Message = '' }) => Message)].some((text) =>
    /^Item size .*exceeded/.test(text),
  );
}

/** DynamoDB left some rows of a request unprocessed; they are sent again. */
export class Unprocessed extends Error {
  constructor(rows: number) {
    super(`the table left ${rows} rows of a batch unprocessed`);
  }
}

function isRetried(error: unknown): boolean {
  if (error instanceof Unprocessed) return true;
  const { name = '', code = '', CancellationReasons = [] } = error as Failure;
  if (RETRIED.has(name) || RETRIED.has(code)) return true;
  return name === 'TransactionCanceledException' && CancellationReasons.some(({ Code }) => RETRIED.has(Code ?? ''));
}
