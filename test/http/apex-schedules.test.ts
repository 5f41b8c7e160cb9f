import { afterEach, describe, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { inSeconds, setClock } from '#shared/platform/runtime/clock.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { end, makeCampaign, openEngagement, readCampaign, run, take } from '../support/apex.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
afterEach(() => setClock());

const schedule = { startAt: '2099-01-01T03:00:00.000Z', recurrence: 'FREQ=DAILY;COUNT=3', timeZone: 'UTC' };
const starts = ['2099-01-01T03:00:00.000Z', '2099-01-02T03:00:00.000Z', '2099-01-03T03:00:00.000Z'];

async function setUp() {
  const organization = await system.newOrganization();
  const engagementId = await openEngagement(organization);
  const appliance = await organization.machine('apex');
  return { organization, admin: organization.admin, engagementId, appliance };
}

const runsOf = async ({ admin }: TestOrganization, id: string) =>
  (await admin.ok('listCampaignRuns', { params: { id } })).data;

/** Runs the sweeper half a minute after the start of the campaign. */
async function sweepAt({ organizationId }: TestOrganization, id: string, time = ''): Promise<void> {
  const at = Date.parse(time);
  setClock(() => at + 30_000);
  await work(system.connections, placedTimer({ at, kind: 'apex-start', organizationId, id }));
  setClock();
}

async function doTask(appliance: TestMachine): Promise<void> {
  const [task] = await until(
    () => take(appliance),
    (tasks) => tasks.length === 1,
  );
  await end(appliance, task?.id ?? '');
}

describe('a campaign with a recurrence', () => {
  test('runs at each start, waits between them, and has ended after the last', async () => {
    const { organization, engagementId, appliance } = await setUp();
    const { id, ...made } = await makeCampaign(organization, engagementId, { schedule });
    expect(made).toMatchObject({ status: 'scheduled', nextRunAt: starts[0], schedule });
    for (const [n, start] of starts.entries()) {
      await sweepAt(organization, id, start);
      const isLast = n === 2;
      const nextRunAt = starts[n + 1] ?? null;
      expect(await readCampaign(organization, id)).toMatchObject({ status: 'running', runs: n + 1, nextRunAt });
      await sweepAt(organization, id, start);
      await doTask(appliance);
      expect(await readCampaign(organization, id)).toMatchObject({
        status: isLast ? 'completed' : 'scheduled',
        schedule: isLast ? null : schedule,
        currentRun: null,
        tasks: { completed: 1 },
      });
    }
    const runs = await runsOf(organization, id);
    expect(runs.map(({ status, scheduledFor }) => `${status} ${scheduledFor}`)).toEqual(
      starts.toReversed().map((start) => `completed ${start}`),
    );
  });

  test('lists a start as skipped while the previous run is running or paused', async () => {
    const { organization, admin, engagementId, appliance } = await setUp();
    const { id } = await makeCampaign(organization, engagementId, { schedule });
    await sweepAt(organization, id, starts[0]);
    await admin.ok('pauseCampaign', { params: { id } });
    await sweepAt(organization, id, starts[1]);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'paused', nextRunAt: starts[2], runs: 2 });
    await admin.ok('resumeCampaign', { params: { id } });
    await sweepAt(organization, id, starts[2]);
    const runs = await runsOf(organization, id);
    expect(runs).toMatchObject([
      {
        status: 'skipped',
        scheduledFor: starts[2],
        startedAt: null,
        statusReason: expect.stringContaining('not done'),
      },
      { status: 'skipped', scheduledFor: starts[1], startedAt: null, finishedAt: expect.any(String) },
      { status: 'running', scheduledFor: starts[0] },
    ]);
    await doTask(appliance);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'completed', schedule: null, runs: 3 });
  });

  test('can be run by hand without losing its next start', async () => {
    const { organization, engagementId, appliance } = await setUp();
    const { id } = await makeCampaign(organization, engagementId, { schedule });
    await run(organization, id);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'running', nextRunAt: starts[0], schedule });
    await doTask(appliance);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'scheduled', nextRunAt: starts[0] });
    expect(await runsOf(organization, id)).toMatchObject([{ status: 'completed', scheduledFor: null }]);
  });

  test('is cancelled together with its schedule, waiting or running', async () => {
    const { organization, admin, engagementId, appliance } = await setUp();
    const waiting = await makeCampaign(organization, engagementId, { schedule });
    const cancelled = { status: 'cancelled', schedule: null, nextRunAt: null };
    expect(await admin.ok('cancelCampaign', { params: { id: waiting.id } })).toMatchObject(cancelled);
    await sweepAt(organization, waiting.id, starts[0]);
    expect(await runsOf(organization, waiting.id)).toEqual([]);

    const { id } = await makeCampaign(organization, engagementId, { schedule });
    await sweepAt(organization, id, starts[0]);
    await until(
      () => readCampaign(organization, id),
      ({ tasks }) => tasks.pending === 1,
    );
    expect(await admin.ok('cancelCampaign', { params: { id } })).toMatchObject(cancelled);
    expect(await take(appliance)).toEqual([]);
    await sweepAt(organization, id, starts[1]);
    expect(await readCampaign(organization, id)).toMatchObject({ ...cancelled, runs: 1 });
  });

  test('becomes a draft with a reason when its engagement has ended before the next start', async () => {
    const { organization, engagementId } = await setUp();
    const { id } = await makeCampaign(organization, engagementId, { schedule });
    await organization.table.modify(engagements, engagementId, () => ({ status: 'completed' as const }));
    await sweepAt(organization, id, starts[0]);
    const draft = { status: 'draft', schedule: null, nextRunAt: null, runs: 0 };
    expect(await readCampaign(organization, id)).toMatchObject({
      ...draft,
      statusReason: expect.stringContaining('The engagement is completed'),
    });
    await sweepAt(organization, id, starts[1]);
    expect(await readCampaign(organization, id)).toMatchObject(draft);
  });
});

