import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { readTargets } from '#shared/platform/views/targets.ts';

type Named = { key: string; integratorId: string; externalId: string; firstSeenAt: string };

/** A record that an integrator reports under an id of its own. */
type ReportedRecord = Stored & Named;
type Fields<T extends ReportedRecord> = Draft<T> & Named;

export type Taken = { recordId: string; outcome: 'created' | 'updated' | 'unchanged' };

/** Records of a transaction. */
const AT_ONCE = 20;

/** The unique value of a record: ids of two integrators never mean the same. */
export const reportedKey = (integratorId: string, externalId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([integratorId, externalId]))
    .digest('base64url');

/** Of several records with one id in a call, the last one counts. */
export const lastOfEach = <T extends { externalId: string }>(reported: readonly T[]): T[] => [
  ...new Map(reported.map((one) => [one.externalId, one])).values(),
];

type Kind<T extends ReportedRecord, D extends keyof T> = {
  entity: Entity<T, D>;
  /** Fields of the current record that stay, beside the time when it was first seen. */
  keep?: (before: T, reported: Fields<T>) => Partial<T>;
};

/**
 * Stores reported records, one for each `externalId`: a repeated record updates the same one, and an unchanged record
 * is not written.
 * @returns the outcome of each record, by `externalId`
 */
export async function keepReported<T extends ReportedRecord, D extends keyof T>(
  table: Table,
  kind: Kind<T, D>,
  reported: readonly Fields<T>[],
): Promise<Map<string, Taken>> {
  const done = new Map<string, Taken>();
  for (const some of chunksOf(reported, AT_ONCE))
    for (const [id, taken] of await retry(() => keepSome(table, kind, some))) done.set(id, taken);
  await table.workJournal(kind.entity);
  return done;
}

async function keepSome<T extends ReportedRecord, D extends keyof T>(
  table: Table,
  { entity, keep }: Kind<T, D>,
  some: readonly Fields<T>[],
): Promise<Map<string, Taken>> {
  const keys = some.map(({ key }) => key);
  const current = await readTargets(table, { target: entity, field: 'key' }, keys);
  const missing = some.filter(({ key }) => !current.has(key));
  const ids = missing.length > 0 ? await table.reserve(entity, missing.length) : [];
  const newIds = new Map(missing.map(({ key }, n) => [key, ids[n] ?? '']));
  const batch = table.batch(true);
  const taken = some.map((fields): [string, Taken] => {
    const { key, externalId } = fields;
    const before = current.get(key);
    if (!before) {
      const { id } = batch.create(entity, table.stamp<T>({ ...fields, id: newIds.get(key) ?? '' }));
      return [externalId, { recordId: id, outcome: 'created' }];
    }
    const next = { ...fields, firstSeenAt: before.firstSeenAt, ...keep?.(before, fields) } as Partial<T>;
    const isSame = (Object.keys(next) as (keyof T)[]).every((name) => isDeepStrictEqual(before[name], next[name]));
    if (!isSame) batch.update(entity, before, table.changed<T, D>(before, next));
    return [externalId, { recordId: before.id, outcome: isSame ? 'unchanged' : 'updated' }];
  });
  if (batch.size() > 0) await batch.commit();
  return new Map(taken);
}
