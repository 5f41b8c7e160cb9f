import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { heads } from '#shared/platform/feed/log.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';
import { until as eventually, finished } from '../support/wait.ts';

/** The questions of an auditor, answered by files of reports. */
const system = startSystem();
const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

async function tableOf({ admin }: TestOrganization, body: object, table: string) {
  const { taskId, resource } = await admin.ok('generateReport', { body: body as never });
  const { status, error } = await finished(admin, taskId);
  expect({ status, error }).toEqual({ status: 'succeeded', error: undefined });
  const id = resource?.id ?? '';
  const { url } = await admin.ok('getReportFile', { params: { id }, query: { format: 'csv', table } });
  const rows = parse(await (await fetch(url)).text(), { columns: true }) as Record<string, string>[];
  return { id, rows };
}

async function shopOf({ admin, table }: TestOrganization) {
  const { id: ownerId } = await createServiceAccount(table, { name: 'Ada', role: 'viewer' });
  const body = { type: 'host' as const, value: 'shop-1', ownerId, tags: ['pci'] };
  const { id, type, name, zone } = await admin.ok('createAsset', { body });
  const { id: applicationId } = await admin.ok('createApplication', { body: { name: 'Web shop' } });
  await admin.ok('createAssetMapping', { params: { id: applicationId }, body: { assetId: id } });
  return { asset: { id, type, name, zone }, applicationId };
}

test('each accepted risk has its vulnerability, reason, approver, treatment, time, asset, owner, tags and applications', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const { asset } = await shopOf(organization);
  const [soon, later] = [day(20), day(80)];
  const { id } = await addFinding(table, log4j({ asset }));
  const other = await addFinding(table, log4j({ asset, cves: ['CVE-2020-0001'], ruleId: 'CVE-2020-0001' }));
  await follow({ connections: system.connections, table });
  const analyst = await organization.withRole('analyst');
  const accepted = { status: 'risk_accepted' as const, reason: 'shut off next month', acceptedUntil: soon };
  await analyst.ok('updateFinding', { params: { id }, body: accepted });
  // the other risk is accepted for the vulnerability, which its finding follows
  const { data } = await admin.ok('listVulnerabilities', { query: { advisoryId: 'CVE-2020-0001' } });
  const decision = {
    status: 'risk_accepted' as const,
    reason: 'insured',
    treatment: 'transfer' as const,
    acceptedUntil: later,
  };
  await analyst.ok('updateVulnerability', { params: { id: data[0]?.id ?? '' }, body: decision });
  await follow({ connections: system.connections, table });
  await eventually(
    () => admin.ok('getFinding', { params: { id: other.id } }),
    ({ status }) => status === 'risk_accepted',
  );

  const { rows } = await tableOf(organization, { kind: 'accepted_risks' }, 'accepted_risks');
  const of = { asset: 'shop-1', owner: 'Ada', tags: 'pci', applications: 'Web shop', approver: 'analyst' };
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(expect.objectContaining({ ...of, reason: accepted.reason, treatment: 'accept' }));
  expect(rows).toContainEqual(
    expect.objectContaining({ ...of, reason: 'insured', treatment: 'transfer', vulnerability: 'CVE-2020-0001' }),
  );
  for (const { start, until } of rows) expect([start, until].every((one) => /20\d\d$/.test(one ?? ''))).toBe(true);

  const ending = async (filter: string) => (await admin.ok('listFindings', { query: { filter } })).totalCount;
  expect(await ending('status:risk_accepted acceptanceEnds:30d')).toBe(1);
  expect(await ending('status:risk_accepted acceptanceEnds:90d')).toBe(2);
});

test('a rate of an application is the share of its open findings that are not overdue', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const { asset, applicationId } = await shopOf(organization);
  await admin.ok('createTeam', { body: { name: 'Nobody' } });
  for (const days of [-3, 5, 6, 7])
    await table.create(findings, findingDraft(day(-30), { asset, applicationIds: [applicationId], dueAt: day(days) }));
  const { rows } = await tableOf(organization, { kind: 'compliance' }, 'sla_rates');
  expect(rows).toMatchObject([
    { type: 'Application', name: 'Web shop', open: '4', overdue: '1', inTime: '75%' },
    { type: 'Team', name: 'Nobody', open: '0', inTime: 'not known' },
  ]);
});

const verdictOf = async ({ admin }: TestOrganization, id: string): Promise<string> => {
  const { url } = await admin.ok('getReportFile', { params: { id }, query: { format: 'json' } });
  const { document } = JSON.parse(await (await fetch(url)).text());
  return document.sections[0].blocks[0].text;
};

test('the audit log of a period says whether anybody has altered the log, and is for those who may read it', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const { id: teamId } = await admin.ok('createTeam', { body: { name: 'Platform' } });
  await eventually(
    () => admin.ok('listAudit', { query: {} }),
    ({ data }) => data.some(({ operation }) => operation === 'createTeam'),
  );
  const body = { kind: 'audit_log', periodDays: 1 };
  const { id, rows } = await tableOf(organization, body, 'audit_log');
  expect(rows).toContainEqual(
    expect.objectContaining({
      operation: 'createTeam',
      actor: 'administrator',
      kind: 'Created',
      record: 'team',
      recordId: teamId,
    }),
  );
  expect(await verdictOf(organization, id)).toMatch(/^Sound: every hash of the log fits/);

  const analyst = await organization.withRole('analyst');
  expect(await analyst.call('generateReport', { body: body as never })).toMatchObject({
    status: 401,
    body: { code: 'insufficient_scope' },
  });
  expect(await analyst.call('getReport', { params: { id } })).toMatchObject({
    status: 400,
    body: { code: 'not_found' },
  });
  expect(await analyst.call('getReportFile', { params: { id }, query: {} })).toMatchObject({
    status: 400,
    body: { code: 'not_found' },
  });
  expect((await analyst.ok('listReports', { query: {} })).data).toEqual([]);
  expect((await admin.ok('listReports', { query: {} })).totalCount).toBe(1);
  const template = { name: 'log', kind: 'audit_log' as const };
  expect((await analyst.call('createReportTemplate', { body: template })).status).toBe(401);

  const head = await table.rows(heads).find({}, true);
  if (!head) throw new Error('the log has no head');
  await table.rows(heads).put({ ...head, hash: 'altered' });
  const altered = await tableOf(organization, body, 'audit_log');
  expect(await verdictOf(organization, altered.id)).toMatch(/^Not sound/);
});
