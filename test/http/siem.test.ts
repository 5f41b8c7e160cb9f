import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { siemSources } from '#shared/soc/siem/siem-source.ts';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

const collector = () => logCollector(system);

describe('events that a collector sent are found', () => {
  test('by words, host, user, severity and time, the newest first, with a histogram of all', async () => {
    const { send, done, admin } = await collector();
    await send('1', [
      ssh(ago(300), 'Accepted publickey for deploy from 10.0.3.7 port 5022 ssh2'),
      ssh(ago(120), 'Failed password for invalid user admin from 203.0.113.9 port 22 ssh2', 'WEB-02'),
      { time: ago(60), level: 'error', host: 'db-01', user: 'alice', message: 'disk /var/lib/postgres is full' },
    ]);
    await done('1');
    const all = await admin.ok('searchEvents');
    expect(all).toMatchObject({ isComplete: true, cursor: null, histogram: { isComplete: true, intervalSeconds: 60 } });
    expect(all.data.map(({ host }) => host)).toEqual(['db-01', 'WEB-02', 'web-01']);
    expect(all.histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    const found = async (query: object) => (await admin.ok('searchEvents', { query })).data.map(({ host }) => host);
    expect(await found({ search: '203.0.113.9' })).toEqual(['WEB-02']);
    expect(await found({ search: 'failed ADMIN' })).toEqual(['WEB-02']);
    expect(await found({ search: 'postgres' })).toEqual(['db-01']);
    expect(await found({ search: 'postg' })).toEqual([]);
    expect(await found({ search: 'failed postgres' })).toEqual([]);
    expect(await found({ host: 'web-02' })).toEqual(['WEB-02']);
    expect(await found({ user: 'Alice' })).toEqual(['db-01']);
    expect(await found({ severity: 'high' })).toEqual(['db-01']);
    expect(await found({ severity: 'high,info' })).toEqual(['db-01', 'WEB-02', 'web-01']);
    expect(await found({ from: ago(200), to: ago(100) })).toEqual(['WEB-02']);
    expect(await found({ search: 'failed', host: 'web-01' })).toEqual([]);
  });

  test('by a filter with their fields, and a mistake in it is shown with its column', async () => {
    const { send, done, admin } = await collector();
    const at = { time: ago(60), product: 'windows' };
    await send('1', [
      {
        ...at,
        host: 'dc-01',
        user: 'alice',
        EventID: 4625,
        IpAddress: '10.0.0.1',
        message: 'the logon failed for alice',
      },
      {
        ...at,
        host: 'dc-01',
        user: 'svc-backup',
        EventID: 4624,
        process: { name: 'backup.exe' },
        message: 'logon of a service',
      },
      { ...at, host: 'DC-02', user: 'bob', EventID: 4720, IpAddress: '10.0.0.2', message: 'failed the second logon' },
    ]);
    await done('1');
    const found = async (filter: string) =>
      (await admin.ok('searchEvents', { query: { filter } })).data.map(({ user }) => user).sort();
    expect(await found('EventID:4625')).toEqual(['alice']);
    expect(await found('eventid:4625,4720')).toEqual(['alice', 'bob']);
    expect(await found('EventID>4624')).toEqual(['alice', 'bob']);
    expect(await found('EventID:4624..4625')).toEqual(['alice', 'svc-backup']);
    expect(await found('user:svc-* OR host:dc-02')).toEqual(['bob', 'svc-backup']);
    expect(await found('logon -user:svc-*')).toEqual(['alice', 'bob']);
    expect(await found('"logon failed"')).toEqual(['alice']);
    expect(await found('serv*')).toEqual(['svc-backup']);
    expect(await found('process.name:backup.exe')).toEqual(['svc-backup']);
    expect(await found('IpAddress:* NOT (host:dc-02 OR severity:critical)')).toEqual(['alice']);
    expect(await found('-IpAddress:*')).toEqual(['svc-backup']);
    for (const [filter, message] of [
      ['user:(a', 'column 6: a value is missing'],
      ['EventID>many', 'EventID is compared with a number here'],
    ] as const)
      expect(await admin.call('searchEvents', { query: { filter } })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'filter', message: expect.stringContaining(message) }] },
      });
  });

  test('whatever characters name their batch, also those that a queue refuses', async () => {
    const { send, done, admin } = await collector();
    await send('\u{1f468}\u200d\u{1f469} \ufffe "n"', [ssh(ago(60), 'Accepted publickey for deploy')]);
    await done('\u{1f468}\u200d\u{1f469} \ufffe "n"');
    expect((await admin.ok('searchEvents')).data).toHaveLength(1);
  });

  test('none in a range that is older than the events that are kept', async () => {
    const { admin } = await collector();
    const found = await admin.ok('searchEvents', { query: { to: '0020-02-29T00:00:00Z' } });
    expect(found).toMatchObject({ data: [], isComplete: true, cursor: null, histogram: { isComplete: true } });
  });

  test('as text, gzip, base64 in JSON, and as the file itself', async () => {
    const { send, done, admin, collector: client } = await collector();
    const line = (name: string) => `plain line of ${name}`;
    await send('text', [line('text')]);
    const content = gzipSync(line('packed')).toString('base64');
    await client.ok('sendEvents', { body: { batchId: 'packed', source: 'a', content, encoding: 'gzip+base64' } });
    const query = { batchId: 'file', source: 'a' };
    const headers = { 'content-type': 'text/plain' };
    await client.send('POST', '/api/v1/collector_communication/events', { query, headers, body: line('file') });
    await done('text', 'packed', 'file');
    const { data } = await admin.ok('searchEvents', { query: { search: 'plain' } });
    expect(data.map(({ message }) => message).sort()).toEqual([line('file'), line('packed'), line('text')]);
    expect(data.every(({ format }) => format === 'text')).toBe(true);
  });

  test('page by page, each once, also where segments overlap in time', async () => {
    const { send, done, admin } = await collector();
    const times = Array.from({ length: 60 }, (_, n) => ago(600 + n));
    const part = (of: number) => times.filter((_, n) => n % 3 === of).map((at) => ({ time: at, message: `at ${at}` }));
    for (const number of [0, 1, 2]) await send(String(number), part(number), `source-${number}`);
    await done('0', '1', '2');
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 7, search: 'at', ...(cursor ? { cursor } : {}) };
      const answer = await admin.ok('searchEvents', { query });
      seen.push(...answer.data.map(({ at }) => at));
      cursor = answer.cursor;
    }
    expect(seen).toEqual(times);
  });
});

