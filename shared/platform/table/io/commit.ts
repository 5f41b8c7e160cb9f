import { isDeepStrictEqual } from 'node:util';
import { TransactWriteItemsCommand, type TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { ApiError } from '../../runtime/errors.ts';
import { newId } from '../../runtime/ids.ts';
import { type Adds, effective, sumOf } from '../layout/contribution.ts';
import type { Key, Row } from '../layout/keys.ts';
import { retried, Unprocessed } from './retried.ts';
import { typed } from './typed.ts';

export type Expression = {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, NativeAttributeValue>;
};

/** One write of a transaction. `fail` makes the error for a condition that does not hold, from the stored row. */
export type Write = { fail?: (current: Row | undefined) => Error } & (
  | { put: Row; condition?: Expression }
  | { remove: Key; condition?: Expression }
  | Change
  | { check: Key; condition: Expression }
);

/** A change of some attributes: `set` replaces them (undefined removes one), `add` adds to numbers. */
type Change = {
  change: Key;
  set?: Record<string, NativeAttributeValue>;
  add?: Record<string, number | bigint>;
  condition?: Expression;
};

export const MAX_TRANSACTION = 100;

/** Holds where no row has the key. */
export const ABSENT = 'attribute_not_exists(pk)';

/**
 * Writes all rows or none. Conflicts and throttling are retried. A retry after a lost answer carries the same request
 * token, which DynamoDB remembers for ten minutes, so that nothing is counted twice.
 */
export async function commit(dynamo: Dynamo, all: readonly Write[], adds: Adds): Promise<void> {
  const token = newId();
  const writes = oncePerRow(all);
  const items = transactionItems(dynamo.tableName, writes, adds);
  if (items.length === 0) return;
  if (items.length > MAX_TRANSACTION) throw new Error(`a transaction of ${items.length} rows: split the batch`);
  const command = new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: token });
  try {
    await retried(() => dynamo.client.send(command));
  } catch (error) {
    const failed = failedCondition(error);
    if (failed) throw writes[failed.index]?.fail?.(failed.current) ?? error;
    throw isTooLarge(error) ? new ApiError('payload_too_large', TOO_LARGE) : error;
  }
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('remove' in write) return write.remove;
  return 'change' in write ? write.change : write.check;
}

/** The row that a write is of: a transaction names each row once. */
export function rowOf(write: Write): string {
  const { pk, sk } = keyOf(write);
  return `${pk}\n${sk}`;
}

/** Combines the writes of each row. @throws Error when they do not combine: then the code must write the row once */
function oncePerRow(writes: readonly Write[]): Write[] {
  const rows = new Map<string, Write>();
  for (const write of writes) {
    const row = rowOf(write);
    const before = rows.get(row);
    rows.set(row, before ? combined(before, write) : write);
  }
  return [...rows.values()];
}

/** The second write as the first leaves it to be done. A condition is tested against the row as it was before both. */
function combined(first: Write, second: Write): Write {
  const { condition, fail } = first;
  if ('change' in first && 'change' in second && (!second.condition || isDeepStrictEqual(condition, second.condition)))
    return { ...first, set: { ...first.set, ...second.set }, add: sums(first.add, second.add) };
  if (isSame(first, second)) return first;
  if (!second.condition && ('remove' in first || 'check' in first)) return { ...second, condition, fail } as Write;
  // the first write removes the row, so that the second one finds it absent and replaces the first
  if ('remove' in first && 'put' in second && second.condition?.ConditionExpression === ABSENT)
    return { ...second, condition, fail };
  const { pk, sk } = keyOf(second);
  throw new Error(`a batch writes the row ${pk} ${sk} twice, in ways that do not combine: write it once`);
}

/** True if the second write only repeats the first. One with a condition does not: after the first it would be refused. */
const isSame = ({ fail: _first, ...first }: Write, { fail: _second, ...second }: Write): boolean =>
  ('check' in second || !second.condition) && isDeepStrictEqual(first, second);

function sums(one: Change['add'] = {}, other: Change['add'] = {}): NonNullable<Change['add']> {
  const added = Object.entries(other).map(([name, amount]) => [name, sumOf(one[name] ?? 0, amount)]);
  return { ...one, ...Object.fromEntries(added) };
}

