import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { teams } from '#shared/people/team.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { follow, log4j } from '../support/vulnerabilities.ts';

const system = startSystem();

/** Links name these ids, also in an organization that does not have the application. */
const IDS = { shop: newId(), bank: newId() };
type Name = keyof typeof IDS;
const NAMES: readonly Name[] = ['shop', 'bank'];

type Placed = { zone: string | null; isOfTeam: boolean; of: Name[] };
type Scope = { zones: string[]; of: Name[]; isOfTeam: boolean };

const placed = fc.record({
  zone: fc.constantFrom('DMZ', 'lab', null),
  isOfTeam: fc.boolean(),
  of: fc.subarray([...NAMES]),
  criticality: fc.constantFrom('low' as const, 'critical' as const),
  internetExposed: fc.constantFrom(true, null),
  tags: fc.subarray(['edge', 'old']),
});
const found = fc.record({
  on: fc.nat(9),
  severity: fc.constantFrom('critical' as const, 'medium' as const, 'info' as const),
  status: fc.constantFrom('open' as const, 'in_progress' as const, 'fixed' as const, 'false_positive' as const),
  isLog4j: fc.boolean(),
  secret: fc.constantFrom('api_key' as const, 'password' as const, undefined),
  days: fc.integer({ min: 1, max: 40 }),
});
const scopes = fc
  .record({ zones: fc.subarray(['dmz', 'LAB']), of: fc.subarray([...NAMES]), isOfTeam: fc.boolean() })
  .filter(({ zones, of, isOfTeam }) => zones.length + of.length > 0 || isOfTeam);

const WORLD = fc.sample(
  fc.tuple(fc.array(placed, { minLength: 10, maxLength: 10 }), fc.array(found, { minLength: 30 })),
  {
    numRuns: 1,
    seed: 11,
  },
)[0] ?? [[], []];
const SCOPES = fc.sample(fc.tuple(scopes, fc.constantFrom('viewer', 'auditor', 'analyst', 'admin')), {
  numRuns: 8,
  seed: 5,
});

const isIn = (scope: Scope, { zone, isOfTeam, of }: Placed): boolean =>
  scope.zones.some((one) => one.toLowerCase() === zone?.toLowerCase()) ||
  of.some((name) => scope.of.includes(name)) ||
  (scope.isOfTeam && isOfTeam);

const start = nowMs();
const daysAgo = (days: number): string => new Date(start - days * 86_400_000).toISOString();

/** An organization with the records that somebody may see. `bank` belongs to the team. */
async function holding(seen: (one: Placed) => boolean, names: readonly Name[]) {
  const organization = await system.newOrganization();
  const { table } = organization;
  const [places, problems] = WORLD;
  const { id: team } = await table.create(teams, {
    name: 'Web',
    description: null,
    leadId: null,
    memberIds: [],
    scimGroupId: null,
  });
  for (const name of names)
    await table.create(applications, { ...DRAFT, id: IDS[name], name, ownerId: name === 'bank' ? team : null });
  const made = new Map<number, Asset>();
  for (const [n, { of, isOfTeam, ...place }] of places.entries()) {
    if (!seen({ of, isOfTeam, ...place })) continue;
    const links = of.map((name) => ({
      applicationId: IDS[name],
      origin: 'manual' as const,
      at: daysAgo(3),
      by: systemActor,
    }));
    const value = `web-${n}`;
    const at = { firstSeenAt: daysAgo(50), lastSeenAt: daysAgo(n * 4) };
    const ownerId = isOfTeam ? team : null;
    made.set(n, await table.create(assets, { type: 'host', value, name: value, ...place, ...at, links, ownerId }));
  }
  for (const { on, isLog4j, days, secret, ...one } of problems) {
    const asset = made.get(on);
    const { of = [], isOfTeam = false } = places[on] ?? {};
    if (!asset) continue;
    const { id, name, zone } = asset;
    const follows = {
      asset: { id, type: 'host' as const, name, zone },
      ...(of.length > 0 && { applicationIds: of.map((name) => IDS[name]) }),
      ...(isOfTeam && { assetOwnerId: team }),
      ...(asset.tags.length > 0 && { assetTags: asset.tags }),
      ...(one.status === 'fixed' && { fixedAt: daysAgo(days / 2) }),
      ...(secret && { secret: { key: `${on} ${secret}`, kind: secret, account: `account-${on}` } }),
    };
    await table.create(
      findings,
      findingDraft(daysAgo(days), isLog4j ? log4j({ ...one, ...follows }) : { ...one, ...follows }),
    );
  }
  await follow({ connections: system.connections, table });
  return { organization, team };
}

