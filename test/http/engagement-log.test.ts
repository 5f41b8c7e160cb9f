import { describe, expect, test } from 'vitest';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { create, newAccount, read, scan, scanLocalhost } from '../support/engagements.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

describe('people', () => {
  test('see only the engagements that they requested, lead or work on', async () => {
    const { admin } = await system.newOrganization();
    const account = async (name: string) => {
      const { account, client } = await newAccount(system, admin, { name, role: 'analyst' });
      return { id: account.id, client };
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

  test('the largest team with the most credentials fits into one engagement', async () => {
    const { admin } = await system.newOrganization();
    const people = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        admin.ok('createServiceAccount', { body: { name: `${n}`, role: 'analyst' } }),
      ),
    );
    const [lead, ...members] = people.map(({ id }) => id);
    const credentials = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        admin.ok('createCredential', {
          body: { name: `${n}`, kind: 'api_token', secret: { token: 'x' }, zones: ['office'] },
        }),
      ),
    );
    const tags = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    const more = { leadId: lead, memberIds: members, credentialIds: credentials.map(({ id }) => id), tags };
    expect((await create(admin, more)).result).toMatchObject({ scannerTasks: 1 });
  });

  test('the largest team can be replaced at once, and a change that is too large is refused with a reason', async () => {
    const [provider, { admin }] = [await system.newOrganization(), await system.newOrganization()];
    const staff = await provider.withRole('platform_owner');
    const people = await Promise.all(
      Array.from({ length: 18 }, (_, n) =>
        staff.ok('createServiceAccount', { body: { name: `${n}`, role: 'pentester' } }),
      ),
    );
    const [lead, ...team] = people.slice(0, 9).map(({ id }) => id);
    const [newLead, ...newTeam] = people.slice(9).map(({ id }) => id);
    const schedule = { startAt: '2099-01-01T00:00:00Z' };
    const { id } = await create(admin, { leadId: lead, memberIds: team, schedule });
    const params = { id };
    const other = { title: 'Six entirely different words here now', tags: ['alpha', 'beta'] };
    const many = { ...other, schedule: { startAt: '2099-02-01T00:00:00Z' }, leadId: newLead, memberIds: newTeam };
    const refused = await admin.call('updateEngagement', { params, body: many });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'memberIds' }] } });
    const replaced = await admin.ok('updateEngagement', { params, body: { leadId: newLead, memberIds: newTeam } });
    expect(replaced).toMatchObject({ leadId: newLead, memberIds: newTeam });
    expect(await admin.ok('updateEngagement', { params, body: other })).toMatchObject({ tags: ['alpha', 'beta'] });
  });

  test('ids that do not belong together are refused as unknown', async () => {
    const [one, two] = [await system.newOrganization(), await system.newOrganization()];
    const [mine, theirs] = await Promise.all(
      [one, two].map(({ admin }) => admin.ok('createServiceAccount', { body: { name: 'Ann', role: 'analyst' } })),
    );
    const body = { ...scan, leadId: mine?.id ?? '', memberIds: [theirs?.id ?? ''] };
    const refused = await one.admin.call('createEngagement', { body });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'memberIds' }] } });
  });

  test('notes and work entries show their author, and work is summed up', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { id } = await create(admin);
    const params = { id };
    const written = { params, body: { text: 'Called the owner.' } };
    const { unresolved, ...note } = await admin.ok('createEngagementNote', written);
    expect(unresolved).toEqual([]);
    expect((await admin.ok('listEngagementNotes', { params })).data).toEqual([note]);
    const work = { minutes: 90, what: 'Preparation', date: now().slice(0, 10) };
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

describe('work entries', () => {
  const work = (date: string) => ({ minutes: 30, what: 'Manual test', date });
  const dayFromNow = (days: number) => inSeconds(days * 86_400).slice(0, 10);

  test('lie between the approval and today', async () => {
    const { admin } = await system.newOrganization();
    const { id } = await create(admin);
    const enter = async (date: string) =>
      (await admin.call('createWorkEntry', { params: { id }, body: work(date) })).body;
    expect(await enter(dayFromNow(0))).toMatchObject({ minutes: 30 });
    expect(await enter(dayFromNow(1))).toMatchObject({ code: 'validation_failed', details: [{ path: 'date' }] });
    expect(await enter(dayFromNow(-1))).toMatchObject({ code: 'validation_failed', details: [{ path: 'date' }] });
  });

  test('are refused before anybody has approved the engagement', async () => {
    const { admin, withRole } = await system.newOrganization();
    const { id } = await create(await withRole('viewer'));
    const params = { id };
    const early = await admin.call('createWorkEntry', { params, body: work(dayFromNow(0)) });
    expect(early).toMatchObject({ status: 400, body: { code: 'conflict' } });
    await admin.ok('approveEngagement', { params, body: {} });
    await admin.ok('createWorkEntry', { params, body: work(dayFromNow(0)) });
  });
});

test('a viewer adds notes to an engagement that they requested, and to no other', async () => {
  const { admin, withRole } = await system.newOrganization();
  const viewer = await withRole('viewer');
  const body = { text: 'The window moved by an hour.' };
  const { id: own } = await create(viewer);
  expect(await viewer.ok('createEngagementNote', { params: { id: own }, body })).toMatchObject(body);
  const { id: other } = await create(admin);
  const refused = await viewer.call('createEngagementNote', { params: { id: other }, body });
  expect(refused).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
  expect((await admin.ok('listEngagementNotes', { params: { id: other } })).totalCount).toBe(0);
});

describe('the calendar', () => {
  test('begins with the engagement: no window opens before its start, and nothing was planned before it was made', async () => {
    const { admin } = await system.newOrganization();
    const windows = [{ days: ['sat' as const, 'sun' as const], from: '00:00', to: '24:00', timeZone: 'UTC' }];
    await create(admin, { schedule: { startAt: '2099-03-07T06:00:00Z' }, windows });
    const query = { from: '2099-02-20T00:00:00Z', to: '2099-03-09T00:00:00Z' };
    const { events } = await admin.ok('getEngagementCalendar', { query });
    expect(events.map(({ kind, startsAt, endsAt }) => [kind, startsAt, endsAt])).toEqual([
      ['start', '2099-03-07T06:00:00.000Z', null],
      ['window', '2099-03-07T06:00:00.000Z', '2099-03-09T00:00:00.000Z'],
    ]);
    await create(admin, { schedule: { startAt: '2020-01-06T06:00:00Z', recurrence: 'FREQ=DAILY' } });
    const past = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
    expect((await admin.ok('getEngagementCalendar', { query: past })).events).toEqual([]);
  });

  const windows = [{ days: ['sat' as const], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' }];
  const schedule = { startAt: '2099-03-06T21:00:00Z', recurrence: 'FREQ=WEEKLY;COUNT=2', timeZone: 'Europe/Berlin' };

  test('shows starts, windows and due dates in order, in their time zones', async () => {
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

  test('is a feed that calendar programs can read, with any title', async () => {
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
  await scanLocalhost(scanner);
  const params = { id };
  const page = await admin.ok('listEngagementFindings', { params });
  expect(page.totalCount).toBeGreaterThan(0);
  expect(await admin.ok('listFindings', { query: { engagementId: id } })).toEqual(page);
  expect((await read(organization, id)).findings).toMatchObject({ new: page.totalCount, fixed: 0 });
});
