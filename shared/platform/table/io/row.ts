import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS, nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import type { Key, Row } from '../layout/keys.ts';
import { ABSENT, type Expression, readItem, setExpression, typedExpression, type Write, withValues } from './commit.ts';
import { getRow, getRows, queryRows } from './read.ts';
import { isDoubtful, retried } from './retried.ts';
import { typed } from './typed.ts';

/**
 * A kind of row that belongs to no collection: no list, counter or search has it (tasks, presences, scan scopes). Its
 * rows may expire by the table's TTL.
 */
export type RowKind<T extends object, K extends object> = {
  /** Part of every key, so short and never changed. */
  name: string;
  /** The purpose of the row, for docs/table.md; bundles leave this text out. */
  about: string;
  key: (parts: K) => readonly [partition: string, sort?: string];
  /**
   * The time from which readers no longer see the row, RFC 3339 (see `ttlOf`). DynamoDB removes the row some days
   * later.
   */
  expiresAt?: (row: T) => string | undefined;
};

export const defineRow = <T extends object, K extends object = T>(kind: RowKind<T, K>): RowKind<T, K> => kind;

/** Rows of one partition whose sort keys begin with `prefix`, or are between two keys, both included. */
type RowRange = {
  prefix?: string;
  between?: { from: string; to: string };
  limit?: number;
  backward?: boolean;
  consistent?: boolean;
};

/** The condition of a write: no row (`absent`), or a row with these values (undefined: without the attribute). */
export type Expectation = 'absent' | Record<string, unknown>;

export function rowKey<T extends object, K extends object>(tenant: string, kind: RowKind<T, K>, parts: K): Key {
  const [partition, sort] = kind.key(parts);
  return { pk: `${tenant}#${kind.name}#${partition}`, sk: sort ?? '-' };
}

/** A put for a batch, conditional on `expect`. */
export function putWrite<T extends object, K extends object>(
  tenant: string,
  kind: RowKind<T, K>,
  { row, expect, fail }: { row: T & K; expect?: Expectation; fail?: Write['fail'] },
): Write {
  return { put: stored(tenant, kind, row), condition: expect && condition(expect, kind), fail };
}

/** The operations on one kind of row. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an object of short functions
export function rowTable<T extends object, K extends object>(dynamo: Dynamo, tenant: string, kind: RowKind<T, K>) {
  const write = { TableName: dynamo.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return {
    async find(parts: K, consistent = false): Promise<T | undefined> {
      return alive<T>(await getRow(dynamo, rowKey(tenant, kind, parts), consistent));
    },
    /** Each row once, however often its key is named: DynamoDB refuses a key twice. */
    async findMany(parts: readonly K[], consistent = false): Promise<T[]> {
      const keys = parts.map((part) => rowKey(tenant, kind, part));
      const distinct = new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key]));
      const rows = await getRows(dynamo, [...distinct.values()], consistent);
      return rows.flatMap((row) => alive<T>(row) ?? []);
    },
    /** Rows of one partition in order of their sort key. */
    async query(partition: string, range: RowRange = {}): Promise<T[]> {
      const { prefix, between, ...more } = range;
      const pk = `${tenant}#${kind.name}#${partition}`;
      const part = between ?? (prefix ? { prefix } : { all: true as const });
      const rows = await queryRows(dynamo, { pk, ...more, ...part });
      return rows.flatMap((row) => alive<T>(row) ?? []);
    },
    /** @returns false when the stored row does not meet `expect` */
    async put(row: T & K, expect?: Expectation): Promise<boolean> {
      const Item = stored(tenant, kind, row);
      const expression = typedExpression(expect && condition(expect, kind));
      const put = new PutItemCommand({ ...write, ...expression, Item: typed(Item) });
      return conditionHeld(
        () => dynamo.client.send(put),
        (current) => has(current, Item),
      );
    },
    /**
     * Adds the attributes that the row lacks and leaves the others unchanged. Repeating the write changes nothing. At
     * most 100 attributes fit.
     */
    async fill(parts: K, values: T): Promise<void> {
      const { ttl, pk, sk } = stored(tenant, kind, { ...values, ...parts });
      const fields = Object.entries({ ...values, ...(ttl !== undefined && { ttl }) });
      const sets = fields.map((_, n) => `#${n}=if_not_exists(#${n},:${n})`);
      const update = new UpdateItemCommand({
        TableName: dynamo.tableName,
        Key: typed({ pk, sk }),
        UpdateExpression: `SET ${sets.join(',')}`,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name], n) => [`#${n}`, name])),
        ExpressionAttributeValues: typed(Object.fromEntries(fields.map(([, value], n) => [`:${n}`, value]))),
      });
      await retried(() => dynamo.client.send(update));
    },
    /** Sets these attributes (undefined removes one). @returns false when the stored row does not meet `expect` */
    async set(parts: K, changes: Partial<T>, expect?: Expectation): Promise<boolean> {
      const wanted = expect && condition(expect, kind);
      const { UpdateExpression, names, values } = setExpression(changes);
      const update = new UpdateItemCommand({
        ...write,
        Key: typed(rowKey(tenant, kind, parts)),
        UpdateExpression,
        ConditionExpression: wanted?.ConditionExpression,
        ExpressionAttributeNames: { ...names, ...wanted?.ExpressionAttributeNames },
        ...typedExpression(withValues({ ...values, ...wanted?.ExpressionAttributeValues })),
      });
      return conditionHeld(
        () => dynamo.client.send(update),
        (current) => has(current, changes),
      );
    },
    async remove(parts: K, expect?: Expectation): Promise<boolean> {
      const Key = typed(rowKey(tenant, kind, parts));
      const removal = new DeleteItemCommand({ ...write, Key, ...typedExpression(expect && condition(expect, kind)) });
      return conditionHeld(
        () => dynamo.client.send(removal),
        (current) => current === undefined,
      );
    },
  };
}