const DRAFT = {
  description: null,
  criticality: 'high' as const,
  memberIds: [],
  tags: ['web'],
  internetExposed: null,
  dataClassification: null,
  environments: [],
};

/** Two organizations differ in ids, in links that have them, and in the times at which records were written. */
const OWN: readonly string[] = [
  'links',
  'version',
  'createdAt',
  'updatedAt',
  'computedAt',
  'asOf',
  'createdBy',
  'fingerprint',
  'contentHash',
];
/** The job that makes vulnerabilities takes them in no fixed order. */
const inOrder = ({ data, ...page }: { data: readonly { asset: { name: string } }[] }) => ({
  ...page,
  data: data.toSorted((a, b) => a.asset.name.localeCompare(b.asset.name)),
});
const alike = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) =>
      OWN.includes(name) ? undefined : typeof value === 'string' ? value.replace(/[0-9a-f-]{36}/g, 'id') : value,
    ),
  );

type Asked = { names: readonly Name[]; team: string; groups: readonly { zone?: string; applicationId?: string }[] };

const byAccount = ({ data, ...page }: { data: readonly { account: string | null; kind: string }[] }) => ({
  ...page,
  data: data.toSorted((a, b) => (`${a.account} ${a.kind}` < `${b.account} ${b.kind}` ? -1 : 1)),
});

/** Seconds pass between two answers. */
const withoutAge = ({ oldestActiveSeconds, ...summary }: { oldestActiveSeconds: number | null }) => ({
  ...summary,
  hasOldest: oldestActiveSeconds !== null,
});

