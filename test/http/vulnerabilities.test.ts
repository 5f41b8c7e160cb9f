import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, assetNamed, follow, log4j } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

const following = ({ table }: TestOrganization) => follow({ connections: system.connections, table });

const LONG_AGO = '2026-01-01T00:00:00.000Z';

const listed = async ({ admin }: TestOrganization, query: object = {}) =>
  (await admin.ok('listVulnerabilities', { query })).data;

async function only(organization: TestOrganization) {
  const [first, ...others] = await listed(organization);
  if (!first || others.length > 0) throw new Error(`${others.length + 1} vulnerabilities instead of one`);
  return first;
}

async function withLog4j() {
  const organization = await system.newOrganization();
  const finding = await addFinding(organization.table, log4j());
  await following(organization);
  return { organization, finding, vulnerability: await only(organization) };
}

test('findings of two tools about one component are one vulnerability, and each CVE of a finding is one', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const asset = assetNamed('shop-01');
  const first = await addFinding(
    table,
    log4j({ asset, cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', cvssScore: 10 }),
  );
  const second = await addFinding(
    table,
    log4j({ asset, tool: 'grype', severity: 'high', ruleId: 'GHSA-jfh8-c2jp-5v3q' }),
  );
  await addFinding(table, { asset, title: 'old nginx', cves: ['CVE-2021-23017', 'CVE-2019-20372'] });
  await addFinding(table, { asset, title: 'no advisory' });
  await following(organization);
  const all = await listed(organization);
  expect(all.map(({ title }) => title).sort()).toEqual([
    'CVE-2019-20372',
    'CVE-2021-23017',
    'CVE-2021-44228 in log4j-core 2.14.1',
  ]);
  const id = all.find(({ component }) => component)?.id ?? '';
  const read = await admin.ok('getVulnerability', { params: { id } });
  expect(read).toMatchObject({
    advisoryId: 'CVE-2021-44228',
    aliases: ['GHSA-jfh8-c2jp-5v3q'],
    severity: 'critical',
    status: 'open',
    cvss: { v3: { score: 10 } },
    component: { name: 'log4j-core', fixedVersions: ['2.17.1'] },
    asset,
    findingsCount: 2,
    tools: ['grype', 'trivy'],
    firstSeenAt: first.firstSeenAt,
    dueAt: first.dueAt,
    findings: [second.id, first.id],
  });
});

test('a vulnerability is fixed with its last finding, returns with one, and is gone with the last', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const one = await addFinding(table, log4j(), '2026-01-01T00:00:00.000Z');
  const two = await addFinding(table, log4j({ tool: 'grype' }), '2026-01-02T00:00:00.000Z');
  const fixed = await table.update(findings, one, { status: 'fixed', fixedAt: '2026-01-03T00:00:00.000Z' });
  await following(organization);
  expect(await only(organization)).toMatchObject({ status: 'open', fixedAt: null });
  const last = await table.update(findings, two, { status: 'fixed', fixedAt: '2026-01-05T00:00:00.000Z' });
  await following(organization);
  expect(await only(organization)).toMatchObject({ status: 'fixed', fixedAt: '2026-01-05T00:00:00.000Z' });
  const back = await table.update(findings, fixed, {
    status: 'open',
    fixedAt: undefined,
    reopenedAt: '2026-01-09T00:00:00.000Z',
  });
  await following(organization);
  expect(await only(organization)).toMatchObject({ status: 'open', fixedAt: null });
  await table.delete(findings, back);
  await table.delete(findings, last);
  await following(organization);
  expect(await listed(organization)).toEqual([]);
});

