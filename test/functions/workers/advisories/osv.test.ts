import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { openViews } from '#functions/workers/views/list.ts';
import { readAliases } from '#shared/advisories/aliases.ts';
import { readFeeds } from '#shared/advisories/facts.ts';
import { readOsv } from '#shared/advisories/osv.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { decide } from '#shared/vulnerabilities/vulnerability/decide.ts';
import { type StoredVulnerability, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { addFinding, assetNamed, log4j } from '../../../support/vulnerabilities.ts';
import { zipped } from '../../../support/zipped.ts';
import { startWorld } from '../imports/world.ts';

const all = 'Maven/all.zip';
const ECOSYSTEMS = 12;

/** A zip as OSV publishes one, with a file for each record. */
const zipOf = (records: readonly object[]): Buffer =>
  zipped(Object.fromEntries(records.map((record, n) => [`${n}.json`, JSON.stringify(record)])));

/** OSV's server: a file by its name, and the names that were sent. */
const files = new Map<string, Buffer>();
const sent: string[] = [];
let cutAt: number | undefined;
let isDown = false;
const publisher = createServer((request, response) => {
  const name = decodeURIComponent(request.url?.slice(1) ?? '');
  if (isDown) return response.writeHead(503).end();
  const bytes = files.get(name) ?? zipOf([record('GHSA-none-none-none', { modified: '2020-01-01T00:00:00Z' })]);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
  sent.push(name);
  return response.writeHead(200, { etag }).end(bytes.subarray(0, cutAt));
}).listen(0, '127.0.0.1');

const world = await startWorld();
const connections: Connections = {
  ...world.connections,
  settings: {
    ...world.connections.settings,
    OSV_FEED_URL: `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`,
  },
};
const start = nowMs();
let hours = 0;
/** A refresh seven hours later. */
async function refresh(): Promise<void> {
  hours += 7;
  setClock(() => start + hours * 3_600_000);
  await refreshFeeds(connections);
}

const GHSA = 'GHSA-jfh8-c2jp-5v3q';
const CVE = 'CVE-2021-44228';
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';
const purl = 'pkg:maven/org.apache.logging.log4j/log4j-core';

const record = (id: string, more: object = {}) => ({ id, modified: '2026-01-01T00:00:00Z', ...more });
const affected = (version: string) => [
  {
    package: { ecosystem: 'Maven', name: 'x', purl },
    ranges: [
      { type: 'ECOSYSTEM', events: [{ introduced: '2.0' }, { fixed: version }] },
      { type: 'GIT', events: [{ introduced: '0' }, { fixed: 'c0ffee' }] },
    ],
  },
];
const log4shell = (more: object = {}) =>
  record(GHSA, {
    aliases: [CVE],
    severity: [{ type: 'CVSS_V3', score: vector }],
    affected: affected('2.15.0'),
    ...more,
  });

beforeEach(() => {
  sent.length = 0;
});
afterEach(() => {
  cutAt = undefined;
  isDown = false;
  world.messages.length = 0;
});
afterAll(async () => {
  setClock();
  publisher.close();
  await world.stop();
});

const osvOf = async (name: string) => (await readOsv(connections.dynamo, [name])).get(name);

test('a record gives ratings, fixed versions and aliases, under its own name and under its CVE', async () => {
  files.set(all, zipOf([log4shell(), record('MAL-2026-1', { aliases: [] })]));
  await refresh();
  expect(sent).toHaveLength(ECOSYSTEMS);
  const expected = {
    id: GHSA,
    modifiedAt: '2026-01-01T00:00:00.000Z',
    aliases: [CVE],
    cvss: { v3: { vector, score: 10, source: 'osv.dev' } },
    fixed: [{ purl, version: '2.15.0' }],
  };
  expect(await osvOf(CVE)).toEqual([{ ...expected, name: CVE }]);
  expect(await osvOf(GHSA)).toEqual([{ ...expected, name: GHSA }]);
  expect(await osvOf('MAL-2026-1')).toBeUndefined();
  expect((await readAliases(connections))(GHSA)).toBe(CVE);
  sent.length = 0;
  await refresh();
  expect(sent).toEqual([]);
});

test('a file that is down, cut short or malformed changes nothing, and the function fails', async () => {
  files.set(all, zipOf([log4shell()]));
  await refresh();
  const before = await osvOf(GHSA);
  isDown = true;
  await expect(refresh()).rejects.toThrow(/osv: .*503/);
  isDown = false;
  files.set(all, zipOf([log4shell({ modified: '2026-02-01T00:00:00Z', affected: affected('9') })]));
  cutAt = 150;
  await expect(refresh()).rejects.toThrow(/osv: it cannot be read behind 0 records/);
  cutAt = undefined;
  files.set(all, zipOf([log4shell({ modified: 'yesterday' })]));
  await expect(refresh()).rejects.toThrow(/modified: must be a time/);
  expect(await osvOf(GHSA)).toEqual(before);
  expect((await readFeeds(connections)).get('osv')?.failure?.message).toMatch(/modified/);
  expect(world.messages).toEqual([]);
});

test('an entry with more levels or values than those of a report changes nothing, zipped or in a list', async () => {
  files.set(all, zipOf([log4shell()]));
  await refresh();
  const before = await osvOf(GHSA);
  const next = log4shell({ modified: '2026-02-01T00:00:00Z', affected: affected('9') });
  const values = { ...next, versions: Array(600_000).fill(0) };
  let levels: object = next;
  for (let level = 0; level <= 100; level++) levels = { ...next, deeper: levels };
  for (const [entry, reason] of [
    [values, /over 500000 values/],
    [levels, /over 100 deep/],
  ] as const) {
    files.set(all, zipOf([next, entry]));
    await expect(refresh()).rejects.toThrow(reason);
    const file = join(tmpdir(), `osv-${process.pid}.json`);
    writeFileSync(file, JSON.stringify([next, entry]));
    const settings = { ...connections.settings, OSV_FEED_URL: pathToFileURL(file).href };
    await expect(refreshFeeds({ ...connections, settings })).rejects.toThrow(reason);
    rmSync(file);
  }
  expect(await osvOf(GHSA)).toEqual(before);
  files.set(all, zipOf([log4shell()]));
  await refresh();
});

const wholeOf = async (table: Table): Promise<StoredVulnerability[]> =>
  wholeRecordsAt(table, vulnerabilities, { ordinals: await ordinalsOf(table, vulnerabilities, {}), consistent: true });

async function follow(table: Table): Promise<void> {
  const began = performance.now();
  const from = start + hours * 3_600_000;
  setClock(() => Math.floor(from + (performance.now() - began) * 50));
  await keepViews(table, await openViews(connections), () => false);
}

test('a vulnerability under the id of GitHub becomes the one with its CVE, with the decision on it, and goes back', async () => {
  files.set(all, zipOf([log4shell({ modified: '2026-03-01T00:00:00Z', aliases: [] })]));
  await refresh();
  const table = world.newOrganization();
  const global = openTable(connections.dynamo, GLOBAL_SCOPE);
  await global.create(organizations, { id: table.organizationId, name: 'Acme' } as never);
  const asset = assetNamed('shop');
  const component = { ...log4j().component, fixedVersions: [] };
  await addFinding(table, log4j({ asset, cves: [], ruleId: GHSA, component, tool: 'npm-audit' }));
  await follow(table);
  const [current] = await wholeOf(table);
  if (!current) throw new Error('no vulnerability');
  expect(current).toMatchObject({
    advisoryId: GHSA,
    component: { fixedVersions: ['2.15.0'] },
    cvss: { v3: { vector } },
  });
  const decision = decide(
    current,
    { status: 'in_progress', reason: 'an upgrade is planned' },
    {
      at: new Date(nowMs()).toISOString(),
      approver: undefined,
    },
  );
  await table.update(vulnerabilities, current, decision);
  await addFinding(table, log4j({ asset, cves: [CVE], component }));
  files.set(all, zipOf([log4shell({ modified: '2026-03-02T00:00:00Z' })]));
  await refresh();
  expect(world.messages.map(({ queue }) => queue)).toContain('views.fifo');
  await world.drain();
  await follow(table);
  const together = await wholeOf(table);
  expect(together).toMatchObject([{ advisoryId: CVE, aliases: [GHSA], findingsCount: 2, status: 'in_progress' }]);
  files.set(all, zipOf([log4shell({ modified: '2026-03-03T00:00:00Z', withdrawn: '2026-03-03T00:00:00Z' })]));
  await refresh();
  await world.drain();
  await follow(table);
  expect((await wholeOf(table)).map(({ advisoryId }) => advisoryId).toSorted()).toEqual([CVE, GHSA].toSorted());
});

test('a newer record that says the same moves nothing', async () => {
  files.set(all, zipOf([log4shell({ modified: '2026-04-01T00:00:00Z' })]));
  await refresh();
  world.messages.length = 0;
  files.set(all, zipOf([log4shell({ modified: '2026-04-02T00:00:00Z' })]));
  await refresh();
  expect(world.messages).toEqual([]);
  expect((await osvOf(GHSA))?.[0]?.modifiedAt).toBe('2026-04-02T00:00:00.000Z');
});

test('the sample of the repository is a list of records that is read whole', async () => {
  const sample = new URL('../../../../local/advisories/osv.sample.json', import.meta.url);
  const settings = { ...connections.settings, OSV_FEED_URL: sample.href };
  await refreshFeeds({ ...connections, settings });
  const ids = JSON.parse(readFileSync(sample, 'utf8')).map(({ id }: { id: string }) => id);
  for (const id of ids) expect(await osvOf(id)).toHaveLength(1);
  expect((await osvOf('CVE-2020-28493'))?.map(({ id }) => id)).toEqual(['PYSEC-2021-66']);
});