/** Each list, search, counter and dashboard that is restricted to a part. */
async function answersOf(client: Client, { names, team, groups }: Asked) {
  const page = { paginateFrom: 1, paginateSize: 4 } as const;
  const answers: Record<string, unknown> = {};
  const keep = async (name: string, answer: Promise<unknown>) => {
    answers[name] = alike(await answer);
  };
  await keep('assets', client.ok('listAssets'));
  await keep(
    'assets found',
    client.ok('searchAssets', { query: { search: 'web', filter: 'tag:edge OR criticality:low' } }),
  );
  await keep('findings', client.ok('listFindings', { query: { paginateSize: 100 } }));
  await keep('findings by priority', client.ok('listFindings', { query: { ...page, sort: 'priority' } }));
  await keep(
    'findings of a filter',
    client.ok('listFindings', { query: { filter: '-severity:info (asset.tag:old OR cve:CVE-2021-44228)' } }),
  );
  await keep(
    'findings of a status',
    client.ok('listFindings', { query: { ...page, status: 'open', severity: 'critical' } }),
  );
  await keep('findings of a team', client.ok('listFindings', { query: { filter: `asset.owner:${team}` } }));
  await keep('findings found', client.ok('searchFindings', { query: { search: 'log4shell' } }));
  await keep('vulnerabilities', client.ok('listVulnerabilities').then(inOrder));
  await keep(
    'vulnerabilities of a status',
    client.ok('listVulnerabilities', { query: { status: 'open' } }).then(inOrder),
  );
  await keep('applications', client.ok('listApplications'));
  for (const name of names) {
    const params = { id: IDS[name] };
    await keep(`${name}: findings`, client.ok('listApplicationFindings', { params }));
    await keep(`${name}: vulnerabilities`, client.ok('listApplicationVulnerabilities', { params }).then(inOrder));
    await keep(`${name}: assets`, client.ok('listAssetMappings', { params }));
    await keep(`${name}: risk`, client.ok('getRiskSummary', { params }));
  }
  await keep('exposed credentials', client.ok('listExposedCredentials').then(byAccount));
  await keep(
    'exposed credentials found',
    client.ok('searchExposedCredentials', { query: { search: 'account' } }).then(byAccount),
  );
  await keep(
    'exposed credentials of a filter',
    client.ok('listExposedCredentials', { query: { filter: 'kind:api_key -status:false_positive' } }).then(byAccount),
  );
  await keep('dashboard of exposed credentials', client.ok('getExposedCredentialsSummary').then(withoutAge));
  for (const group of groups) {
    await keep(`frameworks of ${JSON.stringify(group)}`, client.ok('listFrameworks', { query: group }));
    await keep(
      `controls of ${JSON.stringify(group)}`,
      client.ok('listControls', { query: { ...group, status: 'failed' } }),
    );
  }
  await keep('remediations', client.ok('listRemediations'));
  await keep(
    'roles',
    client.ok('listRoles').then(({ data }) => data.map(({ holders: _of, ...role }) => role)),
  );
  await keep('dashboard of findings', client.ok('getFindingsSummary'));
  await keep('dashboard of vulnerabilities', client.ok('getVulnerabilitiesSummary'));
  await keep('dashboard of assets', client.ok('getAssetsSummary'));
  await keep('trend', client.ok('getFindingsTrend'));
  await keep('trend of a tag', client.ok('getFindingsTrend', { query: { assetTag: 'edge' } }));
  await keep('top', client.ok('getTopFindings'));
  await keep('team', client.ok('getTeamSummary', { params: { id: team } }));
  for (const field of ['severity', 'asset.zone', 'asset.tag', 'tool'])
    await keep(`values of ${field}`, client.ok('listFilterValues', { query: { entity: 'finding', field } }));
  await keep('check', client.ok('checkFilter', { body: { entity: 'asset', filter: 'criticality:critical' } }));
  const written = { query: { waitSeconds: 20 } } as const;
  const exported = await client.ok('exportAssets', {
    ...written,
    body: { format: 'csv', columns: ['name', 'criticality', 'riskScore', 'applications'] },
  });
  await keep('export of assets', (await fetch(exported.file?.url ?? '')).text());
  const lines = await client.ok('exportFindings', { ...written, body: { format: 'csv' } });
  await keep('number of exported findings', Promise.resolve(lines.file?.findings));
  return answers;
}

let whole: { organization: TestOrganization; team: string };
beforeAll(async () => {
  whole = await holding(() => true, NAMES);
});

test.each(SCOPES)('%j as %s sees what an organization with only these records has', async (scope, role) => {
  const applicationIds = scope.of.map((name) => IDS[name]);
  const person = await whole.organization.person(role, {
    ...(scope.zones.length > 0 && { zones: scope.zones }),
    ...(applicationIds.length > 0 && { applicationIds }),
    ...(scope.isOfTeam && { teamIds: [whole.team] }),
  });
  const names = NAMES.filter((name) => scope.of.includes(name) || (scope.isOfTeam && name === 'bank'));
  const twin = await holding((one) => isIn(scope, one), names);
  const groups = [
    ...scope.zones.map((zone) => ({ zone })),
    ...applicationIds.map((applicationId) => ({ applicationId })),
  ];
  const own = await answersOf(person, { names, team: whole.team, groups });
  expect(own).toEqual(await answersOf(await twin.organization.person(role), { names, team: twin.team, groups }));
  expect(Object.keys(own).length).toBeGreaterThan(20);
});