/** Puts and removals outside a transaction, 25 at a time; sends rows again that the table leaves unprocessed. */
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
  await retried(async () => {
    const answer = await dynamo.client.send(new BatchWriteCommand({ RequestItems: { [dynamo.tableName]: left } }));
    left = answer.UnprocessedItems?.[dynamo.tableName] ?? [];
    if (left.length > 0) throw new Unprocessed(left.length);
  });
}

type TransactItems = NonNullable<TransactWriteItemsCommandInput['TransactItems']>;

function transactionItems(TableName: string, writes: readonly Write[], adds: Adds): TransactItems {
  const more = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  const items: TransactItems = writes.map((write) => {
    if ('put' in write) return { Put: { ...more, ...typedExpression(write.condition), Item: typed(write.put) } };
    const { pk, sk } = keyOf(write);
    const Key = typed({ pk, sk });
    if ('change' in write) return { Update: { ...more, ...typedExpression(updateOf(write)), Key } };
    const target = { ...more, ...typedExpression(write.condition), Key };
    if ('remove' in write) return { Delete: target };
    return { ConditionCheck: { ...target, ConditionExpression: target.ConditionExpression ?? '' } };
  });
  for (const { key, changes } of effective(adds))
    items.push({ Update: { TableName, Key: typed(key), ...typedExpression(addExpression(changes)) } });
  return items;
}

/** An expression with its values in the form of the table. */
export function typedExpression<T extends Expression>(
  { ExpressionAttributeValues: values, ...expression }: T = {} as T,
) {
  return { ...expression, ...(values && { ExpressionAttributeValues: typed(values) }) };
}

const addExpression = (changes: [string, bigint | number][]) => ({
  UpdateExpression: `ADD ${changes.map((_, n) => `#${n} :${n}`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(changes.map(([name], n) => [`#${n}`, name])),
  ExpressionAttributeValues: Object.fromEntries(changes.map(([, amount], n) => [`:${n}`, amount])),
});

function updateOf({ set = {}, add = {}, condition }: Change) {
  const added = Object.entries(add);
  const { UpdateExpression, names, values } = setExpression(set);
  const adds = added.map((_, n) => `#a${n} :a${n}`).join(', ');
  const all = { ...values, ...Object.fromEntries(added.map(([, amount], n) => [`:a${n}`, amount])) };
  return {
    UpdateExpression: [UpdateExpression, adds && `ADD ${adds}`].filter(Boolean).join(' '),
    ...(condition?.ConditionExpression && { ConditionExpression: condition.ConditionExpression }),
    ExpressionAttributeNames: {
      ...names,
      ...Object.fromEntries(added.map(([name], n) => [`#a${n}`, name])),
      ...condition?.ExpressionAttributeNames,
    },
    ...withValues({ ...all, ...condition?.ExpressionAttributeValues }),
  };
}

/** An expression may have no empty list of values. */
export const withValues = (values: Record<string, unknown>) =>
  Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};

/** Sets attributes; undefined removes an attribute. */
export function setExpression(changes: object) {
  const entries = Object.entries(changes);
  const sets = entries.flatMap(([, value], n) => (value === undefined ? [] : [`#s${n} = :s${n}`]));
  const removes = entries.flatMap(([, value], n) => (value === undefined ? [`#s${n}`] : []));
  return {
    UpdateExpression: [sets.length && `SET ${sets.join(', ')}`, removes.length && `REMOVE ${removes.join(', ')}`]
      .filter(Boolean)
      .join(' '),
    names: Object.fromEntries(entries.map(([name], n) => [`#s${n}`, name])),
    values: Object.fromEntries(entries.flatMap(([, value], n) => (value === undefined ? [] : [[`:s${n}`, value]]))),
  };
}

type Reason = { Code?: string; Message?: string; Item?: Record<string, never> };
type Failure = { name?: string; code?: string; message?: string; CancellationReasons?: Reason[] };

function failedCondition(error: unknown): { index: number; current: Row | undefined } | undefined {
  const reasons = (error as Failure).CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (index < 0) return undefined;
  const item = reasons[index]?.Item;
  return { index, current: item && (readItem(item) as Row) };
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
