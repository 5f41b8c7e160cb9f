import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { now } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { notFound } from '../runtime/errors.ts';
import { isId, newIdAt, shortId } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { type Author, systemActor } from './actor.ts';
import { type Batch, newBatch, placeOfRecord } from './batch.ts';
import { type Counts, readFacets, readTallies, readTally, type TallyCount } from './counters.ts';
import type { Counted, Entity, ListItem, Part, Stored } from './entity.ts';
import type { Write } from './io/commit.ts';
import { getPair, getRow } from './io/read.ts';
import { retried } from './io/retried.ts';
import { type RowKind, rowTable } from './io/row.ts';
import { typed } from './io/typed.ts';
import { workJournal } from './journal.ts';
import { keysOf } from './layout/keys.ts';
import { recordOf } from './layout/record.ts';
import { countMatching, type ListQuery, listPage, listPageBeside, recordsOfIds } from './list.ts';
import type { SearchPage } from './paging.ts';
import { assertWhole, sees } from './part.ts';
import { facetsAmong, readTogether, shareRead } from './together.ts';
import { highestRank, topRecords } from './top.ts';

/** The fields of a new record without those that `stamp` adds. `id` only where it was reserved before. */
export type Draft<T extends Stored> = Omit<T, keyof Stored | 'createdBy'> & { id?: string };

type Also<T> = (batch: Batch, item: T) => unknown;

/**
 * The table, bound to one organization (or to `GLOBAL_SCOPE`) and to the actor of the request, so that a handler cannot
 * name another organization. Bound to a part too, it has no records outside of the part, and refuses to write any.
 */
