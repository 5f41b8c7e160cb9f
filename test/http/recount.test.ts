import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { OVERVIEW_PARTS } from '../support/overview-parts.ts';
import { startSystem } from '../support/system.ts';
import { runs } from '../support/tier.ts';
import { eventually } from '../support/wait.ts';
import { live, steps } from './recount-world.ts';

const system = startSystem();

test('dashboards equal a recount of the lists, whatever people and machines did', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (done) => {
      const organization = await system.newOrganization();
      const people = { admin: organization.admin, other: await organization.withRole('admin') };
      for (const one of done) await live(people, one);
      await expectRecount(people.admin);
    }),
    { numRuns: runs(2, 4), endOnFailure: true },
  );
});

type Item = Record<string, unknown>;
type Lists =
  | 'listFindings'
  | 'listVulnerabilities'
  | 'listAssets'
  | 'listAlerts'
  | 'listIncidents'
  | 'listResponseActions';

async function all(client: Client, name: Lists): Promise<Item[]> {
  const { data, totalCount } = await client.ok(name, { query: { paginateSize: 100 } });
  expect(data).toHaveLength(totalCount);
  return data;
}

/** The numbers of items by a field, for each of the values that an answer names. */
const countedBy = (items: readonly Item[], field: string, answer: object) =>
  Object.fromEntries(Object.keys(answer).map((value) => [value, items.filter((one) => one[field] === value).length]));

const OPEN = ['open', 'in_progress'];
const isOpen = ({ status }: Item) => OPEN.includes(String(status));
const isOpenAlert = ({ status }: Item) => !['resolved', 'false_positive'].includes(String(status));

async function expectRecount(client: Client): Promise<void> {
  const findings = await client.ok('getFindingsSummary');
  expect(findings).toMatchObject(recounted(await all(client, 'listFindings'), findings));
  // the views follow what they show
  await eventually(async () => {
    const vulnerabilities = await client.ok('getVulnerabilitiesSummary');
    expect(vulnerabilities).toMatchObject(recounted(await all(client, 'listVulnerabilities'), vulnerabilities));
    expect(vulnerabilities.open).toBe(await openTogether(client));
  });
  await expectAssets(client);
  await expectSoc(client);
  await expectCompliance(client);
  await expectOverview(client);
}

/** A control fails by findings that the list has, and passes only where each type of assets was looked at. */
async function expectCompliance(client: Client): Promise<void> {
  const query = { framework: 'owasp-top-10-2021', paginateSize: 100 };
  const controls = (await client.ok('listControls', { query: query as never })).data;
  expect(controls).toHaveLength(10);
  const items = (await all(client, 'listAssets')).filter(({ status }) => status !== 'retired');
  for (const { status, criteria } of controls) {
    for (const { name, openFindings, acceptedFindings } of criteria) {
      const found = (await client.ok('listFindings', { query: { weakness: name, paginateSize: 100 } as never })).data;
      const [open, accepted] = [found.filter(isOpen), found.filter((one) => one.status === 'risk_accepted')];
      expect({ name, openFindings, acceptedFindings }).toEqual({
        name,
        openFindings: open.length,
        acceptedFindings: accepted.length,
      });
    }
    expect(status === 'failed').toBe(criteria.some((one) => one.openFindings + one.acceptedFindings > 0));
    const looked = criteria.flatMap((one) => (one.kind === 'weakness' ? one.looked : []));
    for (const { assetType, assets } of looked)
      expect(assets).toBe(items.filter(({ type }) => type === assetType).length);
    if (status === 'passed') for (const { by } of looked) expect(by.some(({ assets }) => assets > 0)).toBe(true);
  }
}

/** One call shows what the operations of its parts show. */
async function expectOverview(client: Client): Promise<void> {
  const { asOf: _now, ...overview } = await client.ok('getSystemOverview');
  expect(Object.keys(overview).sort()).toEqual(Object.keys(OVERVIEW_PARTS).sort());
  for (const [part, operation] of Object.entries(OVERVIEW_PARTS)) {
    const { asOf: _then, ...alone } = Object(await client.ok(operation));
    const { asOf: _there, ...together } = Object(overview[part as keyof typeof OVERVIEW_PARTS]);
    expect({ [part]: together }).toEqual({ [part]: alone });
  }
}

type Counted = { byStatus: object; bySeverity: object; openBySeverity: object };

const recounted = (items: readonly Item[], answer: Counted) => ({
  total: items.length,
  open: items.filter(isOpen).length,
  byStatus: countedBy(items, 'status', answer.byStatus),
  bySeverity: countedBy(items, 'severity', answer.bySeverity),
  openBySeverity: countedBy(items.filter(isOpen), 'severity', answer.openBySeverity),
});

/** Open vulnerabilities as the findings tell them: each advisory on each component of each asset once. */
async function openTogether(client: Client): Promise<number> {
  const open = (await client.ok('listFindings', { query: { paginateSize: 100 } })).data.filter(isOpen);
  return new Set(open.flatMap(({ asset, cves }) => cves.map((cve) => `${asset.id} ${cve}`))).size;
}

async function expectAssets(client: Client): Promise<void> {
  const answer = await client.ok('getAssetsSummary');
  const items = (await all(client, 'listAssets')).filter(({ status }) => status !== 'retired');
  expect(answer).toMatchObject({
    total: items.length,
    byType: countedBy(items, 'type', answer.byType),
    byCriticality: countedBy(items, 'criticality', answer.byCriticality),
    unowned: items.filter(({ ownerId }) => ownerId === null).length,
  });
}

async function expectSoc(client: Client): Promise<void> {
  const { alerts, incidents, responseActions } = await client.ok('getSOCSummary');
  const [raised, grouped] = [await all(client, 'listAlerts'), await all(client, 'listIncidents')];
  const actions = (await all(client, 'listResponseActions')).map(({ status }) => status);
  const open = raised.filter(isOpenAlert);
  const left = grouped.filter(({ status }) => status !== 'closed');
  expect({ alerts, incidents, responseActions }).toMatchObject({
    alerts: {
      total: raised.length,
      byStatus: countedBy(raised, 'status', alerts.byStatus),
      openBySeverity: countedBy(open, 'severity', alerts.openBySeverity),
      unassigned: open.filter(({ assigneeId }) => assigneeId === null).length,
    },
    incidents: {
      total: grouped.length,
      byStatus: countedBy(grouped, 'status', incidents.byStatus),
      openBySeverity: countedBy(left, 'severity', incidents.openBySeverity),
    },
    responseActions: { awaitingApproval: actions.filter((status) => status === 'awaiting_approval').length },
  });
}