test('a batch of more lines than are taken is refused, and says how to send it', async () => {
  const { send, collector: client } = await collector();
  const content = gzipSync('x\n'.repeat(16_000_000)).toString('base64');
  const body = { batchId: '1', source: 'a', content, encoding: 'gzip+base64' };
  const refused = await client.send('POST', '/api/v1/collector_communication/events', { body });
  const message = expect.stringContaining('100000 events or lines: send it in parts');
  expect(refused).toMatchObject({ status: 400, body: { code: 'payload_too_large', message } });
  expect(await send('1', ['x'])).toMatchObject({ duplicate: false });
});

test('a batch of over 100,000 different fields is refused whole', async () => {
  const { send, collector: client } = await collector();
  const line = (n: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 250 }, (_, f) => [`${n}-${f}`, 1])));
  const content = Array.from({ length: 401 }, (_, n) => line(n)).join('\n');
  const body = { batchId: '1', source: 'a', content };
  const refused = await client.send('POST', '/api/v1/collector_communication/events', { body });
  const message = expect.stringContaining('100000 different names');
  expect(refused).toMatchObject({ status: 400, body: { code: 'payload_too_large', message } });
  expect(await send('1', ['x'])).toMatchObject({ duplicate: false });
});

describe('a batch is counted once', () => {
  test('however often it is sent, and another body under its id is refused', async () => {
    const { send, done, admin, collector: client } = await collector();
    expect(await send('same', ['one', 'two'])).toEqual({
      accepted: true,
      batchId: 'same',
      duplicate: false,
      timesReplaced: 0,
    });
    await done('same');
    expect(await send('same', ['one', 'two'])).toMatchObject({ duplicate: true });
    const body = { batchId: 'same', source: 'web-01', content: 'three' };
    const refused = await client.send('POST', '/api/v1/collector_communication/events', { body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'conflict', details: [{ path: 'batchId' }] } });
    const { data } = await admin.ok('searchEvents');
    expect(data.map(({ message }) => message).sort()).toEqual(['one', 'two']);
    const { data: sources } = await admin.ok('listSources');
    const { data: collectors } = await admin.ok('listCollectors');
    expect(sources).toMatchObject([
      { name: 'web-01', collectorName: collectors[0]?.name, status: 'active', quiet: false, events24h: 2, bytes24h: 6 },
    ]);
  });

  test('what cannot be unpacked is refused, and nothing is kept of it', async () => {
    const { admin, collector: client } = await collector();
    const broken = gzipSync('x'.repeat(10_000)).subarray(0, 30).toString('base64');
    const ask = (more: object) =>
      client.send('POST', '/api/v1/collector_communication/events', {
        body: { batchId: 'b', source: 's', content: broken, encoding: 'gzip+base64', ...more },
      });
    expect(await ask({})).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'content' }] },
    });
    const large = gzipSync('x'.repeat(33 * 1024 * 1024)).toString('base64');
    expect(await ask({ content: large })).toMatchObject({ status: 400, body: { code: 'payload_too_large' } });
    expect(await ask({ content: 'a', encoding: 'utf8', format: 'xml' })).toMatchObject({ status: 400 });
    expect((await admin.ok('listSources')).totalCount).toBe(0);
  });
});