test('a decision survives a repair and a return, and open takes it back', async () => {
  const { organization, finding, vulnerability } = await withLog4j();
  const { admin, table } = organization;
  const params = { id: vulnerability.id };
  const body = {
    status: 'risk_accepted',
    reason: 'not reachable',
    treatment: 'mitigate',
    acceptedUntil: '2030-01-01T00:00:00.000Z',
  } as const;
  const acceptance = {
    reason: 'not reachable',
    treatment: 'mitigate',
    until: '2030-01-01T00:00:00.000Z',
  };
  const accepted = await admin.ok('updateVulnerability', { params, body });
  await finished(admin, accepted.taskId ?? '');
  expect(accepted).toMatchObject({
    status: 'risk_accepted',
    acceptance,
    version: vulnerability.version + 1,
  });
  const current = await table.get(findings, finding.id);
  const fixed = await table.update(findings, current, {
    status: 'fixed',
    fixedAt: new Date().toISOString(),
    follows: undefined,
  });
  await following(organization);
  expect(await only(organization)).toMatchObject({ status: 'fixed', acceptance: null });
  await table.update(findings, fixed, { status: 'open', fixedAt: undefined });
  await following(organization);
  expect(await only(organization)).toMatchObject({ status: 'risk_accepted', acceptance });
  expect(await admin.ok('updateVulnerability', { params, body: { status: 'open' } })).toMatchObject({
    status: 'open',
    acceptance: null,
  });
});

test.each([
  ['a repair', { status: 'fixed' }, 'status', /with its last finding/],
  ['a risk without a reason', { status: 'risk_accepted' }, 'reason', /must say why/],
  [
    'an end in the past',
    { status: 'risk_accepted', reason: 'x', acceptedUntil: '2020-01-01T00:00:00Z' },
    'acceptedUntil',
    /future/,
  ],
  ['an end of no acceptance', { acceptedUntil: '2030-01-01T00:00:00Z' }, 'acceptedUntil', /risk_accepted/],
  ['an unknown person', { assigneeId: 'nobody' }, 'assigneeId', /service account/],
])('%s is refused by name and changes nothing', async (_, body, path, message) => {
  const { organization, vulnerability } = await withLog4j();
  const params = { id: vulnerability.id };
  const answer = await organization.admin.call('updateVulnerability', { params, body: body as never });
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path, message: expect.stringMatching(message) }] } });
  expect(await only(organization)).toEqual(vulnerability);
});

test('filters, words and orders find a vulnerability by what it is', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const asset = assetNamed('shop-01');
  await addFinding(table, log4j({ asset, tags: ['payment'], stakes: { criticality: 'critical' }, dueAt: LONG_AGO }));
  await addFinding(table, {
    severity: 'low',
    ruleId: 'GHSA-35jh-r3h4-6jhm',
    tool: 'osv',
    component: { name: 'lodash', fixedVersions: [] },
  });
  await following(organization);
  const titles = async (query: object) => (await listed(organization, query)).map(({ advisoryId }) => advisoryId);
  const [cve, ghsa] = ['CVE-2021-44228', 'GHSA-35jh-r3h4-6jhm'];
  for (const query of [
    { cve: 'cve-2021-44228' },
    { assetId: asset.id },
    { tag: 'payment' },
    { component: 'Log4j-Core' },
    { tool: 'trivy' },
    { severity: 'critical' },
    { ssvc: 'track_star' },
    { overdue: 'true' },
  ])
    expect(await titles(query), JSON.stringify(query)).toEqual([cve]);
  expect(await titles({ advisoryId: 'ghsa-35jh-r3h4-6jhm', status: 'open', assigneeId: 'none' })).toEqual([ghsa]);
  expect(await titles({ sort: 'priority' })).toEqual([cve, ghsa]);
  expect(await titles({ sort: 'due' })).toEqual([cve, ghsa]);
  expect(await titles({ kev: 'true' })).toEqual([]);
  const { data } = await admin.ok('searchVulnerabilities', { query: { search: 'log4j shop' } });
  expect(data.map(({ advisoryId }) => advisoryId)).toEqual([cve]);
});

test('the dashboards count vulnerabilities by the current state of their findings', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const fixedAt = new Date(Date.parse(at) + 3_600_000).toISOString();
  const dueAt = new Date(Date.parse(at) + 1_000).toISOString();
  const component = { name: 'lodash', fixedVersions: [] };
  await addFinding(table, log4j({ dueAt }), at);
  await addFinding(table, { ...log4j({ component }), status: 'fixed', fixedAt, dueAt }, at);
  await following(organization);
  const summary = await admin.ok('getVulnerabilitiesSummary');
  expect(summary).toMatchObject({
    total: 2,
    open: 1,
    overdue: 1,
    opened7d: 2,
    fixed7d: 1,
    byStatus: { open: 1, in_progress: 0, risk_accepted: 0, false_positive: 0, fixed: 1 },
    openBySeverity: { critical: 1 },
    kevOpen: 0,
    epssOver10PercentOpen: 0,
    acceptedRisk: 0,
    slaBreached: 2,
  });
  const times = await admin.ok('getVulnerabilitiesMeanTimes');
  expect(times).toMatchObject({ timeToRemediate: { meanSeconds: 3_600, count: 1 }, openAge: { count: 1 } });
  const day = times.trend.find(({ count }) => count === 1);
  const lists = [times.links.list['timeToRemediate.count'], day?.links?.list.count, times.links.list['openAge.count']];
  const listed = await Promise.all(lists.map((list) => admin.send('GET', list ?? '')));
  expect(listed.map(({ body }) => Object(body).data)).toMatchObject([
    [{ status: 'fixed', fixedAt }],
    [{ status: 'fixed', fixedAt }],
    [{ status: 'open' }],
  ]);
});