export function stored<T extends object, K extends object>(tenant: string, kind: RowKind<T, K>, row: T & K): Row {
  const expires = kind.expiresAt?.(row);
  return { ...row, ...(expires !== undefined && { ttl: ttlOf(expires) }), ...rowKey(tenant, kind, row) };
}

/**
 * The table's TTL, in seconds, of a row that is written now. A row that is born expired would be acknowledged and invisible, and
 * conditions on what its reader saw would never hold: such a row lives for a day.
 */
export function ttlOf(expires: string): number {
  const ttl = Math.ceil(Date.parse(expires) / 1000);
  return ttl * 1000 > nowMs() ? ttl : Math.ceil((nowMs() + DAY_MS) / 1000);
}

/** The row as its readers see it; undefined once it has expired. */
export function alive<T>(row: Row | undefined): T | undefined {
  if (!row || (typeof row.ttl === 'number' && row.ttl * 1000 <= nowMs())) return undefined;
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !name.startsWith('_') && !['pk', 'sk', 'ttl'].includes(name)),
  ) as T;
}

export function condition(expect: Expectation, kind: { expiresAt?: unknown } = {}): Expression {
  if (expect === 'absent') return kind.expiresAt ? absentOrExpired() : { ConditionExpression: ABSENT };
  const entries = Object.entries(expect);
  const tests = entries.map(([, value], n) =>
    value === undefined ? `attribute_not_exists(#e${n})` : `#e${n} = :e${n}`,
  );
  return {
    ConditionExpression: ['attribute_exists(pk)', ...tests].join(' AND '),
    ...(entries.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], n) => [`#e${n}`, name])),
    }),
    ...withValues(
      Object.fromEntries(entries.flatMap(([, value], n) => (value === undefined ? [] : [[`:e${n}`, value]]))),
    ),
  };
}

/** An expired row stays in the table for days and must not keep a new row out. */
const absentOrExpired = (): Expression => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': Math.floor(nowMs() / 1000) },
});

/**
 * True if the condition held. When the answer to a write is lost, the write is repeated (by the SDK, or here), and then
 * fails because of its own first attempt: the stored row shows whether this happened.
 */
async function conditionHeld(
  send: () => Promise<unknown>,
  isOurs: (current: Row | undefined) => boolean,
): Promise<boolean> {
  let mayBeDone = false;
  const write = async () => {
    try {
      await send();
    } catch (error) {
      mayBeDone ||= isDoubtful(error);
      throw error;
    }
  };
  try {
    await retried(write);
    return true;
  } catch (error) {
    const { name, $metadata, Item } = error as { name?: string; $metadata?: { attempts?: number }; Item?: never };
    if (name !== 'ConditionalCheckFailedException') throw error;
    return (mayBeDone || ($metadata?.attempts ?? 1) > 1) && isOurs(Item && (readItem(Item) as Row));
  }
}

const has = (current: Row | undefined, wanted: object): boolean =>
  current !== undefined && Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(current[name], value));
