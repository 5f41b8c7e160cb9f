import { describe, expect, test } from 'vitest';
import { create, read, scan } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();

/** The state after the step. */
async function becomes(organization: TestOrganization, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await read(organization, id)).status).toBe(status);
}

test('exclusions within a target reach the scanner with the task; too many are refused', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const scanner = await organization.scanner({ taskTypes: ['web'] });
  const page = (path: string) => ({ type: 'url' as const, value: `https://shop.example.com/${path}` });
  const scope = { targets: [page('')], taskTypes: ['web'], exclusions: [page('logout'), page('admin')] };
  const { id } = await create(admin, scope);
  const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 5 } });
  const exclusions = ['admin', 'logout'].map((path) => ({ ...page(path), zone: null }));
  expect(tasks).toMatchObject([{ target: page(''), exclusions }]);
  const shown = await admin.ok('listScannerTasks', { query: { engagementId: id } });
  expect(shown.data).toMatchObject([{ exclusions }]);
  const many = Array.from({ length: 101 }, (_, n) => page(`page-${n}`));
  const refused = await admin.call('createEngagement', {
    body: { ...scan, ...scope, taskTypes: ['web'], exclusions: many },
  });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'exclusions' }] } });
});

describe('decisions', () => {
  test('an engagement of an analyst or an API key starts at once', async () => {
    const organization = await system.newOrganization();
    for (const client of [await organization.withRole('analyst'), await organization.apiKey(['scans:trigger'])]) {
      const { id, result } = await create(client);
      expect(result).toEqual({ engagementId: id, scannerTasks: 1 });
      expect((await read(organization, id)).status).toBe('scheduled');
    }
  });

  test('an engagement of a viewer makes no task before its approval', async () => {
    const organization = await system.newOrganization();
    const viewer = await organization.withRole('viewer');
    const { id, result } = await create(viewer);
    expect(result).toMatchObject({ engagementStatus: 'requested', scannerTasks: 0 });
    expect((await organization.admin.ok('listEngagementRequests')).data).toMatchObject([{ id, status: 'requested' }]);
    const params = { id };
    expect(await viewer.call('approveEngagement', { params })).toMatchObject({ status: 401 });
    const analyst = await organization.withRole('analyst');
    expect(await analyst.ok('approveEngagement', { params })).toMatchObject({ id });
    await becomes(organization, id, 'scheduled');
    expect((await read(organization, id)).tasks).toMatchObject({ pending: 1 });
    expect((await organization.admin.ok('listEngagementRequests')).totalCount).toBe(0);
  });

  test('exploitation always needs the decision of an administrator', async () => {
    const organization = await system.newOrganization();
    const analyst = await organization.withRole('analyst');
    const { id } = await create(analyst, { rulesOfEngagement: { allowExploitation: true } });
    const params = { id };
    expect(await analyst.call('approveEngagement', { params })).toMatchObject({
      status: 401,
      body: { code: 'insufficient_scope' },
    });
    expect((await read(organization, id)).status).toBe('requested');
    await organization.admin.ok('approveEngagement', { params });
    await becomes(organization, id, 'scheduled');
  });

  test('a change that needs a decision revokes the approval', async () => {
    const organization = await system.newOrganization();
    const analyst = await organization.withRole('analyst');
    const schedule = { startAt: '2099-01-01T00:00:00Z' };
    const { id } = await create(analyst, { schedule });
    const body = { rulesOfEngagement: { allowExploitation: true } };
    const changed = await analyst.ok('updateEngagement', { params: { id }, body });
    expect(changed).toMatchObject({ status: 'requested', nextRunAt: null });
  });

  test('a rejection keeps its reason and is final', async () => {
    const organization = await system.newOrganization();
    const { id } = await create(await organization.withRole('viewer'));
    const { admin } = organization;
    const rejected = await admin.ok('rejectEngagement', { params: { id }, body: { reason: 'not ours' } });
    expect(rejected).toMatchObject({ status: 'rejected', statusReason: 'not ours' });
    const moves = ['approveEngagement', 'cancelEngagement', 'completeEngagement', 'startEngagement'] as const;
    for (const move of moves) {
      const answer = await admin.call(move, {
        params: { id },
        ...(move === 'cancelEngagement' && { body: {} }),
      } as never);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'conflict', message: expect.stringContaining('rejected') },
      });
    }
  });
});

describe('the state machine', () => {
  test('an ended engagement offers no cancelling and does not wait for tasks', async () => {
    const { admin } = await system.newOrganization();
    const { id } = await create(admin, { schedule: { startAt: '2099-01-01T00:00:00Z' } });
    const params = { id };
    const says = async () => (await admin.call('startEngagement', { params })).body;
    expect(await says()).toMatchObject({ code: 'conflict', message: expect.stringContaining('tasks decide') });
    await admin.ok('cancelEngagement', { params, body: {} });
    expect(await says()).toMatchObject({ message: 'This engagement is cancelled: it cannot start; it is final.' });
  });

  test('an illegal step is refused with the present state and the permitted steps', async () => {
    const organization = await system.newOrganization();
    const { id } = await create(organization.admin);
    const answer = await organization.admin.call('approveEngagement', { params: { id } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'conflict',
        message: 'This engagement is scheduled: it cannot approve; from there it can only cancel.',
      },
    });
  });

  test('people start and complete an engagement without scanners', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin, { kind: 'penetration_test', taskTypes: [] });
    expect((await read(organization, id)).status).toBe('scheduled');
    const params = { id };
    expect(await admin.ok('startEngagement', { params })).toMatchObject({ status: 'running' });
    expect(await admin.call('startEngagement', { params })).toMatchObject({ status: 400, body: { code: 'conflict' } });
    expect(await admin.ok('completeEngagement', { params })).toMatchObject({ status: 'completed' });
    expect((await read(organization, id)).completedAt).not.toBeNull();
  });
});

