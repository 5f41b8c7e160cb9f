import { afterAll, afterEach, expect, test } from 'vitest';
import { sendWaiting } from '#functions/workers/deliveries/send-waiting.ts';
import { visitReader } from '#functions/workers/deliveries/visit.ts';

import { zones } from '#shared/assets/zones/zone.ts';
import { eventsOf } from '#shared/events/event.ts';
import { positions } from '#shared/events/position.ts';
import { sealAddress } from '#shared/notifications/address.ts';
import { giveSubscriptions, positionWrite } from '#shared/notifications/defaults.ts';
import { readInbox } from '#shared/notifications/inbox.ts';
import { lineOf } from '#shared/notifications/lines.ts';
import { type Subscription, subscriptions } from '#shared/notifications/subscription.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { Letter } from '#shared/people/letter.ts';
import { readHead } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { readChanges } from '#shared/platform/feed/read-changes.ts';
import { listDeliveries } from '#shared/platform/outgoing/delivery-list.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startServer } from '../../../support/code-hosts/server.ts';
import { CALM, type Plan, planOf, plansOf, startFaultyWorld } from '../../../support/fault-plan.ts';
import { giveSealingKey } from '../../../support/integrations.ts';
import { newAddress } from '../../../support/sign-in.ts';
import { visitBoth } from './visit-both.ts';

const world = await startFaultyWorld();
giveSealingKey(world.connections);
world.connections.network = openNetwork({ CODE_HOSTS_PRIVATE: '1' });
let plan: Plan = CALM;
const slack = await startServer(() => ({ status: plan.random() < 0.3 ? 503 : 200 }));
afterEach(() => setClock());
afterAll(() => Promise.all([world.stop(), slack.stop()]));

async function person(table: Table, timeZone = 'UTC', roleId = 'viewer') {
  const joining = { email: newAddress(), name: 'Ana Lima', timeZone, locale: 'en', managedBy: 'local' as const };
  return (await joinOrganization(table, { ...joining, roles: [{ roleId }] })).user;
}

async function subscribe(table: Table, more: Partial<Subscription>, path?: string): Promise<Subscription> {
  const [id = ''] = await table.reserve(subscriptions, 1);
  const timing = { when: 'at_once', at: '08:00', weekday: 'monday' } as const;
  const usual = {
    name: 'Zones',
    types: ['zone.*'],
    matching: null,
    severityFloor: null,
    quietHours: null,
    timeZone: null,
  };
  const state = {
    enabled: true,
    ownerId: null,
    addressHost: null,
    status: 'active',
    error: null,
    endpointId: null,
  } as const;
  const draft = { id, ...usual, ...state, timing, channels: ['email' as const, 'inbox' as const], to: null, ...more };
  return table.create(subscriptions, draft, async (batch) => {
    batch.write(positionWrite(table, id, 0));
    if (path) batch.write(await sealAddress({ connections: world.connections, table }, id, `${slack.url}${path}`));
  });
}

async function changeZones(table: Table, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const zone = await table.create(zones, { name: `zone ${n} ${nowMs()}`, description: '', cidrs: [] });
    if (n % 3 === 0) await table.update(zones, zone, { description: 'other' });
  }
}

async function expectedLines(table: Table) {
  const { found } = await readChanges(table, { since: 0, limit: 500 }, () => true);
  const events = found.flatMap((change) => eventsOf(table.organizationId, change));
  return events.filter(({ type }) => type.startsWith('zone.')).map((event) => lineOf(event));
}

/** The letters that were handed over, in order. */
const letters = async (table: Table) =>
  (await world.tasksOf(table))
    .filter(({ operation }) => operation === 'send_letter')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ input }) => Letter.parse(input));

const linesIn = (all: readonly Letter[]) => all.flatMap(({ sections = [] }) => sections.flatMap(({ lines }) => lines));

test.each(plansOf(8))(
  'a person and a channel get every event, in order, whatever fails and dies: plan %i',
  async (seed) => {
    const table = world.newOrganization();
    const user = await person(table);
    const mine = await subscribe(table, { to: { kind: 'person', id: user.id } });
    const posted = await subscribe(table, { channels: ['slack'] }, `/slack-${seed}`);
    plan = planOf(seed);
    let clock = nowMs();
    const context = { connections: world.connections, table };
    for (let round = 0; round < 28; round++) {
      if (round % 4 === 0 && round < 16) await changeZones(table, 4);
      setClock(() => clock);
      clock += 3 * 3_600_000;
      world.begin(round < 20 ? plan : CALM);
      if (round >= 20) plan = CALM;
      const works = [mine, posted].map(
        ({ id }) =>
          () =>
            visitBoth(context, { kind: 'subscription', readerId: id }),
      );
      for (const work of [...works, () => sendWaiting(context, user.id)])
        await world
          .risk(plan, { kills: 0.5, within: 12 }, work)
          .catch((error) => expect(plan, String(error)).not.toBe(CALM));
      world.begin(CALM);
    }
    const expected = await expectedLines(table);
    expect(expected.length).toBeGreaterThan(15);
    const { data } = await readInbox(table, user.id, { limit: 100 });
    expect(data.toReversed().flatMap(({ lines }) => lines)).toEqual(expected);
    expect(linesIn(await letters(table)).map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    const asked = slack.asked.filter(({ path }) => path === `/slack-${seed}`);
    const texts = asked.flatMap(({ body }) =>
      body.blocks.slice(1).map((block: { text: { text: string } }) => block.text.text),
    );
    expect([...new Set(texts)]).toEqual([...new Set(expected.map(({ text }) => text))]);
    // a repetition is equal: each message has one body, and no event is in two of them
    const messages = new Set(asked.map(({ body }) => JSON.stringify(body)));
    const posts = (await listDeliveries(table, { targetId: posted.id, limit: 500 })).data;
    expect(new Set(posts.map(({ payload }) => payload))).toEqual(messages);
    expect(posts.map(({ status }) => status)).toEqual(posts.map(() => 'sent'));
    for (const { id } of [mine, posted])
      expect(await table.get(subscriptions, id, true)).toMatchObject({ status: 'active', error: null });
  },
);

test('a hundred changes are one letter, which lists thirty and counts the others', async () => {
  const table = world.newOrganization();
  const user = await person(table);
  const { id } = await subscribe(table, { to: { kind: 'person', id: user.id } });
  const context = { connections: world.connections, table };
  for (let n = 0; n < 100; n++) {
    await table.create(zones, { name: `zone ${n}`, description: '', cidrs: [] });
    if (n % 40 === 0) await visitBoth(context, { kind: 'subscription', readerId: id });
  }
  const later = nowMs() + 60_000;
  setClock(() => later);
  await visitBoth(context, { kind: 'subscription', readerId: id });
  setClock(() => later + 30_000);
  await sendWaiting(context, user.id);
  await sendWaiting(context, user.id);
  const sent = await letters(table);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.subject).toBe('Zones (100)');
  expect(sent[0]?.sections?.map(({ lines, more }) => [lines.length, more])).toEqual([[30, 70]]);
});