test('open vulnerabilities are counted by advisory and by the upgrade that closes them', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const [one, two] = [assetNamed('one'), assetNamed('two')];
  const { component } = log4j();
  const other = { ...component, version: '2.15.0', fixedVersions: ['2.3.2', '2.16.0', '2.17.0'] };
  await addFinding(table, log4j({ asset: one, stakes: { exposed: true } }));
  await addFinding(table, log4j({ asset: two, severity: 'high' }));
  await addFinding(table, log4j({ asset: two, cves: ['CVE-2021-45046'], severity: 'high', component: other }));
  await addFinding(table, { asset: one, cves: ['CVE-2021-23017'], severity: 'low' });
  // no upgrade closes it
  await addFinding(
    table,
    log4j({ asset: one, cves: ['CVE-2019-17571'], component: { ...component, fixedVersions: [] } }),
  );
  await following(organization);
  const purl = 'pkg:maven/org.apache.logging.log4j/log4j-core';
  const refused = await admin.send('GET', '/api/v1/vulnerabilities/by-fix', { query: { tag: 'payment' } });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'tag' }] } });
  expect(JSON.stringify(refused.body)).toMatch(/GET .api.v1.vulnerabilities.sort=priority with tag lists/);
  expect((await admin.ok('listVulnerabilitiesByAdvisory', { query: { kev: true } })).totalCount).toBe(
    (await admin.ok('listVulnerabilitiesByAdvisory', {})).data.filter(({ kev }) => kev).length,
  );
  const fixes = await admin.ok('listVulnerabilitiesByFix', { query: { sort: 'closes' } });
  expect(fixes.data).toMatchObject([
    { component: { name: 'log4j-core', purl }, version: '2.17.1', closes: 3, assets: 2, severity: 'critical' },
  ]);
  const { links } = fixes.data[0] ?? {};
  const { body: closed } = await admin.send('GET', links?.list.closes ?? '');
  expect(closed).toMatchObject({ totalCount: 3 });
  const { body: critical } = await admin.send('GET', links?.list['openBySeverity.critical'] ?? '');
  expect(critical).toMatchObject({ totalCount: 1 });
  const { data, totalCount } = await admin.ok('listVulnerabilitiesByAdvisory', { query: { sort: 'priority' } });
  expect({ totalCount, data }).toMatchObject({
    totalCount: 4,
    data: [
      {
        advisoryId: 'CVE-2021-44228',
        open: 2,
        assets: 2,
        openBySeverity: { critical: 1, high: 1 },
        epss: null,
        kev: false,
      },
      { advisoryId: 'CVE-2019-17571', open: 1, assets: 1 },
      { advisoryId: 'CVE-2021-45046', open: 1, assets: 1 },
      { advisoryId: 'CVE-2021-23017', open: 1, assets: 1 },
    ],
  });
  const about = await admin.ok('listVulnerabilitiesByAdvisory', { query: { advisoryId: 'cve-2021-45046' } });
  expect(about.data).toMatchObject([{ advisoryId: 'CVE-2021-45046', assets: 1 }]);
  const upgrade = await admin.ok('listVulnerabilitiesByFix', { query: { component: 'Log4j-Core', sort: 'closes' } });
  expect(upgrade.data).toEqual(fixes.data);
  const low = await admin.ok('listVulnerabilitiesByAdvisory', { query: { severity: 'low' } });
  expect(low.data.map(({ advisoryId }) => advisoryId)).toEqual(['CVE-2021-23017']);
});
