import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { create, newAccount, scanLocalhost } from '../support/engagements.ts';
import { routes } from '../support/every-route.ts';
import { startSystem } from '../support/system.ts';

/** Reading scans does not need the permission to start them. */
const system = startSystem();

test('a key that reads findings reads engagements, scanners and campaigns, and starts nothing', async () => {
  const { admin, apiKey } = await system.newOrganization();
  const key = await apiKey(['findings:read']);
  const { id } = await create(admin);
  for (const name of [
    'listEngagements',
    'listScanners',
    'listScannerTasks',
    'listCampaigns',
    'listAppliances',
  ] as const)
    expect((await key.call(name)).status, name).toBe(200);
  const params = { id };
  expect(await key.ok('getEngagement', { params })).toMatchObject({ id });
  expect(await key.call('cancelEngagement', { params, body: {} })).toMatchObject({ status: 401 });
  expect(await key.call('createEngagementNote', { params, body: { text: 'hello' } })).toMatchObject({ status: 401 });
  expect((await admin.ok('getEngagement', { params })).status).toBe('scheduled');
});

test('no operation that only reads asks for the scope that starts scans', () => {
  const readers = routes.filter(({ method }) => method === 'GET');
  const asking = readers.filter(({ access }) => typeof access === 'object' && access.scope === 'scans:trigger');
  expect(asking.map(({ name }) => name)).toEqual([]);
});

test('assigned staff read the evidence of the findings that they list, and of no others', async () => {
  const provider = await system.newOrganization();
  const { account, client: sam } = await newAccount(system, await provider.withRole('platform_owner'), {
    name: 'Sam',
    role: 'pentester',
  });
  const client = await system.newOrganization();
  const { admin } = client;
  // the second task keeps the engagement open
  const targets = ['127.0.0.1', '10.1.2.3'].map((value) => ({ type: 'host', value }));
  const scanner = await client.scanner();
  const { id } = await create(admin, { targets, memberIds: [account.id] });
  await scanLocalhost(scanner);
  const [found] = (await sam.ok('listEngagementFindings', { params: { id } })).data;
  const findingId = found?.id ?? '';
  const sha256 = createHash('sha256').update('a picture').digest('hex');
  const { uploadId, parts } = await admin.ok('createUpload', { body: { sizeBytes: 9, sha256, name: 'login.png' } });
  await fetch(parts[0]?.url ?? '', { method: 'PUT', headers: parts[0]?.headers ?? {}, body: 'a picture' });
  const body = { uploadId, kind: 'screenshot' as const };
  const file = await admin.ok('createFindingEvidence', { params: { id: findingId }, body });
  const params = { id, findingId };
  const { evidence } = await admin.ok('getFinding', { params: { id: findingId } });
  expect(await sam.ok('listEngagementFindingEvidence', { params })).toEqual({ texts: evidence, files: [file] });
  const place = { ...params, evidenceId: file.id };
  const { downloadUrl } = await sam.ok('getEngagementFindingEvidence', { params: place });
  expect(await (await fetch(downloadUrl)).text()).toBe('a picture');
  const { id: other } = await create(admin, { memberIds: [account.id] });
  const elsewhere = await sam.call('listEngagementFindingEvidence', { params: { id: other, findingId } });
  expect(elsewhere).toMatchObject({ status: 400, body: { code: 'not_found' } });
  const { client: stranger } = await newAccount(system, await provider.withRole('platform_owner'), {
    name: 'Ann',
    role: 'pentester',
  });
  for (const answer of [
    await stranger.call('listEngagementFindingEvidence', { params }),
    await stranger.call('getEngagementFindingEvidence', { params: place }),
  ])
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
});
