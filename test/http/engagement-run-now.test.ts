import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { create } from '../support/engagements.ts';
import { hostReport, ssh, telnet } from '../support/host-report.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

describe('a scheduled engagement is run now', () => {
  let organization: TestOrganization;
  let admin: Client;
  let scanner: TestMachine;
  let id: string;
  beforeAll(async () => {
    organization = await system.newOrganization();
    ({ admin } = organization);
    scanner = await organization.scanner();
    const targets = [{ type: 'host', value: '192.0.2.9' }];
    ({ id } = await create(admin, { targets, schedule: { startAt: '2099-01-01T00:00:00Z' } }));
  });

  /** A run whose one task the scanner completes with this report. */
  async function run(ports: string) {
    const { taskId } = await admin.ok('runEngagement', { params: { id } });
    expect(await finished(admin, taskId)).toMatchObject({ status: 'succeeded', result: { scannerTasks: 1 } });
    expect(await admin.call('runEngagement', { params: { id } })).toMatchObject({
      status: 400,
      body: { code: 'conflict', message: 'A run is in progress: wait until it has ended.' },
    });
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
    const scannerTask = tasks[0]?.id ?? '';
    const results = [{ taskId: scannerTask, outcome: 'completed' as const, reports: [hostReport(ports)] }];
    const completed = await scanner.client.ok('completeScannerTasks', { body: { results } });
    expect((await finished(scanner.client, completed.taskId)).status).toBe('succeeded');
    await expect.poll(async () => (await admin.ok('getEngagement', { params: { id } })).status).toBe('scheduled');
    return admin.ok('getScannerTask', { params: { id: scannerTask } });
  }

  test('and each run and its task show what the scan found new, gone and back, by severity', async () => {
    const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    const changes = [
      { created: { ...none, high: 1, info: 1 }, closed: none, reopened: none },
      { created: none, closed: { ...none, high: 1 }, reopened: none },
      { created: none, closed: none, reopened: { ...none, high: 1 } },
    ];
    for (const [n, ports] of [ssh + telnet, ssh, ssh + telnet].entries())
      expect((await run(ports)).result?.bySeverity).toEqual(changes[n]);
    const { data } = await admin.ok('listEngagementRuns', { params: { id } });
    expect(data.map(({ findings }) => findings)).toEqual(changes.toReversed());
    expect(data.map(({ number, scheduledFor }) => [number, scheduledFor])).toEqual([
      [3, null],
      [2, null],
      [1, null],
    ]);
  });

  test('and keeps its schedule', async () => {
    expect(await admin.ok('getEngagement', { params: { id } })).toMatchObject({
      status: 'scheduled',
      nextRunAt: '2099-01-01T00:00:00.000Z',
    });
  });

  test('but not by a viewer, nor before its approval, nor when it is over', async () => {
    const viewer = await organization.withRole('viewer');
    expect(await viewer.call('runEngagement', { params: { id } })).toMatchObject({ status: 401 });
    const asked = await create(viewer, {});
    const refused = await admin.call('runEngagement', { params: { id: asked.id } });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'conflict', message: expect.stringMatching(/requested/) },
    });
    await admin.ok('cancelEngagement', { params: { id: asked.id }, body: {} });
    expect(await admin.call('runEngagement', { params: { id: asked.id } })).toMatchObject({ status: 400 });
  });
});
