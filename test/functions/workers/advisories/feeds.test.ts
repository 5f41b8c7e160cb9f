import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { describeFeeds, localFeeds } from '#local/feeds.ts';
import { readFeeds } from '#shared/advisories/facts.ts';
import { feedRows } from '#shared/advisories/feeds.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { type FindingQuery, findingQuery } from '#shared/findings/finding/filter.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { listTasks } from '#shared/platform/jobs/task-list.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { eventsIn } from '../../../support/events.ts';
import { follow } from '../../../support/vulnerabilities.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const LOG4SHELL = 'CVE-2021-44228';
const BLUEKEEP = 'CVE-2019-0708';
const OTHER = 'CVE-2020-0638';

/** The publishers' servers: they answer conditional requests, and fail when a test says so. */
const published = { epss: '', kev: '', status: 200, sent: 0, cutAt: undefined as number | undefined, location: '' };
const publisher = createServer((request, response) => {
  const text = request.url === '/kev' ? published.kev : published.epss;
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  if (published.status !== 200) return response.writeHead(published.status, { location: published.location }).end();
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
  const body = request.url === '/kev' ? Buffer.from(text) : gzipSync(text);
  published.sent++;
  return response.writeHead(200, { etag }).end(body.subarray(0, published.cutAt));
}).listen(0, '127.0.0.1');

const world = await startWorld();
const address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`;
const connections: Connections = {
  ...world.connections,
  settings: { ...world.connections.settings, EPSS_FEED_URL: `${address}/epss`, KEV_FEED_URL: `${address}/kev` },
};
afterAll(async () => {
  publisher.close();
  await world.stop();
});

/** Feeds are long, and one that loses much of its entries is refused. */
const others = Array.from({ length: 300 }, (_, n) => `CVE-2000-${1000 + n}`);

let day = 0;
function publishEpss(scores: Record<string, number>, rest = 0.5): void {
  const lines = Object.entries({ ...Object.fromEntries(others.map((cve) => [cve, rest])), ...scores }).map(
    ([cve, score]) => `${cve},${score},0.9\n`,
  );
  const date = new Date(Date.UTC(2026, 0, ++day)).toISOString();
  published.epss = `#model_version:v1,score_date:${date}\ncve,epss,percentile\n${lines.join('')}`;
}

function publishKev(...cves: string[]): void {
  const vulnerabilities = [...others, ...cves].map((cveID) => ({
    cveID,
    dateAdded: '2021-12-10',
    dueDate: '2021-12-24',
  }));
  const dateReleased = new Date(Date.UTC(2026, 0, ++day)).toISOString();
  published.kev = JSON.stringify({ dateReleased, count: vulnerabilities.length, vulnerabilities });
}

/** A refresh after the feeds' intervals. */
async function refreshNow(): Promise<void> {
  const rows = openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows);
  for (const feed of (await readFeeds(connections)).keys())
    await rows.set({ feed }, { checkedAt: '2026-01-01T00:00:00.000Z' });
  await refreshFeeds(connections);
  await world.drain();
}

async function newOrganization(): Promise<Table> {
  const { id } = await openTable(connections.dynamo, GLOBAL_SCOPE).create(organizations, { name: 'Acme' });
  return openTable(connections.dynamo, id);
}

const report = (...cves: string[]) =>
  codeScan(sarif(cves.map((rule) => ({ rule, file: 'pom.xml', level: 'warning' }))));

async function rated(table: Table) {
  const all = await allFindings({ connections, table });
  return Object.fromEntries(
    all.map(({ ruleId, epss, kev, priority, version }) => [ruleId, { epss, kev, priority, version }]),
  );
}

beforeEach(async () => {
  Object.assign(published, { status: 200, cutAt: undefined });
  publishEpss({ [LOG4SHELL]: 0.9436, [BLUEKEEP]: 0.2, [OTHER]: 0.0166 });
  publishKev(LOG4SHELL);
  await refreshNow();
});

test('a new finding has the published facts of its vulnerabilities, and its priority counts them', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(LOG4SHELL, OTHER, 'CVE-1999-9999', 'sql-injection'));
  expect(await rated(table)).toEqual({
    [LOG4SHELL]: { epss: 0.9436, kev: true, priority: 62, version: 1 },
    [OTHER]: { epss: 0.0166, kev: false, priority: 28, version: 1 },
    'CVE-1999-9999': { epss: null, kev: false, priority: 28, version: 1 },
    'sql-injection': { epss: null, kev: false, priority: 28, version: 1 },
  });
});

