import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { readFeeds } from '#shared/advisories/facts.ts';
import { readAdvisories } from '#shared/advisories/records.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { startWorld } from '../imports/world.ts';

/** NVD's server: a file by its name, and the names that were sent. */
const files = new Map<string, string>();
const sent: string[] = [];
let cutAt: number | undefined;
const publisher = createServer((request, response) => {
  const name = request.url?.slice(1) ?? '';
  const text = files.get(name);
  if (text === undefined) return response.writeHead(404).end();
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
  sent.push(name);
  return response.writeHead(200, { etag }).end(gzipSync(text).subarray(0, cutAt));
}).listen(0, '127.0.0.1');

const world = await startWorld();
const url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`;
const connections: Connections = {
  ...world.connections,
  settings: { ...world.connections.settings, NVD_FEED_URL: url },
};
const start = nowMs();
const [CHANGES, THIS_YEAR] = ['nvdcve-2.0-modified.json.gz', `nvdcve-2.0-${new Date(start).getUTCFullYear()}.json.gz`];
const HOUR_MS = 3_600_000;

const metric = (vectorString: string, baseScore: number, type = 'Primary') => ({
  source: `${type.toLowerCase()}@example.com`,
  type,
  cvssData: { version: 'x', vectorString, baseScore },
});

const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

type Entry = { id: string; lastModified: string; metrics?: object; configurations?: object[] };
const publish = (name: string, ...entries: Entry[]) => {
  const vulnerabilities = entries.map((cve) => ({ cve: { vulnStatus: 'Analyzed', references: [], ...cve } }));
  const head = { totalResults: entries.length, format: 'NVD_CVE', timestamp: '2026-03-28T00:00:00.000' };
  files.set(name, JSON.stringify({ ...head, vulnerabilities }));
};
const rated = (id: string, score: number, lastModified = '2026-01-01T00:00:00.000'): Entry => ({
  id,
  lastModified,
  metrics: { cvssMetricV31: [metric(V31, score)] },
});

/** Each test has vulnerabilities of its own. */
let next = 10_000;
const newId = () => `CVE-2026-${next++}`;
const read = async (id: string) => (await readAdvisories(connections.dynamo, [id])).get(id);
const scoreOf = async (id: string) => (await read(id))?.cvss.v3?.score;

let hours = 0;
/** A refresh three hours later. */
async function refresh(): Promise<void> {
  hours += 3;
  setClock(() => start + hours * HOUR_MS);
  await refreshFeeds(connections);
}

beforeEach(() => {
  const years = new Date(start).getUTCFullYear() - 2002 + 1;
  for (let n = 0; n < years; n++) publish(`nvdcve-2.0-${2002 + n}.json.gz`);
  publish(CHANGES);
});
afterEach(() => {
  cutAt = undefined;
  world.messages.length = 0;
});
afterAll(async () => {
  setClock();
  publisher.close();
  await world.stop();
});

test('a vulnerability has its ratings by version of CVSS and the versions that repair it', async () => {
  const id = newId();
  const match = (criteria: string, versionEndExcluding?: string, vulnerable = true) => ({
    criteria,
    versionEndExcluding,
    vulnerable,
  });
  const log4j = 'cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*';
  const cpeMatch = [
    match(log4j, '2.15.0'),
    match(log4j, '2.15.0'),
    match('cpe:2.3:a:ac\\:me:lib:*', '1.1'),
    match('cpe:2.3:o:linux:linux_kernel:-', '9', false),
    match('cpe:2.3:a:old:thing:1.0'),
  ];
  const v4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
  const metrics = {
    cvssMetricV40: [metric(v4, 9.3, 'Secondary')],
    cvssMetricV31: [metric('CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.4, 'Secondary'), metric(V31, 9.8)],
    cvssMetricV2: [metric('AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5)],
  };
  publish(CHANGES, {
    id,
    lastModified: '2026-03-01T08:00:00.120',
    metrics,
    configurations: [{ nodes: [{ cpeMatch }] }],
  });
  await refresh();
  expect(await read(id)).toEqual({
    id,
    modifiedAt: '2026-03-01T08:00:00.120Z',
    cvss: {
      v2: { vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', score: 7.5, source: 'primary@example.com' },
      v3: { vector: V31, score: 9.8, source: 'primary@example.com' },
      v4: { vector: v4, score: 9.3, source: 'secondary@example.com' },
    },
    fixed: [
      { vendor: 'apache', product: 'log4j', version: '2.15.0' },
      { vendor: 'ac\\:me', product: 'lib', version: '1.1' },
    ],
  });
});

test('each year is read once, changes every two hours, and years again when the changes have a gap', async () => {
  await refresh();
  sent.length = 0;
  const id = newId();
  publish(THIS_YEAR, rated(id, 5));
  await refresh();
  expect(sent).toEqual([]);
  publish(CHANGES, rated(newId(), 6));
  await refreshFeeds(connections); // too early
  expect(sent).toEqual([]);
  await refresh();
  expect(sent).toEqual([CHANGES]);
  hours += 24 * 9;
  await refresh();
  await refresh();
  expect(sent).toEqual([CHANGES, THIS_YEAR]);
  expect(await scoreOf(id)).toBe(5);
});

test('an older text of a vulnerability does not replace a newer one', async () => {
  const id = newId();
  publish(CHANGES, rated(id, 9, '2026-02-02T00:00:00.000'));
  await refresh();
  publish(CHANGES, rated(id, 4, '2026-02-01T00:00:00.000'));
  await refresh();
  expect(await scoreOf(id)).toBe(9);
});

test('organizations are notified only of the vulnerabilities whose ratings or versions moved', async () => {
  await openTable(connections.dynamo, GLOBAL_SCOPE).create(organizations, { name: 'Acme' });
  const [moved, same] = [newId(), newId()];
  publish(CHANGES, rated(moved, 5), rated(same, 5));
  await refresh();
  const told = world.messages.splice(0).length;
  expect(told).toBeGreaterThan(0);
  const later = '2026-02-01T00:00:00.000';
  publish(CHANGES, rated(same, 5, later));
  await refresh();
  expect(world.messages).toEqual([]);
  publish(CHANGES, rated(same, 5, later), rated(moved, 7, later));
  const put = vi.spyOn(connections.bucket, 'put');
  await refresh();
  expect(put.mock.calls.map(([, content]) => content)).toEqual([JSON.stringify([moved])]);
  put.mockRestore();
  expect(world.messages).toHaveLength(told);
});

const broken: Record<string, [() => void, RegExp]> = {
  'is cut short': [() => (cutAt = 60), /nvd: it cannot be read behind \d+ vulnerabilities: Z_BUF_ERROR/],
  'has fewer entries than it says': [
    () => files.set(CHANGES, (files.get(CHANGES) ?? '').replace(/"totalResults":1/, '"totalResults":2')),
    /nvd: it says that it has 2 vulnerabilities and has 1/,
  ],
  'is another document': [() => files.set(CHANGES, '<html>'), /nvd: it cannot be read behind 0 vulnerabilities/],
  'has an entry without an id': [
    () => files.set(CHANGES, (files.get(CHANGES) ?? '').replace(/CVE-2026/, 'XYZ')),
    /cve.id/,
  ],
  'is not there': [() => files.delete(CHANGES), /answers 404/],
};

test.each(Object.entries(broken))('a file that %s changes nothing, and says so', async (_name, [damage, reason]) => {
  const id = newId();
  publish(CHANGES, rated(id, 5));
  await refresh();
  publish(CHANGES, rated(id, 8, '2026-02-01T00:00:00.000'));
  damage();
  await expect(refresh()).rejects.toThrow(reason);
  expect(await scoreOf(id)).toBe(5);
  expect((await readFeeds(connections)).get('nvd')?.failure?.message).toMatch(/./);
  cutAt = undefined;
  publish(CHANGES, rated(id, 8, '2026-02-01T00:00:00.000'));
  await refresh();
  expect(await scoreOf(id)).toBe(8);
  expect((await readFeeds(connections)).get('nvd')?.failure).toBeUndefined();
});

test('the next run reports the writes of a run that died', async () => {
  await openTable(connections.dynamo, GLOBAL_SCOPE).create(organizations, { name: 'Acme' });
  const id = newId();
  publish(CHANGES, rated(id, 5));
  const { client } = connections.dynamo;
  const send = vi.spyOn(client, 'send').mockImplementation((async (command: { input: object }) => {
    const answer = await Reflect.apply(DynamoDBDocumentClient.prototype.send, client, [command]);
    if (JSON.stringify(command.input).includes(`"PutRequest":{"Item":{"id":"${id}"`)) throw new Error('stopped');
    return answer;
  }) as never);
  await expect(refresh()).rejects.toThrow('stopped');
  send.mockRestore();
  expect(await scoreOf(id)).toBe(5);
  expect(world.messages).toEqual([]);
  await refresh();
  expect(world.messages.length).toBeGreaterThan(0);
});