describe('a search', () => {
  test('refuses a cursor that no answer had, and a range that ends before it begins', async () => {
    const { admin } = await system.newOrganization();
    const ask = (query: Record<string, string>) => admin.send('GET', '/api/v1/siem/events', { query });
    expect(await ask({ cursor: 'abc' })).toMatchObject({ status: 400, body: { details: [{ path: 'cursor' }] } });
    expect(await ask({ from: now(), to: ago(5) })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'from' }] },
    });
  });

  test('finds nothing of another organization, by its source either', async () => {
    const { send, done, admin } = await collector();
    await send('1', ['secret of the first']);
    await done('1');
    const [source] = (await admin.ok('listSources')).data;
    const other = await system.newOrganization();
    expect((await other.admin.ok('searchEvents', { query: { sourceId: source?.id ?? '' } })).data).toEqual([]);
    expect((await other.admin.ok('searchEvents')).data).toEqual([]);
  });
});

test('sources are listed, changed and removed, and their counters are what a recount gives', async () => {
  const { send, done, admin, collector: client, collectorId, table } = await collector();
  await client.ok('reportCollector', { body: { version: '1.2.0', sources: [{ name: 'never', kind: 'file' }] } });
  await send('1', ['x'], 'app');
  await done('1');
  const { data } = await admin.ok('listSources', { query: { collectorId } });
  expect(data.map(({ name, status }) => [name, status])).toEqual([
    ['app', 'active'],
    ['never', 'waiting'],
  ]);
  const [app] = data;
  const params = { id: app?.id ?? '' };
  const changed = await admin.ok('updateSource', { params, body: { expectedEverySeconds: 120 } });
  expect(changed).toMatchObject({ expectedEverySeconds: 120, events24h: 1 });
  expect((await admin.ok('searchSources', { query: { search: 'nev' } })).totalCount).toBe(1);
  expect((await admin.ok('listSources', { query: { status: 'waiting' } })).totalCount).toBe(1);
  await expectExact(table, [siemSources]);
  await admin.ok('deleteSource', { params });
  expect((await admin.ok('listSources')).totalCount).toBe(1);
  await expectExact(table, [siemSources]);
});

test('the dashboard counts what was sent, and equals a recount of the events', async () => {
  const { send, done, admin, collectorId } = await collector();
  await send('1', [ssh(ago(30), 'a'), ssh(ago(7_200), 'b')], 'one');
  await send('2', [ssh(ago(60), 'c'), ssh(ago(200_000), 'older than a day')], 'two');
  await done('1', '2');
  const summary = await admin.ok('getSIEMSummary');
  const { data } = await admin.ok('searchEvents', { query: { from: ago(90_000) } });
  expect(summary).toMatchObject({
    enabled: true,
    collectors: { total: 1, online: 1 },
    sources: { total: 2, active24h: 2, silent24h: 0 },
    events24h: data.length,
    lastEventAt: data[0]?.at,
    retentionDays: 30,
    bytes24h: data.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0),
  });
  expect(summary.detections24h).toEqual({ critical: 0, high: 0, medium: 0, low: 0, info: 0 });
  const found = await admin.ok('searchEvents', { query: { from: ago(300_000) } });
  expect(found.histogram).toMatchObject({ intervalSeconds: 3600, isComplete: true });
  expect(found.histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  expect(found.data.every(({ sourceId }) => sourceId !== collectorId)).toBe(true);
});
