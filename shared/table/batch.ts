import { ApiError, notFound, versionConflict } from '../http/errors.ts';
import type { Dynamo } from './client.ts';
import { type Row, type Write, commit, writeRows } from './commit.ts';
import {
  type Adds,
  type Contribution,
  type SearchRows,
  addChanges,
  addTo,
  contributionOf,
  searchChanges,
} from './contribution.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { ordinalOf } from '../ids.ts';
import { type Key, type Keys, keysOf } from './keys.ts';
import { contributionRead, recordOf, rowsOf } from './record.ts';

/** A unit of work: records of any entities that change together, with everything that counts and finds them. */
export type Batch = {
  create<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): T;
  /** Conditional on the version that was read. Detail fields may change only on a record read by `get`. */
  update<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>, next: T): T;
  delete<T extends Stored, D extends keyof T>(entity: Entity<T, D>, read: T | ListItem<T, D>): void;
  write(...writes: Write[]): void;
  /** How many rows the transaction has; at most 100 fit. */
  size(): number;
  commit(): Promise<void>;
};

/**
 * @param bulk search and detail rows of new records are written before the transaction and outside it, for half the
 *   price. They are the same on every retry (the ids are reserved beforehand), so a crash between leaves nothing that
 *   a retry does not overwrite, and no reader sees a row whose record is not there.
 */
export function newBatch(dynamo: Dynamo, scope: string, bulk = false): Batch {
  const writes: Write[] = [];
  const adds: Adds = new Map();
  const before: Row[] = [];

  const apply = <T extends Stored, D extends keyof T>(
    entity: Entity<T, D>,
    id: string,
    [from, to]: [Contribution | undefined, Contribution | undefined],
  ) => {
    const place = placeOf(scope, entity, id);
    for (const { key, add } of addChanges(entity as never, place, from, to).values()) addTo(adds, key, Object.fromEntries(add));
    const search = searchChanges(place, from, to);
    if (bulk && from === undefined) before.push(...search.put);
    else writes.push(...searchWrites(search));
    return place;
  };

  return {
    create(entity, item) {
      const contribution = contributionOf(entity, item);
      const place = apply(entity, item.id, [undefined, contribution]);
      const { main, detail } = rowsOf(entity, item, { ...place, contribution });
      writes.push({ put: main, condition: absent, fail: () => new ApiError('conflict', `${item.id} exists already.`) });
      if (detail && bulk) before.push(detail);
      else if (detail) writes.push({ put: detail });
      writes.push(...uniqueWrites(place.keys, {}, entity.unique(item), item.id));
      return recordOf(main, detail);
    },
    update(entity, read, next) {
      const contribution = contributionOf(entity, next);
      const place = apply(entity, next.id, [contributionRead(read), contribution]);
      const { main, detail } = rowsOf(entity, next, { ...place, contribution });
      writes.push({ put: main, condition: atVersion(read.version), fail: (row) => changed(entity.name, next.id, row) });
      if (detail && detailChanged(entity.detail, read, next)) writes.push({ put: detail });
      writes.push(...uniqueWrites(place.keys, entity.unique(read as never), entity.unique(next), next.id));
      return recordOf(main, detail);
    },
    delete(entity, read) {
      const { keys, ordinal } = apply(entity, read.id, [contributionRead(read), undefined]);
      const fail = (row: Row | undefined) => changed(entity.name, read.id, row);
      writes.push({ remove: keys.record(ordinal), condition: atVersion(read.version), fail });
      if (entity.detail.length > 0) writes.push({ remove: keys.detail(ordinal) });
      writes.push(...uniqueWrites(keys, entity.unique(read as never), {}, read.id));
    },
    write: (...more) => void writes.push(...more),
    size: () => writes.length + adds.size,
    async commit() {
      await writeRows(dynamo, { put: before });
      await commit(dynamo, writes, adds);
    },
  };
}

export const placeOf = (scope: string, entity: Pick<Entity, 'name' | 'lanes'>, id: string) => ({
  keys: keysOf(scope, entity),
  ordinal: ordinalOf(id),
});

const absent = { ConditionExpression: 'attribute_not_exists(pk)' };

const atVersion = (version: number) => ({
  ConditionExpression: '#v = :v',
  ExpressionAttributeNames: { '#v': 'version' },
  ExpressionAttributeValues: { ':v': version },
});

const changed = (kind: string, id: string, standing: Row | undefined): Error =>
  standing ? versionConflict(recordOf(standing)) : notFound(kind, id);

const searchWrites = ({ put, remove }: SearchRows): Write[] => [
  ...put.map((row: Key) => ({ put: row })),
  ...remove.map((row) => ({ remove: row })),
];

const detailChanged = (fields: readonly PropertyKey[], read: object, next: object): boolean =>
  fields.some((field) => Reflect.get(read, field) !== Reflect.get(next, field));

type Unique = Record<string, string | null | undefined>;

function uniqueWrites(keys: Keys, had: Unique, has: Unique, id: string): Write[] {
  const writes: Write[] = [];
  for (const field of new Set([...Object.keys(had), ...Object.keys(has)])) {
    const [old, value] = [had[field] ?? undefined, has[field] ?? undefined];
    if (old === value) continue;
    if (old !== undefined) writes.push({ remove: keys.unique(field, old) });
    if (value !== undefined)
      writes.push({ put: { ...keys.unique(field, value), id }, condition: absent, fail: () => taken(field, value) });
  }
  return writes;
}

const taken = (field: string, value: string): ApiError =>
  new ApiError('conflict', `Another record has this ${field} already.`, {
    details: [{ path: field, message: `${value} is taken` }],
  });
