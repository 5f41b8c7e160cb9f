import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FeedState, feedRows, MOVED_PREFIX, type RecordFeed } from '#shared/advisories/feeds.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { download } from './download.ts';
import { FeedError } from './feed-error.ts';
import { type FeedFile, feedFiles } from './files.ts';
import { notifyOfFeed } from './notify.ts';

/** After this no further file is begun: a run ends before the next begins. */
const RUN_MS = 60_000;
/** A complete file that lost more than a tenth of its records was cut short. */
const LEAST_SHARE = 0.9;

type FeedRecord = { id: string; modifiedAt: string };
type Newer<R> = { record: R; before: R | undefined };

/** A feed whose records are rows; each of its files holds many records. */
export type RecordFiles<R extends FeedRecord> = {
  feed: RecordFeed;
  /** Each file has all of its records, and never loses many. */
  isComplete?: true;
  /** The files to request now. */
  due: (address: string, known: readonly FeedFile[]) => string[];
  /** The records of a file. @throws FeedError where it is not whole */
  read: (path: string) => AsyncGenerator<R, { entries: number; publishedAt?: string } | undefined>;
  /** The stored records with these ids. */
  current: (connections: Connections, ids: readonly string[]) => Promise<Map<string, R>>;
  /** The part of a record by which vulnerabilities are rated, and the ids of these. */
  says: (record: R | undefined) => unknown;
  names: (record: R) => readonly string[];
  write: (connections: Connections, newer: readonly Newer<R>[]) => Promise<void>;
  /** The state of a file after its reading. @param before the former state */
  kept?: (address: string, next: FeedFile, before: FeedFile | undefined) => FeedFile;
};

type Current = { state: FeedState | undefined; address: string };

/**
 * Reads the files that are due, one after the other, and notifies organizations of the records that moved. Reads a file
 * to its end before it writes the first record, so that a file that is cut short changes nothing. Notes the moved
 * records first, so that the next run reports the writes of a killed run.
 * @throws FeedError
 */
export async function refreshFiles<R extends FeedRecord>(
  connections: Connections,
  kind: RecordFiles<R>,
  { state, address }: Current,
): Promise<void> {
  const { feed } = kind;
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  const [rows, states] = [table.rows(feedFiles), table.rows(feedRows)];
  await states.put({ ...state, feed, address, checkedAt: now(), failure: undefined, telling: undefined });
  const known = await rows.query(feed, { consistent: true });
  const end = elapsedMs() + RUN_MS;
  for (const file of kind.due(address, known)) {
    if (elapsedMs() > end) return;
    const before = known.find((row) => row.file === file);
    const { next, telling } = await readFile(connections, kind, { file, before });
    await rows.put(kind.kept?.(address, next, before) ?? next);
    if (next.entries !== before?.entries || telling) await states.set({ feed }, await summary(table, feed));
    if (telling) await notifyOfFeed(connections, { feed, telling });
  }
}

/** Counts the entries of all files. */
async function summary(table: Table, feed: RecordFeed): Promise<Partial<FeedState>> {
  const files = await table.rows(feedFiles).query(feed, { consistent: true });
  const times = files.map(({ publishedAt = '' }) => publishedAt).sort();
  return {
    entries: files.reduce((sum, { entries = 0 }) => sum + entries, 0),
    publishedAt: times.at(-1) || undefined,
    changedAt: now(),
  };
}

type Wanted = { file: string; before: FeedFile | undefined };
type Read = { next: FeedFile; telling?: FeedState['telling'] };

async function readFile<R extends FeedRecord>(
  connections: Connections,
  kind: RecordFiles<R>,
  { file, before }: Wanted,
): Promise<Read> {
  const checked = { ...before, feed: kind.feed, file, checkedAt: now() };
  const fetched = await download(file, before ?? {});
  if (!fetched) return { next: checked };
  const { path, isOurs, ...validators } = fetched;
  try {
    const { records, entries, publishedAt } = await readWhole(kind, path);
    if (kind.isComplete && entries < (before?.entries ?? 0) * LEAST_SHARE)
      throw new FeedError(`${file} has ${entries} entries, and the one before had ${before?.entries}`);
    const newer = await newerOf(connections, kind, records);
    const telling = await noteMoved(connections, kind, newer);
    await kind.write(connections, newer);
    return { next: { ...checked, ...validators, entries, publishedAt }, telling };
  } finally {
    if (isOurs) await rm(path, { force: true });
  }
}

/** All records of a file, the newest of each id. */
async function readWhole<R extends FeedRecord>({ read }: RecordFiles<R>, path: string) {
  const records = new Map<string, R>();
  const reading = read(path);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { records, ...value, entries: value?.entries ?? records.size };
    if (value.modifiedAt >= (records.get(value.id)?.modifiedAt ?? '')) records.set(value.id, value);
  }
}

async function newerOf<R extends FeedRecord>(
  connections: Connections,
  { current }: RecordFiles<R>,
  records: ReadonlyMap<string, R>,
): Promise<Newer<R>[]> {
  const known = await current(connections, [...records.keys()]);
  return [...records.values()]
    .map((record) => ({ record, before: known.get(record.id) }))
    .filter(({ record, before }) => record.modifiedAt > (before?.modifiedAt ?? ''));
}

/** Notes the vulnerabilities whose stored record differs from the file. */
async function noteMoved<R extends FeedRecord>(
  { bucket, dynamo }: Connections,
  { feed, says, names }: RecordFiles<R>,
  newer: readonly Newer<R>[],
): Promise<FeedState['telling']> {
  const moved = newer.flatMap(({ record, before }) =>
    isDeepStrictEqual(says(record), says(before)) ? [] : [...names(record), ...(before ? names(before) : [])],
  );
  if (moved.length === 0) return undefined;
  const telling = { file: `${MOVED_PREFIX}${newId()}`, from: 0 };
  await bucket.put(telling.file, JSON.stringify([...new Set(moved)]));
  await openTable(dynamo, GLOBAL_SCOPE).rows(feedRows).set({ feed }, { telling });
  return telling;
}
