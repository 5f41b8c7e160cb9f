import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type FeedState, feedRows, MOVED_PREFIX } from '#shared/advisories/feeds.ts';
import { type AdvisoryRecord, advisoryRows, readAdvisories } from '#shared/advisories/records.ts';
import { elapsedMs, now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { newId } from '#shared/runtime/ids.ts';
import { putRows } from '#shared/table/io/put-rows.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { tellOfFeed } from '../tell.ts';
import { download } from './download.ts';
import { recordsIn } from './entries.ts';
import { changesIn, dueFiles, gapAfter, type NvdFile, nvdFiles } from './files.ts';

/** After this no further file is begun: a run ends before the next begins. */
const RUN_MS = 60_000;

/**
 * Reads the files of NVD that are due, one after the other, and tells organizations what moved. A file is read to its end before
 * the first record is written, so that one that is cut short changes nothing. The list of what moves is noted before, so that
 * what a killed run wrote is told by the next.
 * @throws FeedError
 */
export async function refreshNvd(
  connections: Connections,
  { state, address }: { state: FeedState | undefined; address: string },
): Promise<void> {
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  const [rows, states] = [table.rows(nvdFiles), table.rows(feedRows)];
  await states.put({ ...state, feed: 'nvd', address, checkedAt: now(), failure: undefined, telling: undefined });
  const known = await rows.query('all', { consistent: true });
  const end = elapsedMs() + RUN_MS;
  for (const file of dueFiles(address, known)) {
    if (elapsedMs() > end) return;
    const before = known.find((row) => row.file === file);
    const { next, telling } = await readFile(connections, { file, before });
    await rows.put(file === changesIn(address) ? { ...next, gapUntil: gapAfter(before) } : next);
    if (next.entries !== before?.entries || telling) await states.set({ feed: 'nvd' }, await summary(table));
    if (telling) await tellOfFeed(connections, { feed: 'nvd', telling });
  }
}

/** The number of entries is that of all files; the changes are among them. */
async function summary(table: ReturnType<typeof openTable>): Promise<Partial<FeedState>> {
  const files = await table.rows(nvdFiles).query('all', { consistent: true });
  const counts = files.map(({ entries = 0 }) => entries);
  const publishedAt = files
    .map((file) => file.publishedAt ?? '')
    .sort()
    .at(-1);
  return { entries: counts.reduce((sum, count) => sum + count, 0), publishedAt, changedAt: now() };
}

type Wanted = { file: string; before: NvdFile | undefined };

async function readFile(connections: Connections, { file, before }: Wanted) {
  const checked = { ...before, file, checkedAt: now() };
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  const fetched = await download(file, before ?? {});
  if (!fetched) return { next: checked };
  const { path, isOurs, ...validators } = fetched;
  try {
    const read = await readToItsEnd(path);
    const telling = await noteMoved(connections, path);
    for await (const some of newerIn(connections, path))
      await putRows(
        table,
        advisoryRows,
        some.map(({ record }) => record),
      );
    return { next: { ...checked, ...validators, ...read }, telling };
  } finally {
    if (isOurs) await rm(path, { force: true });
  }
}

async function readToItsEnd(path: string) {
  const records = recordsIn(path);
  for (;;) {
    const { done, value } = await records.next();
    if (done) return value;
  }
}

/** Notes the vulnerabilities of which the file says other things than what is stored. */
async function noteMoved(connections: Connections, path: string): Promise<FeedState['telling']> {
  const moved: string[] = [];
  for await (const some of newerIn(connections, path))
    moved.push(...some.flatMap(({ record, before }) => (saysSame(record, before) ? [] : record.id)));
  if (moved.length === 0) return undefined;
  const telling = { file: `${MOVED_PREFIX}${newId()}`, from: 0 };
  await connections.bucket.put(telling.file, JSON.stringify(moved));
  await openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows).set({ feed: 'nvd' }, { telling });
  return telling;
}

const saysSame = (a: AdvisoryRecord, b: AdvisoryRecord | undefined): boolean =>
  isDeepStrictEqual([a.cvss, a.fixed], [b?.cvss ?? {}, b?.fixed ?? []]);

type Newer = { record: AdvisoryRecord; before: AdvisoryRecord | undefined };

/** Records that are compared with the stored ones at a time. */
const AT_ONCE = 500;

/** The records of a file that are newer than the stored ones, with these. */
async function* newerIn({ dynamo }: Connections, path: string): AsyncGenerator<Newer[]> {
  let some: AdvisoryRecord[] = [];
  const newer = async () => {
    const standing = await readAdvisories(
      dynamo,
      some.map(({ id }) => id),
    );
    return some
      .map((record) => ({ record, before: standing.get(record.id) }))
      .filter(({ record, before }) => record.modifiedAt > (before?.modifiedAt ?? ''));
  };
  for await (const record of recordsIn(path)) {
    if (some.push(record) < AT_ONCE) continue;
    yield await newer();
    some = [];
  }
  yield await newer();
}
