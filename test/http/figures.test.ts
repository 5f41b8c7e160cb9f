import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { debian, report } from '../support/agents.ts';
import { type Schema, schemaOf } from '../support/answer-schema.ts';
import { startWork } from '../support/applications.ts';
import type { OperationName } from '../support/client.ts';
import { engage } from '../support/engagements.ts';
import { findingDraft } from '../support/findings.ts';
import { KEY, OTHER, send, system } from '../support/found-secrets.ts';
import { hostReport, ssh, telnet } from '../support/host-report.ts';
import { makeIntegration } from '../support/integrations.ts';
import { makeTicket } from '../support/jira/tickets.ts';
import { OVERVIEW_PARTS } from '../support/overview-parts.ts';
import { trufflehog } from '../support/secret-reports.ts';
import type { TestOrganization } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';
import { eventually, finished } from '../support/wait.ts';
import { live, steps } from './recount-world.ts';
import { UNLISTED } from './unlisted-figures.ts';

/** Durations are means and estimates, not numbers of records. */
const DURATION = /Seconds$/;

/** Operations whose answers have other numbers than those of records, and the reason why no list shows these. */
const NO_FIGURES: Record<string, string> = Object.fromEntries(
  Object.entries({
    'settings and limits': [
      ...['getBilling', 'getOrganizationLimits', 'getOrganizationSettings', 'getSlaPolicies', 'listConfig'],
    ],
    'amounts of money': ['listBillingInvoices'],
    'sizes, latencies, minutes and measurements': [
      ...['getAgentResources', 'getDelivery', 'getTicketingDelivery', 'listBillingDeliveries', 'listDeliveries'],
      ...['listTicketingDeliveries', 'getStatus', 'getUnversionedStatus', 'getCompletion', 'listWorkEntries'],
      ...['getApexUpload', 'getReportFile', 'getScannerUpload', 'getUpload'],
    ],
    'progress of work, and lines of its file': [
      ...['getAssetsExport', 'getEventsExport', 'getFindingsExport', 'getVulnerabilitiesExport'],
    ],
    'versions and positions': [
      ...['getOrganizationDeletion', 'getOwnDeletion', 'listAssetHistory', 'listAudit', 'listChanges'],
      ...['listEvents', 'listOwnActivity'],
      ...['listFindingHistory', 'releaseTaskSecrets'],
    ],
    'messages of the caller, which this list alone has': ['listNotifications'],
    'secrets that are left': ['getMySecondStep'],
    'the records of RFC 7643': [
      ...['getScimConfig', 'listScimGroups', 'listScimResourceTypes', 'listScimSchemas', 'listScimUsers'],
    ],
    'findings of a comparison, which another import changes': ['judgeBuild', 'judgeImport', 'judgeNamedBuild'],
    'entries of a published feed, events': [
      ...['listAdvisoryFeeds', 'searchEvents', 'countEventValues', 'estimateEvents', 'getDetectionRuleWeeks'],
    ],
    'records of a list that stand for many assets, without an id': [
      ...['listAttackSurface', 'listIntelDomains', 'listIntelVulnerabilities', 'listProducts', 'listServices'],
    ],
    'suggestions for the one who writes a filter or a rule': ['listCloudTags', 'listFilterValues', 'listScopeKinds'],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

test('an operation whose answer has numbers has records, or links of figures, or a reason why not', () => {
  const alone = areas.flatMap(({ routes }) =>
    Object.entries(routes).flatMap(([name, { method, response }]) =>
      method === 'GET' && response instanceof z.ZodType && hasNumbers(schemaOf(response)) ? [name] : [],
    ),
  );
  expect(alone.sort()).toEqual(Object.keys(NO_FIGURES).sort());
});

const PAGE = ['page', 'pageSize', 'totalCount', 'totalPages'];

/** Whole numbers outside of records (which have an id), pages and objects with links of figures. */
function hasNumbers(schema: Schema, { $defs = {} } = schema, path: readonly string[] = []): boolean {
  const within = (one: Schema | boolean | undefined, name: string) =>
    typeof one === 'object' && hasNumbers(one, { $defs }, [...path, name]);
  const named = schema.$ref?.split('/').at(-1) ?? '';
  const { properties = {}, anyOf = [], additionalProperties, items } = schema;
  if ('id' in properties || JSON.stringify(properties.links ?? {}).includes('FigureLinks')) return false;
  if (schema.type === 'integer') return !PAGE.includes(path.at(-1) ?? '') || path.length > 1;
  return (
    (named !== '' && path.length < 9 && hasNumbers($defs[named] ?? {}, { $defs }, [...path, named])) ||
    anyOf.some((one) => hasNumbers(one, { $defs }, path)) ||
    [...Object.entries(properties), ['', items] as const, ['', additionalProperties] as const].some(([name, one]) =>
      within(one, name),
    )
  );
}

/** The operations whose answers have figures with links. */
const withFigures = areas
  .flatMap(({ routes }) => Object.entries(routes))
  .filter(([, { method, response }]) => method === 'GET' && response instanceof z.ZodType && hasLinks(response))
  .map(([name]) => name as OperationName);

function hasLinks(response: z.ZodType): boolean {
  return JSON.stringify(schemaOf(response)).includes('FigureLists');
}

test('each figure of each dashboard and summary is the number of records in its list', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const applicationId = await fill(organization);
  const teamId = await fillTeam(organization, applicationId);
  const params = { id: applicationId, frameworkId: 'owasp-top-10-2021' };
  const records = { ...(await recordsIn(organization)), getTeamSummary: { id: teamId } };
  const unlisted = new Set<string>();
  const seen = new Map<string, number>();
  for (const name of withFigures.filter((one) => !DELIVERIES.includes(one)))
    await eventually(async () => {
      const at = { ...params, ...records[name] };
      const answer = await admin.ok(name, { params: at as never, query: QUERIES[name]?.(applicationId) as never });
      const figures = figuresIn(answer);
      const { wrong, alone } = await compare(admin, figures);
      expect({ name, wrong }).toEqual({ name, wrong: [] });
      for (const { path, value, list } of figures) {
        const figure = `${name} ${path.replaceAll('*.', '').split('.', 1)}`;
        if (list) seen.set(figure, Math.max(seen.get(figure) ?? 0, value ?? 0));
      }
      for (const { path, value } of alone) {
        const figure = reasonOf(partOf(name, path));
        if (value !== null || figure in UNLISTED) unlisted.add(figure);
      }
    });
  expect([...seen].flatMap(([figure, most]) => (most === 0 ? [figure] : [])).sort()).toEqual(ZERO_HERE);
  expect([...unlisted].sort()).toEqual(Object.keys(UNLISTED).sort());
  expect([...seen.keys()].filter((figure) => figure.includes('MeanTimes ')).sort()).toEqual(MEAN_TIMES);
});

/** Measures are null without records: these had some. */
const MEAN_TIMES = [
  'getAlertsMeanTimes bySeverity',
  'getAlertsMeanTimes openAge',
  'getAlertsMeanTimes timeToDetect',
  'getFindingsMeanTimes openAge',
  'getIncidentsMeanTimes openAge',
  'getVulnerabilitiesMeanTimes bySeverity',
  'getVulnerabilitiesMeanTimes openAge',
  'getVulnerabilitiesMeanTimes timeToRemediate',
  'getVulnerabilitiesMeanTimes trend',
];

/** Listed figures of which this test has no records. */
const ZERO_HERE = [
  'countApexTasksByStatus count',
  'countAppliancesByStatus count',
  'getAssetsSummary stale30d',
  'getFramework exceptionsOnly',
  'getRiskSummary kevOpen',
  'getRiskSummary overdue',
  'getSIEMSummary sources',
  'getScannersSummary outdated',
  'getTicketingSummary connections',
  'getTicketingSummary resolved7d',
  'getVulnerabilitiesSummary epssOver10PercentOpen',
  'getVulnerabilitiesSummary kevOpen',
  'listFrameworks exceptionsOnly',
];

/** Records with figures, for operations that read one. */
async function recordsIn({ admin, table }: TestOrganization): Promise<Partial<Record<OperationName, { id: string }>>> {
  const asset = { type: 'host', value: 'counted.example.test' };
  const component = { name: 'log4j-core', version: '2.14.1', fixedVersions: ['2.17.1'] };
  const about = { title: 'old library', severity: 'high', ruleId: 'GHSA-jfh8-c2jp-5v3q', path: 'a.lock' };
  const found = { ...about, asset, component };
  const content = JSON.stringify({ tool: 'audit', findings: [found] });
  const { taskId } = await admin.ok('importFindings', { body: { format: 'generic', content } });
  await finished(admin, taskId);
  await follow({ connections: system.connections, table });
  const { data } = await admin.ok('searchAssets', { query: { search: 'counted', filter: 'type:host' } });
  const id = data[0]?.id ?? '';
  const [vulnerability] = (await admin.ok('listVulnerabilities', { query: { assetId: id } })).data;
  return { getAsset: { id }, getVulnerability: { id: vulnerability?.id ?? '' } };
}

/** Deliveries are removed earlier than their numbers. */
const DELIVERIES: readonly string[] = ['countDeliveries', 'countBillingDeliveries'];

const QUERIES: Partial<Record<OperationName, (applicationId: string) => object>> = {
  getFramework: (applicationId) => ({ applicationId, assetType: 'host' }),
  searchAssets: () => ({ search: 'host' }),
};

/** The operations that answer the parts of an overview. */
const PARTS_OF: Partial<Record<OperationName, Record<string, OperationName>>> = {
  getSystemOverview: OVERVIEW_PARTS,
  getMeanTimeOverview: {
    findings: 'getFindingsMeanTimes',
    vulnerabilities: 'getVulnerabilitiesMeanTimes',
    alerts: 'getAlertsMeanTimes',
    incidents: 'getIncidentsMeanTimes',
  },
};

/** A figure of an overview under the name of its part. */
function partOf(name: OperationName, path: string): string {
  const [part = '', ...inner] = path.split('.');
  const operation = PARTS_OF[name]?.[part];
  return operation ? `${operation} ${inner.join('.')}` : `${name} ${path}`;
}

/** The entry of `UNLISTED` for a figure, or the figure itself. A measure of one severity has the reason of the measure of all. */
function reasonOf(figure: string): string {
  const ofAll = figure.replace(/ bySeverity\.\w+\.(?=\w)/, ' ');
  return Object.keys(UNLISTED).find((one) => ofAll === one || ofAll.startsWith(`${one}.`)) ?? ofAll;
}

type Figure = { path: string; value: number | null; list: string | undefined };
type Around = { path: string; inner: string; list: Record<string, string> };

/** All numbers of an answer, each with its list by the nearest `links` around it; of records and pages, those with a list. */
function figuresIn(value: unknown, around: Around = { path: '', inner: '', list: {} }): Figure[] {
  if (typeof value === 'number' || value === null) {
    const path = around.path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*');
    return [{ path, value, list: around.list[around.inner] }];
  }
  if (typeof value !== 'object') return [];
  const own: Record<string, string> | undefined = Object(value).links?.list;
  const at = own ? { ...around, inner: '', list: own } : around;
  const found = Object.entries(value).flatMap(([name, inner]) =>
    'totalPages' in value && PAGE.includes(name)
      ? []
      : figuresIn(inner, { list: at.list, path: joined(at.path, name), inner: joined(at.inner, name) }),
  );
  return typeof Object(value).version === 'number' ? found.filter(({ list }) => list !== undefined) : found;
}
const joined = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

async function compare(admin: TestOrganization['admin'], figures: readonly Figure[]) {
  const wrong: object[] = [];
  for (const { path, value, list } of figures) {
    if (list === undefined) continue;
    const { status, body } = await admin.send('GET', list, { query: { paginateSize: 1 } });
    const { totalCount, truncated } = Object(body);
    if (!isDeepStrictEqual([status, totalCount, truncated], [200, value, undefined]))
      wrong.push({ path, value, list, body });
  }
  return { wrong, alone: figures.filter(({ path, list }) => list === undefined && !DURATION.test(path)) };
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Fills an organization with records of every kind. @returns an application */
async function fill(organization: TestOrganization): Promise<string> {
  const { admin, table } = organization;
  const other = await organization.withRole('admin');
  for (const one of fc.sample(steps, { seed: 11, numRuns: 5 }).flat()) await live({ admin, other }, one);
  await fillMachines(organization);
  await send(organization, { content: trufflehog([{ secret: OTHER, file: 'b.env', verified: true }]) });
  for (const [severity, days] of [
    ['critical', 40],
    ['high', 3],
    ['high', 0],
    ['low', 200],
  ] as const) {
    const cves = [`CVE-2021-442${days}`];
    const { id } = await table.create(
      findings,
      findingDraft(daysAgo(days), { severity, cves, epss: 0.1, ...kev(days) }),
    );
    const decide = (status: 'fixed' | 'open' | 'risk_accepted') =>
      admin.ok('updateFinding', { params: { id }, body: { status, reason: 'decided' } });
    if (days === 40) for (const status of ['fixed', 'open', 'fixed'] as const) await decide(status);
    if (days === 3) for (const status of ['fixed', 'open'] as const) await decide(status);
    if (days === 0) await decide('risk_accepted');
  }
  await engage(organization, ['10.1.2.3']);
  const ticket = await makeTicket(table);
  await table.update(tickets, ticket, { error: { code: 'x', message: 'x', at: daysAgo(0) } } as never);
  const [leak] = (await admin.ok('listExposedCredentials')).data;
  await admin.ok('updateExposedCredential', {
    params: { id: leak?.id ?? '' },
    body: { status: 'rotated', reason: 'in the vault' },
  });
  await send(organization, { content: trufflehog([{ secret: KEY, file: 'c.env', verified: true }]) });
  const application = await fillApplication(organization);
  await follow({ connections: system.connections, table });
  return application;
}

const kev = (days: number) => (days === 3 ? { kev: true as const } : {});

async function fillMachines(organization: TestOrganization): Promise<void> {
  const { admin, table } = organization;
  const agent = await organization.machine('agent', { zone: 'plant' });
  await report(agent, { hostname: 'web-7', os: debian });
  await organization.machine('agent');
  for (const kind of ['collector', 'integrator'] as const) await organization.machine(kind);
  await organization.scanner({ zone: 'plant.1' });
  await organization.scanner();
  await makeIntegration(
    { connections: system.connections, table },
    { webhook: 'x'.repeat(20) },
    { account: 'figures' },
  );
  const { taskId } = await admin.ok('importFindings', { body: hostReport(ssh + telnet) });
  await finished(admin, taskId);
  const [owner] = (await admin.ok('listServiceAccounts')).data;
  const [host] = (await admin.ok('listAssets', { query: { filter: 'type:host managed:false' } })).data;
  await admin.ok('updateAsset', {
    params: { id: host?.id ?? '' },
    body: { internetExposed: true, ownerId: owner?.id },
  });
}

/** A team that owns an application, with the owner of an asset and a late finding. */
async function fillTeam({ admin, table }: TestOrganization, application: string): Promise<string> {
  const accounts = (await admin.ok('listServiceAccounts')).data.filter(({ status }) => status === 'active');
  const memberIds = accounts.map((account) => account.id);
  const { id, name } = await admin.ok('createTeam', { body: { name: 'Shop', memberIds } });
  await admin.ok('updateApplication', { params: { id: application }, body: { ownerId: id } });
  await table.create(findings, findingDraft(daysAgo(9), { assignee: { id, name }, dueAt: daysAgo(4) }));
  return id;
}

async function fillApplication(organization: TestOrganization): Promise<string> {
  const { application, link, analyst } = await startWork(organization);
  const id = await application('Shop');
  for (const { id: assetId } of (await analyst.ok('listAssets', { query: { filter: 'retired:false' } })).data.slice(
    0,
    3,
  ))
    await link(id, assetId);
  return id;
}
