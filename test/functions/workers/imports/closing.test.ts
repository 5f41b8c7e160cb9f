import { afterAll, describe, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, networkScan, nmap, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const [first, second] = problems(2);
const both = sarif([first, second].flatMap((one) => one ?? []));
const one = sarif([first].flatMap((some) => some ?? []));
const none = sarif([]);
const unreadable = one.replace('"results":[', '"results":[{"message":{}},');
const seen = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));
const open = { 'src/file-0.ts': 'open', 'src/file-1.ts': 'open' };

describe('a scan closes what it provably no longer sees', () => {
  test('a repaired problem is closed by the next scan, which it names', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(both));
    const scan = await world.ingest(table, codeScan(one));
    expect(scan.result).toMatchObject({ created: 0, unchanged: 1, closed: 1 });
    const [closed] = (await allFindings({ connections: world.connections, table })).filter(
      ({ status }) => status === 'fixed',
    );
    expect(closed).toMatchObject({
      fixedAt: scan.createdAt,
      links: { fixedBy: `/api/v1/tasks/${scan.id}` },
      occurrences: 1,
    });
    await expectSound(table);
  });

  test('a clean scan is a success and closes all that it covered', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(both));
    const scan = await world.ingest(table, codeScan(none));
    expect(scan).toMatchObject({ status: 'succeeded', result: { closed: 2 } });
    expect(await seen(table)).toEqual({ 'src/file-0.ts': 'fixed', 'src/file-1.ts': 'fixed' });
  });

  test('a problem that returns is open again and counted as returned', async () => {
    const table = world.newOrganization();
    for (const report of [both, one, both]) await world.ingest(table, codeScan(report));
    const [returned] = (await allFindings({ connections: world.connections, table })).filter(
      ({ reopenedCount }) => reopenedCount > 0,
    );
    expect(returned).toMatchObject({ status: 'open', fixedAt: null, reopenedCount: 1, occurrences: 2 });
    await expectSound(table);
  });
});

test('each of several reports of one tool closes what it looked at itself, as one for each language does', async () => {
  const table = world.newOrganization();
  const [java, python] = [`codeql/language:java/run-`, `codeql/language:python/run-`];
  await world.ingest(table, codeScan(sarif(problems(1), { automation: `${java}1` })));
  await world.ingest(table, codeScan(sarif(problems(1, 1), { automation: `${python}1` })));
  expect(await seen(table)).toEqual(open);
  const task = await world.ingest(table, codeScan(sarif([], { automation: `${python}2` })));
  expect(task.result).toMatchObject({ closed: 1 });
  expect(await seen(table)).toEqual({ ...open, 'src/file-1.ts': 'fixed' });
});

describe('nothing is closed without proof', () => {
  const cases: [string, Parameters<typeof codeScan>[1], string?][] = [
    ['a scan of another branch', { ref: 'feature' }],
    ['a scan of another profile', { scanType: 'secrets' }],
    ['a scan of another zone', { zone: 'lab' }],
    ['a scan of another target', { target: { type: 'repository', value: 'https://git.example.com/shop/web' } }],
    ['a scan of a target of another type', { target: { ...repository('api'), type: 'application' } }],
    ['an import that names no target', { target: undefined }],
    ['an upload that says it is partial', { closeMissing: false }],
    ['a scan that failed', { outcome: 'failed' }],
    [
      'a scan that did not reach its target',
      { targetsFailed: [{ value: 'https://git.example.com/shop/api', reason: 'x' }] },
    ],
    ['a report whose tool did not finish', {}, sarif([], { finished: false })],
    ['a report of which an entry cannot be read', {}, unreadable],
    ['a report of another tool', {}, sarif([], { tool: 'other-scan' })],
  ];
  test.each(cases)('%s', async (_name, more, report = none) => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(both));
    const task = await world.ingest(table, codeScan(report, more));
    expect(task).toMatchObject({ status: 'succeeded', result: { closed: 0 } });
    expect(await seen(table)).toEqual(open);
  });

  test('a report that breaks off', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(both));
    const task = await world.ingest(table, codeScan(one.slice(0, -20)));
    expect(task).toMatchObject({ status: 'failed' });
    expect(await seen(table)).toEqual(open);
  });

  test("a person's decision stays, whether the problem is seen or not", async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(both));
    for (const { id } of await allFindings({ connections: world.connections, table }))
      await table.modify(findings, id, (it) =>
        moveStatus(it, { to: 'false_positive', at: it.createdAt, reason: 'no' }),
      );
    const task = await world.ingest(table, codeScan(one));
    expect(task.result).toMatchObject({ unchanged: 1, closed: 0, reopened: 0 });
    expect(Object.values(await seen(table))).toEqual(['false_positive', 'false_positive']);
  });
});

