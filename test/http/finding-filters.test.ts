import { beforeAll, describe, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { fixture } from '../support/recorded.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding } from '../support/vulnerabilities.ts';

const system = startSystem();

describe('an analyst finds an imported problem by the words that people type', () => {
  let analyst: Client;
  beforeAll(async () => {
    const organization = await system.newOrganization();
    analyst = await organization.withRole('analyst');
    const reports: [string, object][] = [
      ['nmap/vulners.xml', { target: { type: 'cidr', value: '192.0.2.0/24' } }],
      ['trivy/image.json', { target: { type: 'container_image', value: 'registry.example.test/shop:1.4' } }],
      ['semgrep/scan.json', { repository: 'https://git.example.com/acme/shop' }],
      ['zap/report.json', { target: { type: 'url', value: 'https://shop.example.test' } }],
      ['sarif/codeql.sarif', { repository: 'https://git.example.com/acme/portal' }],
    ];
    for (const [file, target] of reports) {
      const body = { format: 'auto', content: fixture(file).toString(), ...target };
      const { task } = await analyst.ok('importFindings', { query: { waitSeconds: 20 }, body: body as never });
      expect(task).toMatchObject({ status: 'succeeded' });
    }
  });

  test.each([
    ['product and version', 'openssh 7.4', /OpenSSH 7.4$/],
    ['a port as it is printed', '22/tcp openssh', /^Open port 22\/tcp/],
    ['an address', '192.0.2.1', /OpenSSH|MS12|SMB/],
    ['package and version', 'libssl3 3.0.11', /^CVE-2024-0727 in libssl3 3.0.11/],
    ['a CVE in any case', 'Cve-2024-0727', /^CVE-2024-0727/],
    ['a part of an image', 'shop:1.4 libssl3', /libssl3/],
    ['a file', 'orders.py', /./],
    ['a file with its path and line', 'shop/orders.py:18', /./],
    ['a file in quotation marks', '"shop/orders.py"', /./],
    ['a repository with its owner', 'acme/shop tainted', /./],
    ['a rule', 'python.flask.tainted-sql', /./],
    ['a page', 'https://shop.example.test/cart', /SQL Injection/],
    ['the host of a page', 'shop.example.test injection', /SQL Injection/],
    ['a title', 'sql injection', /SQL Injection/],
    ['a tool', 'semgrep', /./],
  ])('%s: %s', async (_what, search, title) => {
    const { data } = await analyst.ok('searchFindings', { query: { search } });
    expect(data.length).toBeGreaterThan(0);
    expect(data.map((finding) => finding.title).filter((one) => !title.test(one))).toEqual([]);
  });

  test('words combine with the filters', async () => {
    const search = async (query: object) =>
      (await analyst.ok('searchFindings', { query: { search: 'openssh', ...query } })).totalCount;
    expect(await search({ tool: 'nmap', firstSeenFrom: now().slice(0, 10) })).toBeGreaterThan(0);
    expect(await search({ tool: 'Nmap', firstSeenFrom: now().slice(0, 10) })).toBeGreaterThan(0);
    expect(await search({ tool: 'trivy' })).toBe(0);
    expect(await search({ firstSeenTo: '2020-01-01' })).toBe(0);
  });
});

test('a package is found by its name, by the parts of its name and by its whole name', async () => {
  const { table, admin } = await system.newOrganization();
  await addFinding(table, {
    title: 'CVE-2021-44228 in org.apache.logging.log4j:log4j-core 2.14.1: Remote code injection',
  });
  const found = async (search: string) => (await admin.ok('searchFindings', { query: { search } })).totalCount;
  for (const search of ['log4j', 'log4j-core', 'core', 'org.apache.logging.log4j:log4j-core'])
    expect(await found(search)).toBe(1);
  expect(await found('jackson')).toBe(0);
});

describe('an analyst lists by day', () => {
  const day = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString();
  let organization: TestOrganization;
  let analyst: Client;
  beforeAll(async () => {
    organization = await system.newOrganization();
    analyst = await organization.withRole('analyst');
    const make = (title: string, firstSeen: number, due: number, more: Partial<StoredFinding> = {}) =>
      organization.table.create(findings, findingDraft(day(firstSeen), { title, dueAt: day(due), ...more }));
    await make('late', -40, -10);
    await make('late and fixed', -40, -10, { status: 'fixed', fixedAt: day(-1) });
    await make('late since yesterday', -31, -1, { severity: 'critical' });
    await make('today', -30, 0);
    await make('soon', -2, 28);
    await make('never', -1, 0, { dueAt: undefined });
  });

  const titles = async (query: object) =>
    (await analyst.ok('listFindings', { query })).data.map(({ title }) => title).sort();
  const on = (days: number) => day(days).slice(0, 10);

  test('overdue ones are those that the dashboard counts', async () => {
    const { overdue } = await analyst.ok('getFindingsSummary');
    const listed = await titles({ overdue: true });
    expect(listed).toEqual(['late', 'late since yesterday']);
    expect(overdue).toBe(listed.length);
    expect(await titles({ overdue: true, severity: 'critical' })).toEqual(['late since yesterday']);
  });

  test('before a day, with other ends of the range', async () => {
    expect(await titles({ dueBefore: on(0) })).toEqual(['late', 'late since yesterday']);
    expect(await titles({ dueBefore: on(1), dueFrom: on(-1) })).toEqual(['late since yesterday', 'today']);
    expect(await titles({ dueTo: on(-5), overdue: true })).toEqual(['late']);
  });

  test('by the day on which they were seen first, closed ones too', async () => {
    expect(await titles({ firstSeenTo: on(-31) })).toEqual(['late', 'late and fixed', 'late since yesterday']);
    expect(await titles({ firstSeenFrom: on(-2) })).toEqual(['never', 'soon']);
    expect(await titles({ firstSeenFrom: on(-31), firstSeenTo: on(-30), sort: 'priority' })).toEqual([
      'late since yesterday',
      'today',
    ]);
  });

  test('by the day on which they changed last, so that a copy of them is kept up to date', async () => {
    setClock(() => Date.now() - 3 * 86_400_000);
    const { id } = await organization.table
      .create(findings, findingDraft(now(), { title: 'changed', tool: 'changing' }))
      .finally(() => setClock());
    const query = { updatedSince: on(-2), tool: 'changing' };
    expect(await titles(query)).toEqual([]);
    await organization.admin.ok('updateFinding', { params: { id }, body: { tags: ['mine'] } });
    expect(await titles(query)).toEqual(['changed']);
    expect(await titles({ ...query, tag: 'other' })).toEqual([]);
    expect(await titles({ updatedSince: on(-1), overdue: true })).toEqual(await titles({ overdue: true }));
  });

  test.each([{}, { status: ['open'] as const }, { status: ['open', 'fixed'] as const }])(
    'the oldest first, for those who clear up, with %o',
    async (query) => {
      const newest = await analyst.ok('listFindings', { query: { ...query, paginateSize: 500 } });
      const oldest = await analyst.ok('listFindings', { query: { ...query, sort: 'oldest', paginateSize: 500 } });
      expect(oldest.totalCount).toBe(newest.totalCount);
      const days = oldest.data.map(({ firstSeenAt }) => firstSeenAt.slice(0, 10));
      expect(days).toEqual(newest.data.map(({ firstSeenAt }) => firstSeenAt.slice(0, 10)).toSorted());
      expect(days[0]).toBe(on(-40));
    },
  );

  test.each<[object, string, RegExp]>([
    [{ updatedSince: '2025-01-01' }, 'updatedSince', /or later; GET \/api\/v1\/changes\?entity=finding lists older/],
    [{ severities: 'high' }, 'severities', /^unknown parameter; it takes .*severity.*overdue/],
    [{ overdue: false }, 'overdue', /must be true/],
    [{ dueFrom: '2026-02-01', dueTo: '2026-01-01' }, 'dueFrom', /must be 2026-01-01 or earlier/],
    [{ firstSeenFrom: 'yesterday' }, 'firstSeenFrom', /must be a day such as/],
  ])('%o is refused with what to send', async (query, path, message) => {
    const answer = await analyst.send('GET', '/api/v1/findings', { query });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path, message: expect.stringMatching(message) }] },
    });
  });
});
