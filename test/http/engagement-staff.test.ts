import { beforeAll, describe, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Client, OperationName, RequestOf } from '../support/client.ts';
import { create, newAccount, read, scanLocalhost } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** The provider's staff work on the engagements that clients assign to them and can read nothing else of a client. */
const system = startSystem();
let provider: TestOrganization;
let head: Client;
beforeAll(async () => {
  provider = await system.newOrganization();
  head = await provider.withRole('platform_owner');
});

const newStaff = (name: string, more: object = {}) => newAccount(system, head, { name, role: 'pentester', ...more });

/** The directory in the view of a client; it also holds staff of other tests. */
const listed = async (client: Client, id: string) =>
  (await client.ok('listEngagementStaff', { query: { paginateSize: 500 } })).data.find((one) => one.id === id);

/** All operations on an engagement, each with a request. */
const attempts = (id: string): [OperationName, RequestOf<never>][] => {
  const params = { id } as never;
  const work = { minutes: 5, what: 'Looking around', date: now().slice(0, 10) };
  return [
    ['getEngagement', { params }],
    ['listEngagementNotes', { params }],
    ['createEngagementNote', { params, body: { text: 'I was here.' } as never }],
    ['listWorkEntries', { params }],
    ['createWorkEntry', { params, body: work as never }],
    ['listEngagementRuns', { params }],
    ['listEngagementFindings', { params }],
    ['startEngagement', { params }],
    ['completeEngagement', { params }],
  ];
};

async function expectNothing(client: Client, id: string): Promise<void> {
  for (const [name, request] of attempts(id))
    expect(await client.call(name, request), name).toMatchObject({ status: 400, body: { code: 'not_found' } });
}

describe('the directory', () => {
  test("shows every client the assignable staff, with only that client's numbers", async () => {
    const [one, two] = [await system.newOrganization(), await system.newOrganization()];
    const { account } = await newStaff('Sam', { email: 'sam@provider.example', skills: ['web', 'mobile'] });
    await create(one.admin, { leadId: account.id, memberIds: [account.id] });
    const shown = { id: account.id, name: 'Sam', email: 'sam@provider.example', skills: ['web', 'mobile'] };
    expect(await listed(one.admin, account.id)).toEqual({ ...shown, activeEngagements: 1 });
    expect(await listed(two.admin, account.id)).toEqual({ ...shown, activeEngagements: 0 });
  });

  test('shows changes of name, mail address and skills', async () => {
    const client = await system.newOrganization();
    const { account } = await newStaff('Sam', { skills: ['web'] });
    const params = { id: account.id };
    const changed = await head.ok('updateServiceAccount', { params, body: { name: 'Sam B.', email: 's@p.example' } });
    expect(changed).toMatchObject({ name: 'Sam B.', email: 's@p.example', skills: ['web'], version: 2 });
    expect(await listed(client.admin, account.id)).toMatchObject({ name: 'Sam B.', email: 's@p.example' });
    await head.ok('updateServiceAccount', { params, body: { email: null, skills: null } });
    expect(await listed(client.admin, account.id)).toMatchObject({ name: 'Sam B.', email: null, skills: [] });
  });

  test('lacks revoked staff, who cannot be assigned; their engagements can still be changed', async () => {
    const client = await system.newOrganization();
    const { account, client: sam } = await newStaff('Sam');
    const { id } = await create(client.admin, { leadId: account.id });
    expect((await sam.ok('listMyEngagements')).totalCount).toBe(1);
    await head.ok('revokeServiceAccount', { params: { id: account.id } });
    expect(await listed(client.admin, account.id)).toBeUndefined();
    expect(await sam.call('getEngagement', { params: { id } })).toMatchObject({ status: 401 });
    const again = await client.admin.call('createEngagement', { body: { ...people, leadId: account.id } });
    expect(again).toMatchObject({ status: 400, body: { details: [{ path: 'leadId' }] } });
    const params = { id };
    await client.admin.ok('updateEngagement', { params, body: { title: 'Another title' } });
    const freed = await client.admin.ok('updateEngagement', { params, body: { leadId: null } });
    expect(freed).toMatchObject({ title: 'Another title', leadId: null });
  });

  test("lacks a client's own people, and people of other organizations cannot be assigned", async () => {
    const [one, two] = [await system.newOrganization(), await system.newOrganization()];
    const { account } = await newAccount(system, one.admin, { name: 'Ann', role: 'analyst' });
    for (const { admin } of [one, two]) expect(await listed(admin, account.id)).toBeUndefined();
    const refused = await two.admin.call('createEngagement', { body: { ...people, memberIds: [account.id] } });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'memberIds' }] } });
    await create(one.admin, { memberIds: [account.id] });
  });
});

