import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wakeReader } from '#shared/events/wake.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { waitingRows } from '#shared/notifications/waiting.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { organization, system, withAnalyst } from '../support/analyst.ts';
import { openEngagement } from '../support/apex.ts';
import type { Client } from '../support/client.ts';
import { type CodeHostServer, startServer } from '../support/code-hosts/server.ts';
import { findingDraft } from '../support/findings.ts';
import { lettersTo, letterTo, personIn } from '../support/people.ts';
import { eventually, until } from '../support/wait.ts';

withAnalyst();

type Person = Awaited<ReturnType<typeof personIn>>;
let admin: Client;
let ana: Person;
let chat: CodeHostServer;
beforeAll(async () => {
  ({ admin } = organization);
  ana = await personIn(system, organization);
  chat = await startServer(() => ({ status: 200 }));
});
afterAll(() => chat.stop());

const wake = () => wakeViews(system.connections, organization.table, newId());
const inbox = async (client: Client) => (await client.ok('listNotifications')).data;
const toMe = { channels: ['inbox' as const], to: { kind: 'me' as const } };

async function zone(name: string) {
  const made = await admin.ok('createZone', { body: { name, cidrs: [] } });
  await wake();
  return made;
}

/** Findings of an asset, each assigned to a person by the administrator. */
async function assigned(person: { id: string }, titles: readonly string[], more: object = {}) {
  for (const title of titles) {
    const { id } = await organization.table.create(
      findings,
      findingDraft(new Date().toISOString(), { title, ...more }),
    );
    await admin.ok('updateFinding', { params: { id }, body: { assigneeId: person.id } });
  }
  await wake();
}

/** Lets what waits for a person come now, once all of it waits. */
async function comes(person: { id: string }, count: number): Promise<void> {
  const { table } = organization;
  const waiting = () => table.rows(waitingRows).query(person.id, { consistent: true });
  await eventually(async () => {
    expect((await waiting()).reduce((sum, row) => sum + row.count, 0)).toBe(count);
  });
  for (const row of await waiting()) await table.rows(waitingRows).set(row, { dueAt: 0 });
  await wakeReader({ connections: system.connections, table }, { kind: 'person', readerId: person.id });
}

/** Sends a request as a program for mail does. */
const stopBy = (address: string) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

describe('a subscription of a person', () => {
  test('puts what happens into the inbox of the person, who reads it and takes that back', async () => {
    const body = { name: 'New zones', types: ['zone.created'], ...toMe };
    const { id } = await ana.client.ok('createNotificationSubscription', { body });
    await zone('plant');
    await eventually(async () => {
      const [first] = await inbox(ana.client);
      expect(first).toMatchObject({ subscriptionId: id, reason: 'New zones', count: 1, readAt: null });
      expect(first?.lines[0]).toMatchObject({ type: 'zone.created', text: 'Zone "plant" was made' });
    });
    const { ids } = await ana.client.ok('readNotifications', { body: {} });
    expect((await ana.client.ok('listNotifications')).unread).toBe(0);
    expect(await ana.client.ok('unreadNotifications', { body: { ids } })).toEqual({ ids });
    expect((await ana.client.ok('listNotifications')).unread).toBe(1);
    await ana.client.ok('deleteNotificationSubscription', { params: { id } });
  });

  test('is seen and changed by that person alone, and others cannot be subscribed', async () => {
    const own = { name: 'Mine', types: ['zone.*'], ...toMe };
    const { id } = await ana.client.ok('createNotificationSubscription', { body: own });
    for (const call of ['getNotificationSubscription', 'deleteNotificationSubscription'] as const)
      expect(await admin.call(call, { params: { id } })).toMatchObject({ status: 400, body: { code: 'not_found' } });
    const viewer = await organization.person('viewer');
    for (const to of [{ kind: 'administrators' as const }, { kind: 'person' as const, id: ana.id }])
      expect(
        await viewer.call('createNotificationSubscription', { body: { ...own, to } }),
        'a person who subscribes others could flood them',
      ).toMatchObject({ status: 400, body: { code: 'conflict' } });
    await ana.client.ok('deleteNotificationSubscription', { params: { id } });
  });
});

