import { expect, test } from 'vitest';
import { makeTask, openEngagement, take } from '../support/apex.ts';
import { create } from '../support/engagements.ts';
import { startSystem } from '../support/system.ts';

/** A progress report that is too long must not cost a machine its work. */
const system = startSystem();

const long = `${'x'.repeat(499)}😀`;

test('a scanner keeps its task even if its progress report is out of bounds', async () => {
  const organization = await system.newOrganization();
  const scanner = await organization.scanner();
  await create(organization.admin);
  const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  const taskId = tasks[0]?.id ?? '';
  for (const progress of [100, -1]) {
    const running = [{ taskId, progress, message: long }];
    const answer = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 0, running } });
    expect(answer).toMatchObject({ lost: [] });
  }
});

test('an appliance keeps its task even if its progress report is out of bounds, and the valid part is shown', async () => {
  const organization = await system.newOrganization();
  const appliance = await organization.machine('apex');
  const task = await makeTask(organization, await openEngagement(organization));
  await take(appliance);
  const running = [{ taskId: task.id, progress: 1.5, step: long, message: long }];
  const polled = await appliance.client.ok('leaseApexTasks', { body: { capacity: 0, running } });
  expect(polled).toMatchObject({ lost: [] });
  const updated = await appliance.client.ok('updateApexSession', {
    body: {
      state: 'busy',
      running,
      resources: { cpuPercent: 320 },
      events: [{ at: '2026-01-15T08:00:00Z', level: 'info', message: 'x'.repeat(5000) }],
    },
  });
  expect(updated).toMatchObject({ lost: [], leases: [{ taskId: task.id }] });
  const shown = await organization.admin.ok('getApexTask', { params: { id: task.id } });
  expect(shown.progress).toEqual({ fraction: 1, step: 'x'.repeat(120), message: `${'x'.repeat(499)}\ufffd` });
  const seen = await organization.admin.ok('getAppliance', { params: { id: appliance.id } });
  expect(seen.session?.resources).toEqual({ cpuPercent: 100 });
});
