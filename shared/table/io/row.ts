import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import type { Key, Row } from '../layout/keys.ts';
import { type Expression, readItem, type Write } from './commit.ts';
import { getRow, getRows, queryRows } from './read.ts';

/**
 * A row that belongs to no collection: nothing lists, counts or searches it (tasks, leases, fingerprints, scan
 * scopes). It may expire by the table's TTL.
 */
export type RowKind<T extends object, K extends object> = {
  /** Part of every key, so short and never changed. */
  name: string;
  /** The purpose of the row, for docs/table.md; bundles leave this text out. */
  about: string;
  key: (parts: K) => readonly [partition: string, sort?: string];
  /** When the row may vanish, RFC 3339. Readers treat an expired row as gone at once. */
  expiresAt?: (row: T) => string | undefined;
};

export const defineRow = <T extends object, K extends object = T>(kind: RowKind<T, K>): RowKind<T, K> => kind;

/** Sort keys of one partition: those that begin with `prefix`, or lie between two, both included. */
type RowRange = {
  prefix?: string;
  between?: { from: string; to: string };
  limit?: number;
  backward?: boolean;
  consistent?: boolean;
};

/** What must stand in the table for a write to happen: `absent`, or these values (undefined: no such attribute). */
export type Expect = 'absent' | Record<string, unknown>;

export function rowKey<T extends object, K extends object>(scope: string, kind: RowKind<T, K>, parts: K): Key {
  const [partition, sort] = kind.key(parts);
  return { pk: `${scope}#${kind.name}#${partition}`, sk: sort ?? '-' };
}

/** A put for a batch, conditional on `expect`. */
export function putWrite<T extends object, K extends object>(
  scope: string,
  kind: RowKind<T, K>,
  { row, expect, fail }: { row: T & K; expect?: Expect; fail?: Write['fail'] },
): Write {
  return { put: stored(scope, kind, row), condition: expect && condition(expect, kind), fail };
}

/** The operations on one kind of row. */
export function rowTable<T extends object, K extends object>(dynamo: Dynamo, scope: string, kind: RowKind<T, K>) {
  const write = { TableName: dynamo.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return {
    async find(parts: K, consistent = false): Promise<T | undefined> {
      return alive<T>(await getRow(dynamo, rowKey(scope, kind, parts), consistent));
    },
    async findMany(parts: readonly K[]): Promise<T[]> {
      const rows = await getRows(
        dynamo,
        parts.map((part) => rowKey(scope, kind, part)),
      );
      return rows.flatMap((row) => alive<T>(row) ?? []);
    },
    /** Rows of one partition in order of their sort key. */
    async query(partition: string, range: RowRange = {}): Promise<T[]> {
      const { prefix, between, ...more } = range;
      const pk = `${scope}#${kind.name}#${partition}`;
      const part = between ?? (prefix ? { prefix } : { all: true as const });
      const rows = await queryRows(dynamo, { pk, ...more, ...part });
      return rows.flatMap((row) => alive<T>(row) ?? []);
    },
    /** @returns false when what stands there is not what was expected */
    async put(row: T & K, expect?: Expect): Promise<boolean> {
      const Item = stored(scope, kind, row);
      const put = new PutCommand({ ...write, Item, ...(expect && condition(expect, kind)) });
      return met(dynamo.client.send(put), (standing) => has(standing, Item));
    },
    /**
     * Adds the attributes that the row lacks and leaves those that it has, in one write that may be repeated at will.
     * At most 100 fit an expression.
     */
    async fill(parts: K, values: T): Promise<void> {
      const { ttl, ...row } = stored(scope, kind, { ...values, ...parts });
      const Key = { pk: row.pk, sk: row.sk };
      const fields = Object.entries({ ...values, ...(ttl !== undefined && { ttl }) });
      const sets = fields.map((_, n) => `#${n}=if_not_exists(#${n},:${n})`);
      const update = new UpdateCommand({
        TableName: dynamo.tableName,
        Key,
        UpdateExpression: `SET ${sets.join(',')}`,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name], n) => [`#${n}`, name])),
        ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], n) => [`:${n}`, value])),
      });
      await dynamo.client.send(update);
    },
    /** Changes the given attributes (undefined removes one) in one write. @returns false as `put` */
    async set(parts: K, changes: Partial<T>, expect?: Expect): Promise<boolean> {
      const wanted = expect && condition(expect, kind);
      const { UpdateExpression, names, values } = setExpression(changes);
      const update = new UpdateCommand({
        ...write,
        Key: rowKey(scope, kind, parts),
        UpdateExpression,
        ConditionExpression: wanted?.ConditionExpression,
        ExpressionAttributeNames: { ...names, ...wanted?.ExpressionAttributeNames },
        ...withValues({ ...values, ...wanted?.ExpressionAttributeValues }),
      });
      return met(dynamo.client.send(update), (standing) => has(standing, changes));
    },
    async remove(parts: K, expect?: Expect): Promise<boolean> {
      const Key = rowKey(scope, kind, parts);
      const removal = new DeleteCommand({ ...write, Key, ...(expect && condition(expect, kind)) });
      return met(dynamo.client.send(removal), (standing) => standing === undefined);
    },
  };
}

function stored<T extends object, K extends object>(scope: string, kind: RowKind<T, K>, row: T & K): Row {
  const expires = kind.expiresAt?.(row);
  const ttl = expires === undefined ? undefined : Math.ceil(Date.parse(expires) / 1000);
  return { ...row, ...(ttl !== undefined && { ttl }), ...rowKey(scope, kind, row) };
}

function alive<T>(row: Row | undefined): T | undefined {
  if (!row || (typeof row.ttl === 'number' && row.ttl * 1000 <= nowMs())) return undefined;
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !name.startsWith('_') && !['pk', 'sk', 'ttl'].includes(name)),
  ) as T;
}

export function condition(expect: Expect, kind: { expiresAt?: unknown } = {}): Expression {
  if (expect === 'absent')
    return kind.expiresAt ? absentOrExpired() : { ConditionExpression: 'attribute_not_exists(pk)' };
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

/** The table removes an expired row days later: until then it must not be in the way of its successor. */
const absentOrExpired = (): Expression => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': Math.floor(nowMs() / 1000) },
});

const withValues = (values: Record<string, unknown>) =>
  Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {};

function setExpression(changes: object) {
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

/**
 * Whether the condition held. A write that the client repeated because its answer was lost meets what it wrote itself
 * and is refused for that: it is told from another's by what stands there.
 */
async function met(write: Promise<unknown>, isOurs: (standing: Row | undefined) => boolean): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    const { name, $metadata, Item } = error as { name?: string; $metadata?: { attempts?: number }; Item?: never };
    if (name !== 'ConditionalCheckFailedException') throw error;
    return ($metadata?.attempts ?? 1) > 1 && isOurs(Item && (readItem(Item) as Row));
  }
}

const has = (standing: Row | undefined, wanted: object): boolean =>
  standing !== undefined && Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(standing[name], value));