test('the calendar and its feed show future starts of campaigns to their organization alone', async () => {
  const { organization, admin, engagementId } = await setUp();
  const { id } = await makeCampaign(organization, engagementId, { name: 'Nightly test', schedule });
  await makeCampaign(organization, engagementId);
  const query = { from: '2098-12-31T00:00:00Z', to: '2099-01-02T12:00:00Z' };
  const expected = starts.slice(0, 2).map((startsAt) => ({
    id: `campaign-${Date.parse(startsAt)}-${id}`,
    kind: 'campaign',
    engagementId,
    campaignId: id,
    title: 'Nightly test',
    status: 'scheduled',
    startsAt,
    endsAt: null,
  }));
  expect((await admin.ok('getEngagementCalendar', { query })).events).toEqual(expected);
  await sweepAt(organization, id, starts[0]);
  expect((await admin.ok('getEngagementCalendar', { query })).events).toMatchObject([
    { startsAt: starts[1], status: 'running' },
  ]);
  const soon = { startAt: inSeconds(86_400) };
  const once = await makeCampaign(organization, engagementId, { schedule: soon });
  const feed = await admin.ok('getEngagementCalendarFeed');
  expect(feed).toContain(`UID:campaign-${once.id}@engagements`);
  expect(feed.replaceAll('\r\n ', '')).toContain(`Campaign ${once.id} of engagement ${engagementId} (scheduled)`);
  const stranger = await system.newOrganization();
  expect((await stranger.admin.ok('getEngagementCalendar', { query })).events).toEqual([]);
});

describe('a schedule', () => {
  test('can be changed and removed while the campaign waits or runs', async () => {
    const { organization, admin, engagementId, appliance } = await setUp();
    const { id } = await makeCampaign(organization, engagementId, { schedule });
    const patch = (wanted: object | null) => admin.ok('updateCampaign', { params: { id }, body: { schedule: wanted } });
    expect(await patch({ timeZone: 'Europe/Berlin', startAt: '2099-01-01T06:00:00Z' })).toMatchObject({
      nextRunAt: '2099-01-01T06:00:00.000Z',
      schedule: { recurrence: schedule.recurrence, timeZone: 'Europe/Berlin' },
    });
    await sweepAt(organization, id, starts[0]);
    expect(await patch(null)).toMatchObject({ status: 'draft', nextRunAt: null, runs: 0 });
    await sweepAt(organization, id, '2099-01-01T06:00:00.000Z');
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'draft', runs: 0 });

    await run(organization, id);
    expect(await patch(schedule)).toMatchObject({ status: 'running', nextRunAt: starts[0] });
    await doTask(appliance);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'scheduled' });
    await sweepAt(organization, id, starts[0]);
    expect(await patch(null)).toMatchObject({ status: 'running', nextRunAt: null });
    await doTask(appliance);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'completed', schedule: null });
  });

  test('can be added only while the engagement is open, and removed at any time', async () => {
    const { organization, admin, engagementId } = await setUp();
    const { id } = await makeCampaign(organization, engagementId, { schedule });
    await organization.table.modify(engagements, engagementId, () => ({ status: 'completed' as const }));
    const patch = (wanted: object | null) =>
      admin.call('updateCampaign', { params: { id }, body: { schedule: wanted } });
    expect(await patch(null)).toMatchObject({ status: 200, body: { status: 'draft', nextRunAt: null } });
    expect(await patch(schedule)).toMatchObject({ status: 400, body: { code: 'conflict' } });
  });

  test('without a first start begins now if the rule permits it, and repeats at this time of day', async () => {
    const { organization, engagementId } = await setUp();
    const { nextRunAt, createdAt } = await makeCampaign(organization, engagementId, {
      schedule: { recurrence: 'FREQ=DAILY' },
    });
    expect(Math.abs(Date.parse(nextRunAt ?? '') - Date.parse(createdAt))).toBeLessThan(5_000);
  });

  test('without a future start is refused before a record is made', async () => {
    const { organization, admin, engagementId } = await setUp();
    const body = {
      name: 'x',
      objective: 'x',
      engagementId,
      taskTemplates: [{ key: 'a', type: 'reconnaissance' as const }],
    };
    for (const [wanted, message] of [
      [{}, /startAt.*recurrence/],
      [{ startAt: '2020-01-01T00:00:00Z' }, /startAt.*future/],
      [{ recurrence: 'FREQ=DAILY;UNTIL=20200101T000000Z' }, /recurrence.*never/],
      [{ recurrence: 'FREQ=HOURLY' }, /recurrence.*FREQ/],
      [{ recurrence: 'FREQ=DAILY', timeZone: 'Mars/Base' }, /timeZone/],
    ] as const) {
      const answer = await admin.call('createCampaign', { body: { ...body, schedule: wanted } });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
    }
    expect((await organization.admin.ok('listCampaigns')).totalCount).toBe(0);
  });
});