test('a new feed changes the findings whose vulnerabilities moved, and no others', async () => {
  const [table, other] = [await newOrganization(), await newOrganization()];
  await world.ingest(table, report(LOG4SHELL, BLUEKEEP, OTHER));
  await world.ingest(other, report(BLUEKEEP));
  publishEpss({ [LOG4SHELL]: 0.9436, [BLUEKEEP]: 0.8, [OTHER]: 0.0166 });
  publishKev(LOG4SHELL, BLUEKEEP);
  await refreshNow();
  const moved = { epss: 0.8, kev: true, priority: 61 };
  expect(await rated(table)).toMatchObject({ [LOG4SHELL]: { version: 1 }, [OTHER]: { version: 1 }, [BLUEKEEP]: moved });
  expect(await rated(other)).toMatchObject({ [BLUEKEEP]: moved });
  await Promise.all([expectSound(table), expectSound(other)]);
});

test('a new feed changes the vulnerabilities that moved, and no others', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(LOG4SHELL, BLUEKEEP, OTHER));
  await follow({ connections, table });
  const rating = async () => {
    const { data } = await table.list(vulnerabilities, { paginateFrom: 0, paginateSize: 9 });
    return Object.fromEntries(
      data.map(({ advisoryId, epss, kev, version }) => [advisoryId, { epss: epss?.probability, kev: !!kev, version }]),
    );
  };
  const before = await rating();
  expect(before).toMatchObject({ [LOG4SHELL]: { epss: 0.9436, kev: true }, [BLUEKEEP]: { epss: 0.2, kev: false } });
  publishEpss({ [LOG4SHELL]: 0.9436, [BLUEKEEP]: 0.8, [OTHER]: 0.0166 });
  publishKev(LOG4SHELL, BLUEKEEP);
  await refreshNow();
  const after = await rating();
  expect(after).toMatchObject({ [LOG4SHELL]: before[LOG4SHELL], [OTHER]: before[OTHER] });
  expect(after[BLUEKEEP]).toMatchObject({ epss: 0.8, kev: true });
  const [listed, ...more] = await eventsIn(table, /^vulnerability\.kev_added/);
  expect([listed?.data.fields.kev?.to, more]).toEqual([expect.objectContaining({ addedAt: '2021-12-10' }), []]);
});

test('a day on which many scores move costs a small organization a look at what it has, not one for each score', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(LOG4SHELL, BLUEKEEP));
  await follow({ connections, table });
  const meter = attachMeter(table.dynamo);
  publishEpss({ [LOG4SHELL]: 0.9436, [BLUEKEEP]: 0.8, [OTHER]: 0.0166 }, 0.3);
  const { readUnits } = await meter.measure(refreshNow);
  expect(await rated(table)).toMatchObject({ [BLUEKEEP]: { epss: 0.8 } });
  // with all organizations of this file
  expect(readUnits).toBeLessThan(300);
  expect(await lastResult(table, 'rescore_findings')).toMatchObject({ changed: 1 });
  expect(await lastResult(table, 'rescore_vulnerabilities')).toEqual({ seen: 2, changed: 1 });
});

async function lastResult(table: Table, operation: 'rescore_findings' | 'rescore_vulnerabilities'): Promise<unknown> {
  const { data } = await listTasks(table, { operations: [operation], limit: 1 });
  return data[0]?.result;
}

test('a feed that did not change is not sent again, and queues nothing', async () => {
  const before = published.sent;
  await refreshNow();
  expect(published.sent).toBe(before);
});

test('a vulnerability that leaves the feeds loses its rating', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(LOG4SHELL));
  publishKev(BLUEKEEP);
  await refreshNow();
  expect(await rated(table)).toMatchObject({ [LOG4SHELL]: { epss: 0.9436, kev: false, priority: 37 } });
});