test('a digest waits for the morning of the person, and quiet hours for their end', async () => {
  const table = world.newOrganization();
  setClock(() => Date.parse('2026-03-28T12:00:00Z'));
  const [berlin, tokyo] = [await person(table, 'Europe/Berlin'), await person(table, 'Asia/Tokyo')];
  const ids: string[] = [];
  for (const user of [berlin, tokyo]) {
    const to = { kind: 'person' as const, id: user.id };
    const { id } = await subscribe(table, { to, timing: { when: 'daily', at: '08:00', weekday: 'monday' } });
    ids.push(id);
  }
  await table.create(zones, { name: 'plant', description: '', cidrs: [] });
  const context = { connections: world.connections, table };
  setClock(() => Date.parse('2026-03-28T12:01:00Z'));
  for (const readerId of ids) await visitBoth(context, { kind: 'subscription', readerId });
  const got: string[] = [];
  for (const time of ['2026-03-28T22:59', '2026-03-28T23:00', '2026-03-29T05:59', '2026-03-29T06:00']) {
    setClock(() => Date.parse(`${time}:00Z`));
    for (const user of [berlin, tokyo]) await sendWaiting(context, user.id);
    got.push(`${time} ${(await letters(table)).map(({ to }) => (to === berlin.email ? 'Berlin' : 'Tokyo')).join()}`);
  }
  expect(got).toEqual([
    '2026-03-28T22:59 ',
    '2026-03-28T23:00 Tokyo',
    '2026-03-29T05:59 Tokyo',
    '2026-03-29T06:00 Tokyo,Berlin',
  ]);
});

test('a filter that is none any more stops a subscription: nothing goes out, and a letter says so once', async () => {
  const table = world.newOrganization();
  const [user, admin] = [await person(table), await person(table, 'UTC', 'admin')];
  const matching = { entity: 'finding' as const, filter: 'nosuchfield:1' };
  const ofOrganization = await subscribe(table, { to: { kind: 'person', id: user.id }, matching });
  const own = await subscribe(table, { to: { kind: 'me', id: null }, ownerId: user.id, matching });
  await changeZones(table, 2);
  const later = nowMs() + 60_000;
  const context = { connections: world.connections, table };
  for (const minutes of [0, 10, 20]) {
    setClock(() => later + minutes * 60_000);
    for (const { id } of [ofOrganization, own])
      await visitReader(context, { kind: 'subscription', readerId: id, apart: minutes > 0 });
  }
  for (const { id } of [ofOrganization, own])
    expect(await table.get(subscriptions, id, true)).toMatchObject({
      status: 'failing',
      error: { code: 'filter_invalid', message: expect.stringContaining('The filter cannot be evaluated') },
    });
  const told = await letters(table);
  expect(told.map(({ to }) => to).toSorted()).toEqual([admin.email, user.email].toSorted());
  expect(told.map(({ subject }) => subject)).toEqual(
    told.map(() => 'The subscription "Zones" sends nothing: its filter is wrong'),
  );
  await sendWaiting(context, user.id);
  expect((await readInbox(table, user.id, { limit: 10 })).data).toEqual([]);
});

test('an organization of an earlier release gets its first subscriptions once, for the events from then on', async () => {
  const table = world.newOrganization();
  await changeZones(table, 2);
  await numberChanges(table);
  const { next } = await readHead(table);
  await giveSubscriptions(table);
  await giveSubscriptions(table);
  const made = await recordsOf(table, subscriptions);
  expect(made).toHaveLength(5);
  const rows = await table.rows(positions).findMany(made.map(({ id }) => ({ readerId: id })));
  expect(rows.map(({ seen }) => seen)).toEqual(made.map(() => next - 1));
  const [first] = made;
  if (first) await table.delete(subscriptions, await table.get(subscriptions, first.id, true));
  await giveSubscriptions(table);
  expect(await recordsOf(table, subscriptions), 'what administrators remove stays removed').toHaveLength(4);
});
