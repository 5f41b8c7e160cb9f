import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import type { Client } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';

/** An auditor asks who accepted which risks, until when, for whose systems. */
const system = startSystem();
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const until = day(30);
let organization: TestOrganization;
let analyst: Client;
let findingId: string;

beforeAll(async () => {
  organization = await system.newOrganization();
  analyst = await organization.withRole('analyst');
  const { admin, table } = organization;
  const { id: ownerId } = await createServiceAccount(table, { name: 'Ada', role: 'viewer' });
  const body = { type: 'host' as const, value: 'shop-1', ownerId, tags: ['pci'] };
  const { id, type, name, zone } = await admin.ok('createAsset', { body });
  const { id: applicationId } = await admin.ok('createApplication', { body: { name: 'Web shop' } });
  await admin.ok('createAssetMapping', { params: { id: applicationId }, body: { assetId: id } });
  const asset = { id, type, name, zone };
  ({ id: findingId } = await addFinding(table, log4j({ asset })));
  await addFinding(table, log4j({ asset, cves: ['CVE-2020-0001'], ruleId: 'CVE-2020-0001' }));
  const accepted = { status: 'risk_accepted' as const, reason: 'shut off next month', acceptedUntil: until };
  await analyst.ok('updateFinding', { params: { id: findingId }, body: accepted });
  await follow({ connections: system.connections, table });
});

const acceptance = { reason: 'shut off next month', approver: { name: 'analyst' }, until };

test('a vulnerability that is accepted through its finding shows why, by whom and until when', async () => {
  const { data } = await analyst.ok('listVulnerabilities', { query: { status: 'risk_accepted' } });
  expect(data).toMatchObject([
    { status: 'risk_accepted', statusReason: acceptance.reason, acceptance: { ...acceptance, treatment: 'accept' } },
  ]);
  const read = await analyst.ok('getVulnerability', { params: { id: data[0]?.id ?? '' } });
  expect(read.acceptance).toEqual(data[0]?.acceptance);
});

test('a filter finds accepted risks whose acceptance ends before a day', async () => {
  const ending = async (acceptanceEndsBefore: string) => {
    const query = { acceptanceEndsBefore };
    const [findings, vulnerabilities] = await Promise.all([
      analyst.ok('listFindings', { query }),
      analyst.ok('listVulnerabilities', { query }),
    ]);
    return [findings, vulnerabilities].map(({ totalCount }) => totalCount);
  };
  expect(await ending(until.slice(0, 10))).toEqual([0, 0]);
  expect(await ending(day(31).slice(0, 10))).toEqual([1, 1]);
});

async function rowsOf(name: 'exportFindings' | 'exportVulnerabilities' | 'exportAssets', filter: object) {
  const { file } = await analyst.ok(name, { body: { filter }, query: { waitSeconds: 20 } });
  const text = await (await fetch(file?.url ?? '')).text();
  return parse(text, { columns: true }) as Record<string, string>[];
}

test('exports have the approver, and the owner, tags and applications of the asset', async () => {
  const facts = { 'owner.name': 'Ada', applications: 'Web shop' };
  const approved = { 'acceptance.approver.name': 'analyst', 'acceptance.until': until };
  const filter = { status: ['risk_accepted'] };
  const ofAsset = { ...facts, 'asset.tags': 'pci' };
  expect(await rowsOf('exportFindings', filter)).toMatchObject([
    { ...ofAsset, ...approved, statusReason: acceptance.reason },
  ]);
  expect(await rowsOf('exportVulnerabilities', filter)).toMatchObject([{ ...ofAsset, ...approved }]);
  expect(await rowsOf('exportAssets', {})).toMatchObject([{ ...facts, tags: 'pci' }]);
});

test('a decision on the vulnerability replaces what its findings say', async () => {
  const [one] = (await analyst.ok('listVulnerabilities', { query: { status: 'risk_accepted' } })).data;
  const body = { status: 'false_positive' as const, reason: 'the class is not loaded' };
  const changed = await analyst.ok('updateVulnerability', { params: { id: one?.id ?? '' }, body });
  expect(changed).toMatchObject({ statusReason: body.reason, acceptance: null });
});