describe('a subscription to what is assigned', () => {
  test('is one letter for many assignments, which one click stops without a sign-in', async () => {
    const body = {
      name: 'Assigned to you',
      types: ['finding.assigned'],
      channels: ['email' as const, 'inbox' as const],
      to: { kind: 'assignee' as const },
    };
    const { id } = await admin.ok('createNotificationSubscription', { body });
    const before = (await lettersTo(system, ana.email)).length;
    await assigned(ana, ['SQL <b>built</b> from input', 'Log4Shell', 'Weak cipher']);
    await comes(ana, 3);
    const letter = await letterTo(system, ana.email, before + 1);
    expect(letter.subject).toBe('Assigned to you (3)');
    for (const part of [letter.text ?? '', String(letter.html)]) {
      expect(part.match(/Log4Shell/g)).toHaveLength(1);
      expect(part).toContain('You get this letter because of');
    }
    expect(letter.html).toContain('SQL &lt;b&gt;built&lt;/b&gt; from input');
    expect(letter.headers.get('list')).toMatchObject({
      unsubscribe: { url: expect.stringContaining('/api/v1/notifications/unsubscribe/') },
      'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
    });
    expect((await inbox(ana.client))[0]).toMatchObject({ subscriptionId: id, count: 3 });
    const [address = ''] = /https?:\S+\/unsubscribe\/\w+/.exec(letter.text ?? '') ?? [];
    const page = await fetch(address);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Assigned to you')]);
    const view = () => ana.client.ok('getNotificationSubscription', { params: { id } });
    expect((await view()).stopped, 'programs open links in letters').toBe(false);
    expect((await stopBy(address)).status).toBe(200);
    expect((await stopBy(address)).status).toBe(200);
    expect((await view()).stopped).toBe(true);
    const bob = await personIn(system, organization);
    const earlier = (await lettersTo(system, bob.email)).length;
    await assigned(ana, ['Later']);
    await assigned(bob, ['Of Bob']);
    await comes(bob, 1);
    expect((await letterTo(system, bob.email, earlier + 1)).subject).toContain('Of Bob');
    expect(await lettersTo(system, ana.email)).toHaveLength(before + 1);
    expect((await stopBy(`${address}x`)).status).toBe(200);
    await admin.ok('deleteNotificationSubscription', { params: { id } });
  });
});

describe('comments', () => {
  test('notify whom they name, once, and who follow the finding', async () => {
    const [kind, more] = [{ channels: ['inbox' as const] }, { endpointId: null }];
    const named = {
      ...kind,
      ...more,
      name: 'Named',
      types: ['finding_comment.mentioned'],
      to: { kind: 'mentioned' as const },
    };
    const followed = {
      ...kind,
      ...more,
      name: 'Followed',
      types: ['finding_comment.created'],
      to: { kind: 'followers' as const },
    };
    const made = [];
    for (const body of [named, followed]) made.push(await admin.ok('createNotificationSubscription', { body }));
    const bob = await personIn(system, organization);
    const { id } = await organization.table.create(findings, findingDraft(new Date().toISOString(), { title: 'Weak' }));
    const params = { id };
    await bob.client.ok('followFinding', { params });
    const comment = await admin.ok('createFindingComment', { params, body: { text: `@${ana.email} please look` } });
    const commentId = comment.id;
    const text = `@${ana.email} and @${bob.email} please look today`;
    const again = { params: { id, commentId }, body: { text } };
    await admin.ok('updateFindingComment', again);
    await wake();
    const of = async (client: Client, name: string) => (await inbox(client)).filter(({ reason }) => reason === name);
    await eventually(async () => {
      expect(await of(ana.client, 'Named')).toMatchObject([
        {
          count: 1,
          lines: [
            {
              page: `/findings/${id}`,
              text: expect.stringMatching(/^\S.* names you in a comment on the finding "Weak"$/),
            },
          ],
        },
      ]);
      expect(await of(bob.client, 'Followed')).toMatchObject([{ count: 1 }]);
      // the second text names bob; its event does not say of which finding
      expect(await of(bob.client, 'Named')).toMatchObject([
        { count: 1, lines: [{ page: `/findings/${id}`, text: expect.stringMatching(/the finding "Weak"$/) }] },
      ]);
    });
    for (const { id: one } of made) await admin.ok('deleteNotificationSubscription', { params: { id: one } });
  });
});

test('a note of an engagement notifies whom it names, and says which names lead to nobody', async () => {
  const body = { name: 'Notes', types: ['engagement_note.mentioned'], channels: ['inbox' as const] };
  const { id } = await admin.ok('createNotificationSubscription', { body: { ...body, to: { kind: 'mentioned' } } });
  const engagement = await openEngagement(organization);
  const text = `@${ana.email} and @nobody.here: the window moved.`;
  const note = await admin.ok('createEngagementNote', { params: { id: engagement }, body: { text } });
  expect(note).toMatchObject({ mentions: [{ id: ana.id }], unresolved: [{ text: '@nobody.here', reason: 'unknown' }] });
  await wake();
  await eventually(async () => {
    const found = (await inbox(ana.client)).filter(({ reason }) => reason === 'Notes');
    expect(found).toMatchObject([{ lines: [{ page: `/engagements/${engagement}` }] }]);
  });
  const search = async (words: string) =>
    (await admin.ok('listNotificationSubscriptions', { query: { search: words } })).data.map((one) => one.id);
  expect(await search('note')).toContain(id);
  expect(await search('nowhere')).toEqual([]);
  await admin.ok('deleteNotificationSubscription', { params: { id } });
});

