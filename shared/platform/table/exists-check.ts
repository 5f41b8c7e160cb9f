import { notFound } from '../runtime/errors.ts';
import { placeOfRecord } from './batch.ts';
import type { Counted } from './entity.ts';
import type { Write } from './io/commit.ts';

/** Holds while a record exists, for rows that must not outlive it. @throws not_found by the commit */
export function existsCheck({ tenant }: { tenant: string }, entity: Counted, id: string): Write {
  const { keys, ordinal } = placeOfRecord(tenant, entity, id);
  const condition = {
    ConditionExpression: '#id = :id',
    ExpressionAttributeNames: { '#id': 'id' },
    ExpressionAttributeValues: { ':id': id },
  };
  return { check: keys.record(ordinal), condition, fail: () => notFound(entity.name, id) };
}