describe('a network scan', () => {
  const hosts = [
    { address: '10.0.0.5', ports: [80, 443] },
    { address: '10.0.0.6', ports: [22] },
  ];
  const byPlace = async (table: Table) =>
    Object.fromEntries(
      (await allFindings({ connections: world.connections, table })).map(({ location, status }) => [location, status]),
    );

  test('closes only what lies on hosts that it reached', async () => {
    const table = world.newOrganization();
    await world.ingest(table, networkScan(nmap(hosts)));
    const later = nmap([
      { address: '10.0.0.5', ports: [80] },
      { address: '10.0.0.6', ports: [], state: 'down' },
    ]);
    expect((await world.ingest(table, networkScan(later))).result).toMatchObject({ closed: 1, unchanged: 1 });
    expect(await byPlace(table)).toEqual({
      '10.0.0.5:80/tcp': 'open',
      '10.0.0.5:443/tcp': 'fixed',
      '10.0.0.6:22/tcp': 'open',
    });
  });

  test.each([
    ['of other ports', { tried: { tcp: '1-79,81-400' } }],
    ['of another protocol', { tried: { udp: '1-1000' } }],
    ['for hosts alone', { tried: {} }],
  ])('%s leaves what it did not look at as it is', async (_name, narrower) => {
    const table = world.newOrganization();
    await world.ingest(table, networkScan(nmap(hosts)));
    const bare = hosts.map(({ address }) => ({ address, ports: [] }));
    await world.ingest(table, networkScan(nmap(bare, narrower)));
    expect(await byPlace(table)).toMatchObject({ '10.0.0.5:80/tcp': 'open', '10.0.0.5:443/tcp': 'open' });
  });

  test('without scripts leaves open what scripts found', async () => {
    const script = `<script id="vulners" output="CVE-2018-15919 5.0"/></port>`;
    const withScript = nmap(hosts.slice(1), { args: 'nmap -sV --script vulners' }).replace('</port>', script);
    const table = world.newOrganization();
    const scan = async (report: string) => {
      await world.ingest(table, networkScan(report));
      return (await allFindings({ connections: world.connections, table })).find(
        ({ ruleId }) => ruleId === 'CVE-2018-15919',
      )?.status;
    };
    expect(await scan(withScript)).toBe('open');
    expect(await scan(nmap(hosts.slice(1), { args: 'nmap -sV' }))).toBe('open');
    expect(await scan(nmap(hosts.slice(1), { args: 'nmap -sVC' }))).toBe('fixed');
  });

  test('that names no host closes nothing', async () => {
    const table = world.newOrganization();
    await world.ingest(table, networkScan(nmap(hosts)));
    expect((await world.ingest(table, networkScan(nmap([])))).result).toMatchObject({ closed: 0 });
  });

  test('of one zone leaves the same address of another zone alone', async () => {
    const table = world.newOrganization();
    await world.ingest(table, networkScan(nmap(hosts)));
    await world.ingest(table, networkScan(nmap(hosts), { zone: 'lab' }));
    const all = await allFindings({ connections: world.connections, table });
    expect(new Set(all.map(({ asset }) => asset.id)).size).toBe(4);
    expect(all).toHaveLength(6);
  });

  test('cannot put findings on hosts outside its lease', async () => {
    const table = world.newOrganization();
    const task = await world.ingest(table, networkScan(nmap([...hosts, { address: '192.0.2.1', ports: [80] }])));
    expect(task.result).toMatchObject({ created: 3, rejectedCount: 1, rejected: [{ where: '192.0.2.1' }] });
  });
});

describe('a closing of most of a scope', () => {
  test('waits until someone confirms it', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(30))));
    const task = await world.ingest(table, codeScan(sarif(problems(5))));
    expect(task.result).toMatchObject({ closed: 0, held: { count: 25 } });
    expect(Object.values(await seen(table)).filter((status) => status === 'fixed')).toHaveLength(0);
    const { taskId } = await confirmHeld({ connections: world.connections, table }, task.id);
    await world.drain();
    expect(await world.task(table, taskId)).toMatchObject({
      result: { closed: 25 },
      progress: { done: 25, total: 25 },
    });
    expect(Object.values(await seen(table)).filter((status) => status === 'fixed')).toHaveLength(25);
    await expectSound(table);
    await expect(confirmHeld({ connections: world.connections, table }, task.id)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('leaves open the findings that were seen again before it was confirmed', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(30))));
    const held = await world.ingest(table, codeScan(sarif(problems(5))));
    await world.ingest(table, codeScan(sarif(problems(30)), { closeMissing: false }));
    await confirmHeld({ connections: world.connections, table }, held.id);
    await world.drain();
    expect(Object.values(await seen(table)).filter((status) => status === 'fixed')).toHaveLength(0);
  });

  test('is left to the next report of the scope, which may come before the confirmation is worked', async () => {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(30))));
    const held = await world.ingest(table, codeScan(sarif(problems(5))));
    await world.accept(table, codeScan(sarif(problems(30))));
    const { taskId } = await confirmHeld({ connections: world.connections, table }, held.id);
    await world.drain();
    expect(await world.task(table, taskId)).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
    expect(Object.values(await seen(table)).filter((status) => status === 'fixed')).toHaveLength(0);
    await expectSound(table);
  });
});