/** An engagement for people, without scanners. */
const people = {
  title: 'Test of the shop',
  kind: 'penetration_test' as const,
  targets: [{ type: 'host' as const, value: '10.1.2.3' }],
  taskTypes: [],
};

describe('assigned staff', () => {
  test('see the engagement with its organization and work on it; their entries carry their name', async () => {
    const client = await system.newOrganization();
    const { account, client: sam } = await newStaff('Sam');
    const { id } = await create(client.admin, { ...people, leadId: account.id });
    const { data } = await sam.ok('listMyEngagements');
    expect(data).toMatchObject([{ id, organization: { id: client.organizationId, name: 'Test organization' } }]);
    const params = { id };
    const by = { createdBy: { id: account.id, name: 'Sam' } };
    const written = await sam.ok('createEngagementNote', { params, body: { text: 'Called the owner.' } });
    const { unresolved, ...note } = written;
    expect(unresolved).toEqual([]);
    expect(note).toMatchObject(by);
    const work = { minutes: 90, what: 'Preparation', date: now().slice(0, 10) };
    const entry = await sam.ok('createWorkEntry', { params, body: work });
    expect(entry).toMatchObject({ ...by, personId: account.id, personName: 'Sam' });
    for (const each of [sam, client.admin]) {
      expect((await each.ok('listEngagementNotes', { params })).data).toEqual([note]);
      expect(await each.ok('listWorkEntries', { params })).toMatchObject({ data: [entry], totalMinutes: 90 });
    }
    expect(await sam.ok('startEngagement', { params })).toMatchObject({ status: 'running' });
    expect(await read(client, id)).toEqual(await sam.ok('getEngagement', { params }));
    expect(await sam.ok('completeEngagement', { params })).toMatchObject({ status: 'completed' });
  });

  test('read findings and runs of the engagement and see it in their calendar', async () => {
    const client = await system.newOrganization();
    const { account, client: sam } = await newStaff('Sam');
    const scanner = await client.scanner();
    // the second task keeps the engagement open
    const targets = ['127.0.0.1', '10.1.2.3'].map((value) => ({ type: 'host', value }));
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await create(client.admin, { targets, dueAt, memberIds: [account.id] });
    const { events } = await sam.ok('getEngagementCalendar');
    expect(events).toMatchObject([{ kind: 'due', engagementId: id, startsAt: dueAt }]);
    expect((await sam.send('GET', '/api/v1/validation-operations/engagements/calendar.ics')).body).toContain(id);
    await scanLocalhost(scanner);
    const params = { id };
    const found = await sam.ok('listEngagementFindings', { params });
    expect(found.totalCount).toBeGreaterThan(0);
    expect(found).toEqual(await client.admin.ok('listEngagementFindings', { params }));
    expect(await sam.ok('listEngagementRuns', { params })).toMatchObject({ totalCount: 1 });
  });

  test('see the engagements of two clients in one list, while each client sees only its own', async () => {
    const [one, two] = [await system.newOrganization(), await system.newOrganization()];
    const { account, client: sam } = await newStaff('Sam');
    const { id: first } = await create(one.admin, { memberIds: [account.id] });
    const { id: second } = await create(two.admin, { memberIds: [account.id] });
    expect((await sam.ok('listMyEngagements')).data.map(({ id }) => id)).toEqual([second, first]);
    const page = await sam.ok('listMyEngagements', { query: { paginateFrom: 1, paginateSize: 1 } });
    expect(page).toMatchObject({ data: [{ id: first }], totalCount: 2 });
    expect((await one.admin.ok('listEngagements')).data.map(({ id }) => id)).toEqual([first]);
    expect(await one.admin.call('getEngagement', { params: { id: second } })).toMatchObject({ status: 400 });
  });

  test('cannot approve, change, cancel or delete the engagement, nor enter work of others', async () => {
    const client = await system.newOrganization();
    const { account, client: sam } = await newStaff('Sam');
    const { account: ann } = await newAccount(system, client.admin, { name: 'Ann', role: 'analyst' });
    const { id } = await create(client.admin, { ...people, leadId: account.id, memberIds: [ann.id] });
    const note = await sam.ok('createEngagementNote', { params: { id }, body: { text: 'Begun.' } });
    const params = { id, noteId: note.id, entryId: note.id };
    const before = await read(client, id);
    const refused: [OperationName, object][] = [
      ['approveEngagement', {}],
      ['rejectEngagement', { reason: 'No.' }],
      ['cancelEngagement', { reason: null }],
      ['updateEngagement', { title: 'Mine' }],
    ];
    for (const [name, body] of refused)
      expect(await sam.call(name, { params, body } as never), name).toMatchObject({ status: 401 });
    for (const name of ['deleteEngagementNote', 'deleteWorkEntry'] as const)
      expect(await sam.call(name, { params }), name).toMatchObject({ status: 401 });
    const work = { minutes: 5, what: 'Hers', date: now().slice(0, 10), personId: ann.id };
    const entry = await sam.call('createWorkEntry', { params, body: work });
    expect(entry).toMatchObject({ status: 400, body: { details: [{ path: 'personId' }] } });
    expect(await read(client, id)).toEqual(before);
  });

  test("cannot read other records of the client, nor their own organization's engagements", async () => {
    const client = await system.newOrganization();
    const { account, client: sam } = await newStaff('Sam');
    await create(client.admin, { memberIds: [account.id] });
    const { id: theirs } = await create(client.admin, people);
    const { id: ours } = await create(provider.admin, people);
    for (const id of [theirs, ours, 'no-id', account.id]) await expectNothing(sam, id);
    for (const name of ['listEngagements', 'listEngagementRequests', 'listFindings', 'listScanners'] as const)
      expect(await sam.call(name), name).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
    expect(await read(client, theirs)).toMatchObject({ status: 'scheduled', version: expect.any(Number) });
  });

  test('lose access when they are no longer assigned; other staff never have access', async () => {
    const client = await system.newOrganization();
    const [sam, tim] = [await newStaff('Sam'), await newStaff('Tim')];
    const { id } = await create(client.admin, { ...people, leadId: sam.account.id });
    await expectNothing(tim.client, id);
    const params = { id };
    await client.admin.ok('updateEngagement', { params, body: { leadId: null, memberIds: [tim.account.id] } });
    await expectNothing(sam.client, id);
    expect((await sam.client.ok('listMyEngagements')).totalCount).toBe(0);
    expect((await sam.client.ok('getEngagementCalendar')).events).toEqual([]);
    expect(await tim.client.ok('getEngagement', { params })).toMatchObject({ id, memberIds: [tim.account.id] });
    expect(await listed(client.admin, sam.account.id)).toMatchObject({ activeEngagements: 0 });
    expect(await listed(client.admin, tim.account.id)).toMatchObject({ activeEngagements: 1 });
  });

  test.each<[string, (admin: Client, sam: Client, id: string) => Promise<unknown>]>([
    ['cancels it', (admin, _, id) => admin.ok('cancelEngagement', { params: { id }, body: { reason: null } })],
    [
      'completes it',
      async (_, sam, id) => {
        await sam.ok('startEngagement', { params: { id } });
        expect(await sam.ok('completeEngagement', { params: { id } })).toMatchObject({ status: 'completed' });
      },
    ],
  ])('lose access with the end of the engagement: somebody %s', async (_, end) => {
    const client = await system.newOrganization();
    const [sam, tim] = [await newStaff('Sam'), await newStaff('Tim')];
    const { id } = await create(client.admin, { ...people, leadId: sam.account.id, memberIds: [tim.account.id] });
    const { id: other } = await create(client.admin, { ...people, leadId: sam.account.id });
    await end(client.admin, sam.client, id);
    for (const one of [sam, tim]) await expectNothing(one.client, id);
    expect(await sam.client.ok('listMyEngagements')).toMatchObject({ totalCount: 1, data: [{ id: other }] });
    expect((await tim.client.ok('listMyEngagements')).totalCount).toBe(0);
    expect(await read(client, id)).toMatchObject({ leadId: sam.account.id, memberIds: [tim.account.id] });
  });

  test('can have their work entered by the client, who cannot enter work of unassigned people', async () => {
    const client = await system.newOrganization();
    const [sam, tim] = [await newStaff('Sam'), await newStaff('Tim')];
    const { id } = await create(client.admin, { ...people, leadId: sam.account.id });
    const enter = (personId: string) => {
      const body = { personId, minutes: 30, what: 'Report', date: now().slice(0, 10) };
      return client.admin.call('createWorkEntry', { params: { id }, body });
    };
    expect(await enter(sam.account.id)).toMatchObject({ status: 200, body: { personName: 'Sam' } });
    expect(await enter(tim.account.id)).toMatchObject({ status: 400, body: { details: [{ path: 'personId' }] } });
  });
});
