import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createServiceAccount } from '#shared/auth/issue.ts';
import type { Client } from '#test/support/client.ts';
import { startSystem, type TestOrganization } from '#test/support/system.ts';

const system = startSystem();

const scan = {
  title: 'Scan of the office',
  kind: 'vulnerability_scan' as const,
  targets: [{ type: 'host' as const, value: '10.1.2.3' }],
  taskTypes: ['network' as const],
};

/** Creates one, and waits until its task is done. */
async function create(client: Client, more: object = {}): Promise<{ id: string; result: Record<string, unknown> }> {
  const { taskId, resource } = await client.ok('createEngagement', { body: { ...scan, ...more } });
  const task = await client.ok('getTask', { params: { id: taskId }, query: { waitSeconds: 20 } });
  return { id: resource?.id ?? '', result: task.result ?? {} };
}

const read = ({ admin }: TestOrganization, id: string) => admin.ok('getEngagement', { params: { id } });

/** The state that it comes to. */
async function becomes(organization: TestOrganization, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await read(organization, id)).status, { timeout: 20_000 }).toBe(status);
}

describe('decisions', () => {
  test('what an analyst or an API key creates is worked at once', async () => {
    const organization = await system.newOrganization();
    for (const client of [await organization.withRole('analyst'), await organization.apiKey(['scans:trigger'])]) {
      const { id, result } = await create(client);
      expect(result).toEqual({ engagementId: id, scannerTasks: 1 });
      expect((await read(organization, id)).status).toBe('scheduled');
    }
  });

  test('what a viewer asks for makes no task until someone approves it', async () => {
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

  test('exploitation is decided by an administrator, whoever asks for it', async () => {
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

  test('a change that needs a decision takes the approval away', async () => {
    const organization = await system.newOrganization();
    const analyst = await organization.withRole('analyst');
    const schedule = { startAt: '2099-01-01T00:00:00Z' };
    const { id } = await create(analyst, { schedule });
    const body = { rulesOfEngagement: { allowExploitation: true } };
    const changed = await analyst.ok('updateEngagement', { params: { id }, body });
    expect(changed).toMatchObject({ status: 'requested', nextRunAt: null });
  });

  test('a rejection keeps its reason, and nothing follows it', async () => {
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
  test('an illegal step names the state and what is allowed from there', async () => {
    const organization = await system.newOrganization();
    const { id } = await create(organization.admin);
    const answer = await organization.admin.call('approveEngagement', { params: { id } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'conflict',
        message:
          'This engagement is scheduled: it cannot approve; from there it can only start or resubmit or complete or cancel or fail.',
      },
    });
  });

  test('people start and complete what no scanner works', async () => {
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
  test('ends what waits at once, and what runs when its scanner hears of it', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const scanner = await organization.scanner();
    const targets = Array.from({ length: 20 }, (_, n) => ({ type: 'host' as const, value: `10.2.0.${n}` }));
    const { id } = await create(admin, { targets });
    const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 2 } });
    const cancelled = await admin.ok('cancelEngagement', { params: { id }, body: { reason: 'wrong week' } });
    expect(cancelled).toMatchObject({ status: 'cancelled', statusReason: 'wrong week' });
    await expect
      .poll(async () => (await read(organization, id)).tasks, { timeout: 20_000 })
      .toMatchObject({ pending: 0, running: 2, cancelled: 18 });
    await expect
      .poll(async () => (await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } })).cancel.length)
      .toBe(2);
    // one had been finished by then: the work counts
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

  test('and completing at the same time end in one of the two, and the loser hears of it', async () => {
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
  test('the scope is fixed once tasks are made; what people agree on is not', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin);
    const params = { id };
    const scope = await admin.call('updateEngagement', {
      params,
      body: { targets: [{ type: 'host', value: '10.9.9.9' }] },
    });
    expect(scope).toMatchObject({ status: 400, body: { code: 'conflict', details: [{ path: 'targets' }] } });
    const body = { title: 'Another title', tags: ['q3'], dueAt: '2099-01-01T00:00:00Z' };
    expect(await admin.ok('updateEngagement', { params, body })).toMatchObject(body);
    const { findings, ...whole } = await read(organization, id);
    expect(await admin.ok('updateEngagement', { params, body: { ...whole, findings } })).toEqual(whole);
    const stale = await admin.call('updateEngagement', { params, body: { version: 1, title: 'x' } });
    expect(stale).toMatchObject({ status: 400, body: { code: 'conflict', current: { title: 'Another title' } } });
  });

  test('before it starts, a new scope is checked like the first and a new start is waited for', async () => {
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
    ['a recurrence that is none', { schedule: { recurrence: 'daily' } }, 'schedule.recurrence'],
    ['a time zone that is none', { schedule: { timeZone: 'Mars/Olympus' } }, 'schedule.timeZone'],
    ['a window without an hour', { windows: [{ days: ['mon'], from: '25:00', to: '06:00' }] }, 'windows.0.from'],
    ['a group and a pool', { scannerGroupId: scanId(1), publicScannerGroupId: scanId(2) }, 'publicScannerGroupId'],
    ['somebody who is not here', { leadId: 'nobody' }, 'leadId'],
    ['more addresses than an engagement may have', { targets: [{ type: 'cidr', value: '10.0.0.0/8' }] }, 'targets'],
  ])('a plan that cannot be worked is refused: %s', async (_, more, path) => {
    const { admin } = await system.newOrganization();
    const answer = await admin.call('createEngagement', { body: { ...scan, ...more } as typeof scan });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
    expect((await admin.ok('listEngagements')).totalCount).toBe(0);
  });
});

function scanId(n: number): string {
  return `01900000-0000-7000-8000-00000000000${n}`;
}

describe('people', () => {
  test('each sees the engagements that they asked for, lead or work on, and no others', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const account = async (name: string) => {
      const { id, clientId, clientSecret } = await admin.ok('createServiceAccount', {
        body: { name, role: 'analyst' },
      });
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const token = async () =>
        Object((await system.client().send('POST', '/api/v1/oauth/token', { body: form })).body).access_token as string;
      return { id, client: system.client(token) };
    };
    const [ada, bo] = [await account('Ada'), await account('Bo')];
    const { id: first } = await create(admin, { leadId: ada.id, memberIds: [bo.id, ada.id] });
    const { id: second } = await create(ada.client);
    const mine = async ({ client }: typeof ada) => (await client.ok('listMyEngagements')).data.map(({ id }) => id);
    expect(await mine(ada)).toEqual([second, first]);
    expect(await mine(bo)).toEqual([first]);
    await admin.ok('updateEngagement', { params: { id: first }, body: { memberIds: [], leadId: bo.id } });
    expect(await mine(ada)).toEqual([second]);
    expect(await mine(bo)).toEqual([first]);
    const paged = await ada.client.ok('listMyEngagements', { query: { paginateFrom: 1, paginateSize: 1 } });
    expect(paged).toMatchObject({ data: [], totalCount: 1 });
  });

  test('the largest team with the most credentials still fits', async () => {
    const { admin } = await system.newOrganization();
    const people = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        admin.ok('createServiceAccount', { body: { name: `${n}`, role: 'analyst' } }),
      ),
    );
    const [lead, ...members] = people.map(({ id }) => id);
    const credentials = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        admin.ok('createCredential', { body: { name: `${n}`, kind: 'api_token', secret: { token: 'x' } } }),
      ),
    );
    const tags = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    const more = { leadId: lead, memberIds: members, credentialIds: credentials.map(({ id }) => id), tags };
    expect((await create(admin, more)).result).toMatchObject({ scannerTasks: 1 });
  });

  test('staff of the provider are listed with what they have to do', async () => {
    const { admin, table } = await system.newOrganization();
    const { id } = await createServiceAccount(table, { name: 'Sam', role: 'staff' });
    await admin.ok('createServiceAccount', { body: { name: 'Vic', role: 'viewer' } });
    await create(admin, { leadId: id, memberIds: [id] });
    expect((await admin.ok('listEngagementStaff')).data).toEqual([
      { id, name: 'Sam', email: null, skills: [], activeEngagements: 1 },
    ]);
  });

  test('notes and work are kept with who did them, and work is summed up', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin);
    const params = { id };
    const note = await admin.ok('createEngagementNote', { params, body: { text: 'Called the owner.' } });
    expect((await admin.ok('listEngagementNotes', { params })).data).toEqual([note]);
    const work = { minutes: 90, what: 'Preparation', date: '2026-01-15' };
    const entry = await admin.ok('createWorkEntry', { params, body: work });
    await admin.ok('createWorkEntry', { params, body: { ...work, minutes: 30 } });
    expect(await admin.ok('listWorkEntries', { params })).toMatchObject({ totalCount: 2, totalMinutes: 120 });
    await admin.ok('deleteWorkEntry', { params: { id, entryId: entry.id } });
    expect(await admin.ok('listWorkEntries', { params })).toMatchObject({ totalCount: 1, totalMinutes: 30 });
    const { id: elsewhere } = await create(admin);
    const wrong = await admin.call('deleteEngagementNote', { params: { id: elsewhere, noteId: note.id } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'not_found' } });
    await admin.ok('deleteEngagementNote', { params: { id, noteId: note.id } });
    expect((await admin.ok('listEngagementNotes', { params })).totalCount).toBe(0);
    const negative = await admin.call('createWorkEntry', { params, body: { ...work, minutes: -5 } });
    expect(negative).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('the calendar', () => {
  const windows = [{ days: ['sat' as const], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' }];
  const schedule = { startAt: '2099-03-06T21:00:00Z', recurrence: 'FREQ=WEEKLY;COUNT=2', timeZone: 'Europe/Berlin' };

  test('shows starts, windows and due dates in order, by the clocks of their places', async () => {
    const { admin } = await system.newOrganization();
    await create(admin, { schedule, windows, dueAt: '2099-03-10T12:00:00Z' });
    const query = { from: '2099-03-02T00:00:00Z', to: '2099-03-14T00:00:00Z' };
    const { events } = await admin.ok('getEngagementCalendar', { query });
    expect(events.map(({ kind, startsAt, endsAt }) => [kind, startsAt, endsAt])).toEqual([
      ['start', '2099-03-06T21:00:00.000Z', null],
      ['window', '2099-03-07T21:00:00.000Z', '2099-03-08T03:00:00.000Z'],
      ['due', '2099-03-10T12:00:00.000Z', null],
      ['start', '2099-03-13T21:00:00.000Z', null],
    ]);
    const reverse = await admin.call('getEngagementCalendar', { query: { from: query.to, to: query.from } });
    expect(reverse).toMatchObject({ status: 400, body: { details: [{ path: 'to' }] } });
  });

  test('is a feed that calendar programs read, whatever the title', async () => {
    const { admin } = await system.newOrganization();
    const title = `Büro; Keller, "alles" \\ und ${'sehr '.repeat(20)}lang`;
    const startAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await create(admin, { title, schedule: { startAt } });
    const answer = await admin.send('GET', '/api/v1/validation-operations/engagements/calendar.ics');
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const feed = String(answer.body);
    const lines = feed.split('\r\n');
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    const unfolded = feed.replaceAll('\r\n ', '').split('\r\n');
    const escaped = title.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,');
    expect(unfolded).toContain(`SUMMARY:Start: ${escaped}`);
    expect(unfolded).toContain(`DTSTART:${startAt.replaceAll(/[-:]|\.\d+/g, '')}`);
    expect([unfolded[0], unfolded.at(-2)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
    const refused = await system.client().send('GET', '/api/v1/validation-operations/engagements/calendar.ics');
    expect(refused.status).toBe(401);
  });
});

test('the findings of an engagement are listed and counted with it', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const scanner = await organization.scanner();
  const { id } = await create(admin, { targets: [{ type: 'host', value: '127.0.0.1' }] });
  const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  const content = await readFile(new URL('../fixtures/reports/nmap-localhost.xml', import.meta.url), 'utf8');
  const reports = [{ format: 'nmap', content, encoding: 'utf8' as const }];
  const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports }];
  const { taskId } = await scanner.client.ok('completeScannerTasks', { body: { results } });
  await expect
    .poll(async () => (await scanner.client.ok('getTask', { params: { id: taskId } })).status, { timeout: 20_000 })
    .toBe('succeeded');
  const params = { id };
  const page = await admin.ok('listEngagementFindings', { params });
  expect(page.totalCount).toBeGreaterThan(0);
  expect(await admin.ok('listFindings', { query: { engagementId: id } })).toEqual(page);
  expect((await read(organization, id)).findings).toMatchObject({ new: page.totalCount, fixed: 0 });
});