export type Table = ReturnType<typeof openTable>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an object of short functions
export function openTable(dynamo: Dynamo, organizationId: string, author: Author = systemActor, part?: Part) {
  const { cause, ...actor } = author;
  const tenant = isId(organizationId) ? shortId(organizationId) : organizationId;
  const source = <T extends Stored, D extends keyof T>(entity: Entity<T, D>) => ({ dynamo, tenant, entity, part });
  const seen = <I extends object>(entity: Pick<Entity, 'name' | 'inPart'>, item: I): I | undefined =>
    sees(part, entity, item) ? item : undefined;
  /** For counters, which count all records. */
  const whole = <E extends Pick<Entity, 'name' | 'inPart'>>(entity: E) => {
    assertWhole(entity, part);
    return { dynamo, tenant, entity };
  };
  const together = shareRead(() => readTogether(dynamo, tenant));

  const table = {
    organizationId,
    actor,
    cause,
    tenant,
    dynamo,
    part,

    async find<T extends Stored, D extends keyof T>(entity: Entity<T, D>, id: string, consistent = false) {
      if (!isId(id)) return undefined;
      const { keys, ordinal } = placeOfRecord(tenant, entity, id);
      const main = keys.record(ordinal);
      if (entity.detail.length === 0) {
        const row = await getRow(dynamo, main, consistent);
        return row?.id === id ? seen(entity, recordOf<T>(row)) : undefined;
      }
      const [row, detail] = await getPair(dynamo, [main, keys.detail(ordinal)], consistent);
      return row?.id === id ? seen(entity, recordOf<T>(row, detail)) : undefined;
    },

    /** @throws not_found */
    async get<T extends Stored, D extends keyof T>(entity: Entity<T, D>, id: string, consistent = false): Promise<T> {
      const item = await table.find(entity, id, consistent);
      if (!item) throw notFound(entity.name, id);
      return item;
    },

    /** The records of these ids without detail fields, in their order; ids of no record are left out. */
    findMany: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      ids: readonly string[],
      consistent = false,
    ): Promise<ListItem<T, D>[]> => recordsOfIds(source(entity), ids, consistent),

    /** Read it consistently where the answer decides on access, or on whether a record exists. */
    async findUnique<T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      { field, value }: { field: string; value: string },
      consistent = false,
    ) {
      const row = await getRow(dynamo, keysOf(tenant, entity).unique(field, value), consistent);
      return row ? table.find(entity, String(row.id), consistent) : undefined;
    },

    /** Ids for `n` new records, in one write. Ids that are never used leave harmless gaps. */
    async reserve<T extends Stored, D extends keyof T>(entity: Entity<T, D>, n: number): Promise<string[]> {
      const first = await table.reserveOrdinals(entity, n);
      return Array.from({ length: n }, (_, i) => newIdAt(first + i));
    },

    async reserveOrdinals(entity: Pick<Entity, 'name' | 'shards'>, n: number): Promise<number> {
      const addition = new UpdateItemCommand({
        TableName: dynamo.tableName,
        Key: typed(keysOf(tenant, entity).ordinals()),
        UpdateExpression: 'ADD n :n',
        ExpressionAttributeValues: typed({ ':n': n }),
        ReturnValues: 'UPDATED_NEW',
      });
      const answer = await retried(() => dynamo.client.send(addition));
      return Number(answer.Attributes?.n?.N) - n;
    },

    /** A complete new record made of a draft, for a batch. */
    stamp<T extends Stored>(draft: Draft<T> & { id: string }): T {
      const time = now();
      return { ...draft, version: 1, createdAt: time, updatedAt: time, createdBy: actor } as unknown as T;
    },

    /** @param also adds to the same transaction */
    async create<T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      draft: Draft<T>,
      also?: Also<T>,
    ): Promise<T> {
      const id = draft.id ?? newIdAt(await table.reserveOrdinals(entity, 1));
      return table.commit(async (batch) => {
        const item = batch.create(entity, table.stamp<T>({ ...draft, id }));
        await also?.(batch, item);
        return item;
      });
    },

    /** The record with `changes` made, for a batch. */
    changed<T extends Stored, D extends keyof T>(read: T | ListItem<T, D>, changes: Partial<T>): T {
      return { ...(read as T), ...changes, version: read.version + 1, updatedAt: now() };
    },

    /** Fails if the record has another version than `read`. @param also adds to the same transaction @throws conflict, not_found */
    async update<T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      read: T | ListItem<T, D>,
      changes: Partial<T>,
      also?: Also<T>,
    ): Promise<T> {
      return table.commit(async (batch) => {
        const item = batch.update(entity, read, table.changed<T, D>(read, changes));
        await also?.(batch, item);
        return item;
      });
    },

    /** Reads, decides and writes, again after a conflict. `undefined` from `decide` leaves the record unchanged. */
    async modify<T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      id: string,
      decide: (item: T) => Partial<T> | undefined,
    ): Promise<T> {
      return retry(async () => {
        const item = await table.get(entity, id, true);
        const changes = decide(item);
        return changes ? table.update(entity, item, changes) : item;
      });
    },

    /** @param also adds to the same transaction */
    async delete<T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      read: T | ListItem<T, D>,
      also?: (batch: Batch) => unknown,
    ) {
      await table.commit(async (batch) => {
        batch.delete(entity, read);
        await also?.(batch);
      });
      return { id: read.id, deletedAt: now() };
    },

    /** Makes these changes in one transaction. @returns what `changes` returns */
    async commit<R>(changes: (batch: Batch) => R | Promise<R>): Promise<R> {
      const batch = table.batch();
      const made = await changes(batch);
      await batch.commit();
      return made;
    },

    /** Rows of no collection, in one transaction. */
    write: (...writes: Write[]): Promise<void> => table.commit((batch) => batch.write(...writes)),

    batch: (bulk = false): Batch => newBatch({ dynamo, tenant, author, part }, bulk),

    /** Makes what bulk batches wrote counted, listed and found: at the end of each chunk of work. */
    workJournal: (entity: Pick<Entity, 'name' | 'shards'>): Promise<void> =>
      workJournal(dynamo, keysOf(tenant, entity)),

    list: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      query: ListQuery,
    ): Promise<SearchPage<ListItem<T, D>>> => listPage(source(entity), query),

    /** A page, and other rows that `readBeside` reads by the records' ordinals in the same round trips. */
    listBeside: <T extends Stored, D extends keyof T, B>(
      entity: Entity<T, D>,
      query: ListQuery,
      readBeside: (ordinals: number[]) => Promise<B>,
    ): Promise<{ page: SearchPage<ListItem<T, D>>; beside: B }> => listPageBeside(source(entity), query, readBeside),

    /** The number of records of a list that match each filter, in one round trip. */
    counts: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      query: Pick<ListQuery, 'parent'> & { filters: readonly Record<string, string>[] },
    ): Promise<number[]> => countMatching(source(entity), query),

    /** The first `n` of an order that the entity declares. Two round trips. */
    top: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      query: { by: string; n: number },
    ): Promise<ListItem<T, D>[]> => topRecords(whole(entity), query),

    /** The highest number of a rank; half a read unit. */
    highestRank: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      rank: string,
    ): Promise<number | undefined> => highestRank(whole(entity), rank),

    /** For collections with shared facet reads, one read serves all calls of the same moment. */
    facets: (entity: Counted, consistent = false): Promise<Counts> =>
      whole(entity).entity.together
        ? facetsAmong(entity, consistent ? readTogether(dynamo, tenant, true) : together())
        : readFacets(whole(entity), consistent),

    tallies: (
      entity: Pick<Entity, 'name' | 'shards' | 'inPart'>,
      facet: string,
      between?: { from: string; to: string },
    ): Promise<TallyCount[]> => readTallies(whole(entity), facet, between),

    tally: <T extends Stored, D extends keyof T>(
      entity: Entity<T, D>,
      facet: string,
      value: string | null,
      consistent = false,
    ): Promise<Counts> => readTally(whole(entity), facet, { value, consistent }),

    rows: <T extends object, K extends object>(kind: RowKind<T, K>) => rowTable(dynamo, tenant, kind),
  };
  return table;
}

/** The table of the same request with all records, for what the service itself decides, such as rules; answers never show it. */
export const withoutPart = (table: Table): Table =>
  table.part ? openTable(table.dynamo, table.organizationId, { ...table.actor, cause: table.cause }) : table;

/**
 * The table of an organization for which the actor works, or the actor's own if none is given. The id must come from a
 * stored row, never from a request.
 */
export const inOrganization = (table: Table, organizationId: string | null | undefined): Table =>
  !organizationId || organizationId === table.organizationId
    ? table
    : openTable(table.dynamo, organizationId, { ...table.actor, cause: table.cause });
