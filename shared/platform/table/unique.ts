import { ApiError } from '../runtime/errors.ts';
import type { Unique } from './entity.ts';
import { ABSENT, type Expression, type Write } from './io/commit.ts';
import { condition } from './io/row.ts';
import type { Keys, Row } from './layout/keys.ts';

type UniqueRow = { field: string; value: string; row: Row };

/**
 * The rows of a record's unique values. Where a field has several values, each of its rows says so (`several`): a
 * reader of one row knows whether there are more.
 */
export function uniqueRows(keys: Keys, id: string, unique: Unique): UniqueRow[] {
  return Object.entries(unique).flatMap(([field, given]) => {
    const values = [...new Set(typeof given === 'string' ? [given] : (given ?? []))];
    const more = values.length > 1 ? { several: true } : {};
    return values.map((value) => ({ field, value, row: { ...keys.unique(field, value), id, ...more } }));
  });
}

/** The writes that move a record's unique values from its former to its new ones. */
export function uniqueWrites(keys: Keys, { id, had, has }: { id: string; had: Unique; has: Unique }): Write[] {
  const old = new Map(uniqueRows(keys, id, had).map(({ row }) => [row.pk, row]));
  const wanted = uniqueRows(keys, id, has);
  const kept = new Set(wanted.map(({ row }) => row.pk));
  const gone = [...old.values()].filter(({ pk }) => !kept.has(pk));
  const puts = wanted.flatMap(({ field, value, row }): Write[] => {
    const before = old.get(row.pk);
    if (before && before.several === row.several) return [];
    return [{ put: row, condition: before ? ownOrAbsent(id) : condition('absent'), fail: () => taken(field, value) }];
  });
  return [...gone.map(({ pk, sk }) => ({ remove: { pk, sk } })), ...puts];
}

/** Holds where no other record has the unique value. */
export const ownOrAbsent = (id: string): Expression => ({
  ConditionExpression: `${ABSENT} OR id = :id`,
  ExpressionAttributeValues: { ':id': id },
});

const taken = (field: string, value: string): ApiError =>
  new ApiError('conflict', `Another record already has this ${field}.`, {
    details: [{ path: field, message: `${value} is taken` }],
  });