const failures: Record<string, { by: () => void; reason: RegExp }> = {
  'is down': { by: () => (published.status = 503), reason: /epss: .* answers 503; kev: .* answers 503/ },
  'leads to another host': {
    by: () => Object.assign(published, { status: 302, location: 'http://127.0.0.1:1/latest/meta-data' }),
    reason: /epss: .*\/epss leads to http:\/\/127\.0\.0\.1:1; kev: /,
  },
  'is cut short on its way': {
    by: () => {
      publishEpss({ [LOG4SHELL]: 0.1 });
      published.cutAt = 40;
    },
    reason: /epss: it cannot be unpacked/,
  },
  'unpacks to far more than it is': {
    by: () => (published.epss = '\n'.repeat(61_000_000)),
    reason: /epss: it cannot be unpacked/,
  },
  'lost most of its entries': {
    by: () => (published.epss = published.epss.split('\n').slice(0, 10).concat('').join('\n')),
    reason: /epss: it has 8 entries, and the one before had 303/,
  },
  'is malformed': { by: () => (published.kev = '<html></html>'), reason: /kev: it is no JSON/ },
  'is older than the one before': {
    by: () => {
      day -= 30;
      publishEpss({ [LOG4SHELL]: 0.1, [BLUEKEEP]: 0.1, [OTHER]: 0.1 });
      day += 30;
    },
    reason: /epss: it is of .*, and the one before of/,
  },
};

test.each(Object.entries(failures))(
  'a feed that %s changes nothing, says why and makes the run fail',
  async (_, { by, reason }) => {
    const table = await newOrganization();
    await world.ingest(table, report(LOG4SHELL));
    const before = await rated(table);
    by();
    await expect(refreshNow()).rejects.toThrow(reason);
    await world.drain();
    expect(await rated(table)).toEqual(before);
    const states = [...(await readFeeds(connections)).values()];
    expect(states.some(({ failure }) => failure !== undefined)).toBe(true);
  },
);

test('a run that stops before every organization was notified continues with the next one', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(BLUEKEEP));
  publishEpss({ [LOG4SHELL]: 0.9436, [BLUEKEEP]: 0.7, [OTHER]: 0.0166 });
  const { client } = connections.dynamo;
  const send = vi.spyOn(client, 'send').mockImplementation((async (command: { input: object }) => {
    if (JSON.stringify(command.input).includes('rescore_findings')) throw new Error('the function was stopped');
    return Reflect.apply(DynamoDBDocumentClient.prototype.send, client, [command]);
  }) as never);
  await expect(refreshNow()).rejects.toThrow('the function was stopped');
  send.mockRestore();
  await refreshFeeds(connections);
  await world.drain();
  expect(await rated(table)).toMatchObject({ [BLUEKEEP]: { epss: 0.7 } });
});

test("a sample never takes the place of a publisher's list, whose data then stay", async () => {
  const states = async () => {
    const found = await readFeeds(connections);
    return [found.get('epss'), found.get('kev')].map((state) => [state?.address, state?.entries, state?.failure]);
  };
  const before = await states();
  const settings = { ...connections.settings, ...localFeeds() };
  await refreshFeeds({ ...connections, settings });
  expect(await states()).toEqual(before);
  expect(await describeFeeds(connections)).toMatch(
    / EPSS {2}303 entries of 2026-.*\n {2}KEV {2}301 entries of 2026-.*\n {2}NVD {2}a sample, /,
  );
});

test('findings are found and ordered by what is published about them', async () => {
  const table = await newOrganization();
  await world.ingest(table, report(OTHER, LOG4SHELL, BLUEKEEP, 'sql-injection'));
  const caller: Caller = {
    kind: 'user',
    id: newId(),
    organizationId: table.organizationId,
    name: 'Ann',
    role: 'viewer',
  };
  const found = async (query: Partial<FindingQuery>) => {
    const asked = findingQuery({ paginateFrom: 0, paginateSize: 10, ...query }, caller);
    return (await table.list(findings, asked)).data.map(({ ruleId }) => ruleId);
  };
  expect(await found({ kev: true })).toEqual([LOG4SHELL]);
  expect(await found({ sort: 'epss' })).toEqual([LOG4SHELL, BLUEKEEP, OTHER, 'sql-injection']);
  expect(await found({ epssFrom: 0.2, sort: 'epss' })).toEqual([LOG4SHELL, BLUEKEEP]);
  expect(await found({ epssFrom: 0.21 })).toEqual([LOG4SHELL]);
  expect(await found({ epssFrom: 0.01 })).toHaveLength(3);
});