describe('somebody whose role is for a part', () => {
  test('is notified of findings of the part, and of nothing else', async () => {
    const { zones } = { zones: ['plant-a'] };
    const part = await organization.person('viewer', { zones });
    const body = {
      name: 'All',
      types: ['finding.created', 'zone.*'],
      channels: ['inbox' as const],
      to: { kind: 'person' as const, id: part.id },
    };
    const { id } = await admin.ok('createNotificationSubscription', { body });
    const of = (zone: string, title: string) => {
      const asset = { id: newId(), type: 'host' as const, name: title, zone };
      return organization.table.create(findings, findingDraft(new Date().toISOString(), { title, asset }));
    };
    await of('plant-b', 'elsewhere');
    await zone('plant-c');
    await of('plant-a', 'here');
    await wake();
    await eventually(async () => {
      const lines = (await inbox(part)).flatMap((one) => one.lines.map(({ text }) => text));
      expect(lines).toEqual([expect.stringContaining('here')]);
    });
    await admin.ok('deleteNotificationSubscription', { params: { id } });
  });
});

describe('a channel', () => {
  test.each([
    ['slack', (body: { blocks: unknown[] }) => body.blocks],
    ['teams', (body: { attachments: { content: { body: unknown[] } }[] }) => body.attachments[0]?.content.body],
  ] as const)('%s gets messages, and its address is in no answer', async (channel, partsOf) => {
    const path = `/${channel}-secret-path`;
    const body = { name: 'Chat', types: ['zone.created'], channels: [channel], address: `${chat.url}${path}` };
    const { id, ...made } = await admin.ok('createNotificationSubscription', { body });
    expect(made.addressHost).toBe(new URL(chat.url).host);
    expect(
      JSON.stringify([made, await admin.ok('listEvents', { query: { types: 'notification_subscription.*' } })]),
    ).not.toContain('secret-path');
    const { name } = await zone(`${channel} zone`);
    const simulate = async () => (await admin.ok('simulateDeliveries', { body: { targetId: id, limit: 1 } })).data;
    const simulated = await until(simulate, (data) => JSON.stringify(data).includes(name));
    expect(simulated).toMatchObject([{ channel, type: 'notification.message', subject: `subscription/${id}` }]);
    const test = await admin.ok('testNotificationSubscription', { params: { id } });
    expect(test).toMatchObject({ error: null, lines: [{ text: 'This message is a test.' }, ...Array(3).fill({})] });
    expect(test.lines[3]?.text).toBe(`Test: Zone "${name}" was made`);
    const asked = chat.asked.filter((one) => one.path === path && JSON.stringify(one.body).includes('a test'));
    expect(asked).toHaveLength(1);
    for (const { text } of test.lines) expect(JSON.stringify(partsOf(asked[0]?.body))).toContain(JSON.stringify(text));
    await admin.ok('deleteNotificationSubscription', { params: { id } });
  });
});

test('what people would get is simulated as one message for each, is in the ledger, and is sent to nobody', async () => {
  const own = await system.newOrganization();
  const people = [await personIn(system, own), await personIn(system, own)];
  const { id: teamId } = await own.admin.ok('createTeam', {
    body: { name: 'Web', memberIds: people.map((person) => person.id) },
  });
  const to = { kind: 'team' as const, id: teamId };
  const body = { name: 'Zones', types: ['zone.*'], channels: ['inbox' as const], to, enabled: false };
  const { id: targetId } = await own.admin.ok('createNotificationSubscription', { body });
  for (const name of ['one', 'two', 'three']) await own.admin.ok('createZone', { body: { name, cidrs: [] } });
  const simulate = async () => (await own.admin.ok('simulateDeliveries', { body: { targetId, limit: 2 } })).data;
  const simulated = await until(simulate, (data) => JSON.stringify(data).includes('"three'));
  expect(simulated.map(({ subject }) => subject).toSorted()).toEqual(people.map(({ id }) => `user/${id}`).toSorted());
  for (const { status, payload } of simulated) {
    expect(status).toBe('simulated');
    expect(payload).toMatchObject({ reason: 'Zones', count: 2, lines: [{ text: 'Zone "two" was made' }, {}] });
  }
  const query = { targetId, status: ['simulated' as const] };
  const { data } = await own.admin.ok('listSentDeliveries', { query });
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(simulated.map(({ id }) => id)));
  for (const { client } of people) expect(await inbox(client)).toEqual([]);
});

test('a preview has what a subscription would have sent, and to whom, and sends nothing', async () => {
  const before = (await inbox(ana.client)).length;
  const { id } = await organization.table.create(
    findings,
    findingDraft(new Date().toISOString(), { title: 'Seen', severity: 'critical' }),
  );
  await organization.table.create(findings, findingDraft(new Date().toISOString(), { title: 'Low', severity: 'low' }));
  await admin.ok('updateFinding', { params: { id }, body: { assigneeId: ana.id } });
  const body = {
    name: 'x',
    types: ['finding.created'],
    severityFloor: 'high' as const,
    channels: ['inbox' as const],
    to: { kind: 'assignee' as const },
  };
  await eventually(async () => {
    const preview = await admin.ok('previewNotificationSubscription', { body });
    expect(preview.people).toContainEqual({ id: ana.id, name: 'Ana Lima', count: expect.any(Number) });
    const lines = preview.lines.map(({ text }) => text);
    expect(lines.filter((line) => line.includes('"Seen"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"Low"'))).toEqual([]);
  });
  expect(await inbox(ana.client)).toHaveLength(before);
});
