import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { create } from '../support/engagements.ts';
import { findingDraft } from '../support/findings.ts';
import { hostReport, ssh, telnet } from '../support/host-report.ts';
import { startSystem } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

test('a remediation that is done is verified by scanning again as the engagement did', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const scanner = await organization.scanner();
  const targets = [
    { type: 'cidr', value: '192.0.2.0/28' },
    { type: 'host', value: '198.51.100.7' },
  ];
  /** The scanner completes the task of an engagement on the range with this report. @returns the leased tasks of the engagement */
  async function scan(engagementId: string, ports: string) {
    const isOnRange = ({ target }: { target: { value: string } }) => target.value === '192.0.2.0/28';
    const own: { id: string; target: { value: string } }[] = [];
    while (!own.some(isOnRange)) {
      const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 4 } });
      own.push(...tasks.filter((task) => task.engagementId === engagementId));
    }
    const task = own.find(isOnRange);
    const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports: [hostReport(ports)] }];
    const completed = await scanner.client.ok('completeScannerTasks', { body: { results } });
    expect((await finished(scanner.client, completed.taskId)).status).toBe('succeeded');
    return own.length;
  }
  const source = await create(admin, { targets });
  await scan(source.id, ssh + telnet);
  const { data } = await admin.ok('listFindings', { query: { engagementId: source.id, severity: ['high'] } });
  const findingIds = data.map(({ id }) => id);
  expect(findingIds).toHaveLength(1);
  const { id, taskId } = await admin.ok('createRemediation', {
    body: { title: 'Switch telnet off', findingIds, status: 'done' },
  });
  await finished(admin, taskId ?? '');

  const queued = await admin.ok('verifyRemediation', { params: { id } });
  await finished(admin, queued.taskId);
  const retest = await admin.ok('getEngagement', { params: { id: queued.resource?.id ?? '' } });
  expect(retest).toMatchObject({
    kind: 'retest',
    title: 'Retest: Switch telnet off',
    targets: [{ type: 'cidr', value: '192.0.2.0/28' }],
    taskTypes: ['network'],
    retestOf: { engagementId: source.id, findingIds },
  });
  expect(await admin.ok('getRemediation', { params: { id } })).toMatchObject({
    status: 'done',
    verifyTaskId: queued.taskId,
    progress: { total: 1, fixed: 0 },
  });
  expect(await scan(retest.id, ssh)).toBe(1);
  expect(await admin.ok('getRemediation', { params: { id } })).toMatchObject({
    status: 'verified',
    progress: { total: 1, fixed: 1, fixedByScan: 1 },
  });
});

test('what only imports found is refused, and no engagement is made', async () => {
  const { admin, table } = await system.newOrganization();
  const finding = await table.create(findings, findingDraft('2026-01-05T08:00:00.000Z'));
  const { id, taskId } = await admin.ok('createRemediation', { body: { title: 'x', findingIds: [finding.id] } });
  await finished(admin, taskId ?? '');
  expect(await admin.call('verifyRemediation', { params: { id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', message: expect.stringContaining('import a new report') },
  });
  expect((await admin.ok('listEngagements', { query: {} })).totalCount).toBe(0);
});

test('a long title is cut, and an engagement that would be refused today is refused by its fields', async () => {
  const { admin, table } = await system.newOrganization();
  const source = await create(admin);
  const host = {
    type: 'host' as const,
    value: '10.1.2.3',
    name: '10.1.2.3',
    zone: null,
    criticality: 'medium' as const,
  };
  const firstSeenAt = '2026-01-05T08:00:00.000Z';
  const { id: assetId } = await table.create(assets, { ...host, internetExposed: null, tags: [], firstSeenAt });
  const asset = { id: assetId, type: host.type, name: host.name, zone: null };
  const finding = await table.create(findings, findingDraft(firstSeenAt, { asset, engagementId: source.id }));
  const title = 'x'.repeat(200);
  const { id, taskId } = await admin.ok('createRemediation', { body: { title, findingIds: [finding.id] } });
  await finished(admin, taskId ?? '');
  const { resource } = await admin.ok('verifyRemediation', { params: { id } });
  const retest = await admin.ok('getEngagement', { params: { id: resource?.id ?? '' } });
  expect(retest.title).toBe(`Retest: ${'x'.repeat(191)}…`);

  await table.modify(engagements, source.id, () => ({ intensity: 'extreme' as never }));
  expect(await admin.call('verifyRemediation', { params: { id } })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: expect.stringMatching(/^intensity: /) },
  });
  expect((await table.list(engagements, { paginateFrom: 0, paginateSize: 5 })).data).toHaveLength(2);
});
