import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { now } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import type { Actor, Author, Cause } from './actor.ts';
import type { Entity, Stored } from './entity.ts';
import type { Write } from './io/commit.ts';
import { defineRow, rowKey } from './io/row.ts';
import { GLOBAL_SCOPE, type Key, type Row } from './layout/keys.ts';

/** One change of one record. Versions of a record follow each other without a gap; a deletion counts as the last. */
export type RecordChange = {
  /** `noted`: the record is as it was, and something about it is reported, such as an end that comes near. */
  kind: 'created' | 'updated' | 'deleted' | 'noted';
  entity: string;
  id: string;
  version: number;
  /** The fields that the entity reports. A new record has no `from`, a deleted one no `to`. */
  fields: Record<string, { from?: unknown; to?: unknown }>;
  /** The other fields that changed: secrets, and values that are too long or of no interest. */
  masked: string[];
  /** The type of the event that is noted. */
  note?: string;
};

/** True for a change that has made, altered or removed the record. */
export const isMade = (change: RecordChange): change is RecordChange & { kind: 'created' | 'updated' | 'deleted' } =>
  change.kind !== 'noted';

/** Something that changed no record: a sign-in, a refused request. */
export type FeedEvent = { kind: 'signed_in' | 'refused'; reason?: string };

/** Everything that one transaction changed in one organization, or one event. */
export type Entry = { id: string; at: string; by: Actor; cause: Cause; changes: RecordChange[]; event?: FeedEvent };

/**
 * Entries without a number, of all organizations: the entries of one organization are neighbours. A partition takes
 * 1,000 units a second, which is 500 transactions; the counters of one collection take no more than 100.
 */
type InboxKey = { shard: number; organization: string; id: string };

export const inboxRows = defineRow<InboxKey>({
  name: 'change-inbox',
  about: 'the changes of one transaction, deflated, until they are numbered; global key scope',
  key: ({ shard, organization, id }) => [String(shard), `${organization}#${id}`],
});

export const INBOX_SHARDS = 16;

const shardOf = (organization: string): number =>
  createHash('sha1').update(organization).digest().readUInt8(0) % INBOX_SHARDS;

export const inboxKey = (organization: string, id: string): Key =>
  rowKey(GLOBAL_SCOPE, inboxRows, { shard: shardOf(organization), organization, id });

const UNKNOWN: Cause = { operation: 'service' };

/** The write that reports the changes of a transaction. Its id contains the time at which the transaction is sent. */
export function entryWrite(organization: string, author: Author, content: Pick<Entry, 'changes' | 'event'>) {
  const { cause = UNKNOWN, ...by } = author;
  const z = deflateRawSync(JSON.stringify({ at: now(), by, cause, ...content }));
  return { put: { ...inboxKey(organization, newId()), z } } satisfies Write;
}

/** The partition of a shard, for the worker that numbers the changes of all organizations. */
export const inboxPartition = (shard: number): Pick<Key, 'pk'> => ({
  pk: rowKey(GLOBAL_SCOPE, inboxRows, { shard, organization: '', id: '' }).pk,
});

/** The organization of an inbox row, from its key. */
export const organizationIn = ({ sk }: Key): string => sk.slice(0, sk.indexOf('#'));

/** The id of the entry of an inbox row, from its key. */
export const entryIdIn = ({ sk }: Pick<Key, 'sk'>): string => sk.slice(sk.indexOf('#') + 1);

export const entryIn = ({ sk, z }: Row): Entry => ({
  id: entryIdIn({ sk }),
  ...JSON.parse(inflateRawSync(z as Uint8Array).toString()),
});

type Version = Pick<Stored, 'id' | 'version'>;

/** The change that makes, alters or removes a record; undefined where the feed does not report the entity. */
export function changeOf(
  { name: entity, feedFields }: Pick<Entity, 'name' | 'feedFields'>,
  { before, after }: { before?: Version; after?: Version },
): RecordChange | undefined {
  const record = after ?? before;
  if (!feedFields || !record) return undefined;
  const kind = !before ? 'created' : after ? 'updated' : 'deleted';
  const change: RecordChange = {
    kind,
    entity,
    id: record.id,
    version: after?.version ?? record.version + 1,
    fields: {},
    masked: [],
  };
  for (const name of kind === 'updated' ? changedFields(before, after) : feedFields) {
    const [from, to]: unknown[] = [before && Reflect.get(before, name), after && Reflect.get(after, name)];
    if (kind !== 'updated' && (from ?? to) == null) continue;
    if (feedFields.includes(name) && isShort(from) && isShort(to)) change.fields[name] = { from, to };
    else change.masked.push(name);
  }
  return change;
}

const STAMPS = ['version', 'updatedAt'];

const changedFields = (before: object | undefined, after: object | undefined): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (name) =>
      !STAMPS.includes(name) && !isDeepStrictEqual(Reflect.get(before ?? {}, name), Reflect.get(after ?? {}, name)),
  );

/** Longer values are named only: a transaction of 100 records must leave a row below 400 KB. */
const MAX_VALUE = 300;

function isShort(value: unknown): boolean {
  if (typeof value === 'number' || value === undefined) return true;
  // escaped, a character takes six at most
  if (typeof value === 'string' && value.length * 6 + 2 <= MAX_VALUE) return true;
  return JSON.stringify(value).length <= MAX_VALUE;
}