describe('cancelling', () => {
  test('ends waiting tasks at once, and running ones with the next poll of the scanner', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const scanner = await organization.scanner();
    const targets = Array.from({ length: 20 }, (_, n) => ({ type: 'host' as const, value: `10.2.0.${n}` }));
    const { id } = await create(admin, { targets });
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 2 } });
    const cancelled = await admin.ok('cancelEngagement', { params: { id }, body: { reason: 'wrong week' } });
    expect(cancelled).toMatchObject({ status: 'cancelled', statusReason: 'wrong week' });
    await expect
      .poll(async () => (await read(organization, id)).tasks)
      .toMatchObject({ pending: 0, running: 2, cancelled: 18 });
    await expect
      .poll(async () => (await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } })).cancel.length)
      .toBe(2);
    // One task had been finished by then: its work counts.
    const results = [
      { taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports: [] },
      { taskId: tasks[1]?.id ?? '', outcome: 'cancelled' as const, reports: [] },
    ];
    await scanner.client.ok('completeScannerTasks', { body: { results } });
    const ended = await read(organization, id);
    expect(ended).toMatchObject({ status: 'cancelled', tasks: { running: 0, completed: 1, cancelled: 19 } });
    expect((await admin.ok('listEngagementRuns', { params: { id } })).data).toMatchObject([
      { number: 1, status: 'completed', tasks: { completed: 1, failed: 0, cancelled: 19 } },
    ]);
    const again = await admin.call('cancelEngagement', { params: { id }, body: {} });
    expect(again).toMatchObject({ status: 400, body: { code: 'conflict', message: expect.stringContaining('final') } });
  });

  test('and a simultaneous completion agree on one outcome, and the other caller gets a conflict', async () => {
    const organization = await system.newOrganization();
    const scanner = await organization.scanner();
    for (let round = 0; round < 5; round++) {
      const { id } = await create(organization.admin);
      const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
      const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports: [] }];
      const [cancel, complete] = await Promise.all([
        organization.admin.call('cancelEngagement', { params: { id }, body: {} }),
        scanner.client.call('completeScannerTasks', { body: { results } }),
      ]);
      expect(complete).toMatchObject({ status: 200, body: { results: [{ accepted: true }] } });
      const { status, tasks: counts } = await read(organization, id);
      expect(counts).toMatchObject({ completed: 1, running: 0, pending: 0 });
      if (cancel.status === 200) expect(status).toBe('cancelled');
      else expect([cancel.body, status]).toMatchObject([{ code: 'conflict' }, 'completed']);
    }
  });
});

describe('changing', () => {
  test('the scope is fixed once tasks exist; title, tags and due date can still be changed', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin);
    const params = { id };
    const scope = await admin.call('updateEngagement', {
      params,
      body: { targets: [{ type: 'host', value: '10.9.9.9' }] },
    });
    expect(scope).toMatchObject({ status: 400, body: { code: 'conflict', details: [{ path: 'targets' }] } });
    const body = { title: 'Another title', tags: ['q3'], dueAt: '2099-01-01T00:00:00.000Z' };
    expect(await admin.ok('updateEngagement', { params, body })).toMatchObject(body);
    const { findings, ...whole } = await read(organization, id);
    expect(await admin.ok('updateEngagement', { params, body: { ...whole, findings } })).toEqual(whole);
    const stale = await admin.call('updateEngagement', { params, body: { version: 1, title: 'x' } });
    expect(stale).toMatchObject({ status: 400, body: { code: 'conflict', current: { title: 'Another title' } } });
  });

  test('before the start a new scope is checked like the first, and a new start time applies', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin, { schedule: { startAt: '2099-01-01T00:00:00Z' } });
    const params = { id };
    const bad = await admin.call('updateEngagement', {
      params,
      body: { targets: [{ type: 'cidr', value: '10.0.0.0/4' }] },
    });
    expect(bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const body = {
      targets: [{ type: 'cidr' as const, value: '10.0.0.7/30' }],
      schedule: { startAt: '2098-01-01T00:00:00+01:00' },
    };
    expect(await admin.ok('updateEngagement', { params, body })).toMatchObject({
      targets: [{ value: '10.0.0.4/30' }],
      nextRunAt: '2097-12-31T23:00:00.000Z',
      wakeAt: '2097-12-31T23:00:00.000Z',
    });
  });

  test.each([
    ['an invalid recurrence', { schedule: { recurrence: 'daily' } }, 'schedule.recurrence'],
    ['an unknown time zone', { schedule: { timeZone: 'Mars/Olympus' } }, 'schedule.timeZone'],
    ['a window with an invalid hour', { windows: [{ days: ['mon'], from: '25:00', to: '06:00' }] }, 'windows.0.from'],
    ['a group and a pool', { scannerGroupId: scanId(1), publicScannerGroupId: scanId(2) }, 'publicScannerGroupId'],
    [
      'a retest of an unknown engagement',
      { kind: 'retest', retestOf: { engagementId: scanId(1) } },
      'retestOf.engagementId',
    ],
    ['an unknown lead', { leadId: 'nobody' }, 'leadId'],
    ['more addresses than an engagement may have', { targets: [{ type: 'cidr', value: '10.0.0.0/8' }] }, 'targets'],
  ])('a plan that cannot be carried out is refused: %s', async (_, more, path) => {
    const { admin } = await system.newOrganization();
    const answer = await admin.call('createEngagement', { body: { ...scan, ...more } as typeof scan });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
    expect((await admin.ok('listEngagements')).totalCount).toBe(0);
  });
});

function scanId(n: number): string {
  return `01900000-0000-7000-8000-00000000000${n}`;
}
