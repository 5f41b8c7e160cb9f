import { aliasesIn } from '#shared/advisories/aliases.ts';
import { contentOf, readFeeds } from '#shared/advisories/facts.ts';
import { ADVISORIES_PREFIX, feedRows } from '#shared/advisories/feeds.ts';
import { cveOf, namesOf, type OsvRecord, osvRows } from '#shared/advisories/osv.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { putRows } from '#shared/platform/table/io/put-rows.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { FeedFile } from '../files.ts';
import type { RecordFiles } from '../record-files.ts';
import { recordsIn } from './entries.ts';

/** The ecosystems whose packages scanners name; each is a zip in OSV's bucket. */
const ECOSYSTEMS = [
  'Maven',
  'PyPI',
  'npm',
  'Go',
  'NuGet',
  'RubyGems',
  'crates.io',
  'Packagist',
  'Pub',
  'Hex',
  'GitHub Actions',
  'SwiftURL',
];

/** OSV publishes new files several times a day. */
const EVERY_SECONDS = 6 * 3600;

const filesIn = (address: string): string[] =>
  /\.(zip|json)$/.test(address)
    ? [address]
    : ECOSYSTEMS.map((name) => new URL(`${encodeURIComponent(name)}/all.zip`, `${address}/`).href);

function due(address: string, known: readonly FeedFile[]): string[] {
  const recent = known.filter(({ checkedAt }) => checkedAt > inSeconds(-EVERY_SECONDS)).map(({ file }) => file);
  return filesIn(address).filter((file) => !recent.includes(file));
}

export const osv: RecordFiles<OsvRecord> = {
  feed: 'osv',
  isComplete: true,
  due,
  read: recordsIn,
  async current({ dynamo }, ids) {
    const rows = openTable(dynamo, GLOBAL_SCOPE).rows(osvRows);
    const found = await rows.findMany(ids.map((id) => ({ name: id, id })));
    return new Map(found.map(({ name: _name, ...record }) => [record.id, record]));
  },
  says: (record) => [record?.aliases ?? [], record?.cvss ?? {}, record?.fixed ?? []],
  names: namesOf,
  write,
};

type Newer = Parameters<typeof osv.write>[1];

/** Writes each record under its names. The record's own name is last, because the next run compares it. */
async function write(connections: Connections, newer: Newer): Promise<void> {
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  const rows = table.rows(osvRows);
  const left = newer.flatMap(({ record, before }) =>
    (before ? namesOf(before) : [])
      .filter((name) => !namesOf(record).includes(name))
      .map((name) => ({ name, id: record.id })),
  );
  for (const some of chunksOf(left, AT_ONCE)) await Promise.all(some.map((row) => rows.remove(row)));
  const others = newer.flatMap(({ record }) =>
    namesOf(record).flatMap((name) => (name === record.id ? [] : [{ ...record, name }])),
  );
  await putRows(table, osvRows, others);
  await keepAliases(connections, newer);
  await putRows(
    table,
    osvRows,
    newer.map(({ record }) => ({ ...record, name: record.id })),
  );
}

const AT_ONCE = 25;

/** The object of all aliases; rewritten when an alias moved. */
async function keepAliases(connections: Connections, newer: Newer): Promise<void> {
  const state = (await readFeeds(connections)).get('osv');
  const before = aliasesIn(await contentOf(connections, state));
  const aliases: Record<string, string> = { ...before };
  for (const { record } of newer) {
    const cve = cveOf(record);
    if (cve) aliases[record.id] = cve;
    else delete aliases[record.id];
  }
  const content = JSON.stringify(aliases);
  if (content === JSON.stringify(before)) return;
  const file = `${ADVISORIES_PREFIX}osv/${newId()}`;
  await connections.bucket.put(file, content);
  if (state?.before) await connections.bucket.remove([state.before]);
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  await table.rows(feedRows).set({ feed: 'osv' }, { file, before: state?.file });
}
