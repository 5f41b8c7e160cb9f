import { expect, test } from 'vitest';
import { create } from '../support/engagements.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anyone = system.client();
const base = '/api/v1/validation-operations/engagements';

test('a calendar program reads the feed by its token, which opens nothing else', async () => {
  const { admin } = await system.newOrganization();
  const dueAt = new Date(Date.now() + 86_400_000).toISOString();
  const { id } = await create(admin, { dueAt });
  const { token, path } = await admin.ok('createCalendarFeed');
  const feed = await anyone.send('GET', path);
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(feed.body).toContain(id);
  const other = await (await system.newOrganization()).admin.ok('createCalendarFeed');
  expect((await anyone.send('GET', other.path)).body).not.toContain(id);
  const bearer = system.client(() => token);
  for (const operation of ['listEngagements', 'getEngagementCalendar', 'createCalendarFeed'] as const)
    expect(await bearer.call(operation), operation).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await bearer.send('GET', `${base}/calendar.ics`)).status).toBe(401);
  expect((await anyone.send('GET', `${base}/calendar.ics`, { query: { token } })).status).toBe(401);
});

test('a feed ends with another one, when it is deleted, and with the account', async () => {
  const { admin } = await system.newOrganization();
  const account = await admin.ok('createServiceAccount', { body: { name: 'planner', role: 'viewer' } });
  const form = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret };
  const { access_token } = await anyone.ok('issueToken', { body: form });
  const planner = system.client(() => access_token);
  const opens = async ({ path }: { path: string }) => (await anyone.send('GET', path)).status;
  const first = await planner.ok('createCalendarFeed');
  expect(await opens(first)).toBe(200);
  const second = await planner.ok('createCalendarFeed');
  expect([await opens(first), await opens(second)]).toEqual([401, 200]);
  await planner.ok('deleteCalendarFeed');
  expect(await opens(second)).toBe(401);
  const third = await planner.ok('createCalendarFeed');
  await admin.ok('revokeServiceAccount', { params: { id: account.id } });
  await expect.poll(() => opens(third)).toBe(401);
});
