import { expect, test } from 'vitest';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

const RULE = `title: A password is tried
name: tried
logsource: { product: linux, service: sshd }
detection: { selection: { message|contains: Failed password }, condition: selection }
`;
const MANY = `${RULE}---
title: One address tries many
correlation: { type: event_count, rules: [tried], group-by: [src_ip], timespan: 10m, condition: { gte: 3 } }
`;

const failed = (seconds: number, user: string, host: string) =>
  ssh(ago(seconds), `Failed password for ${user} from 203.0.113.9 port 22 ssh2`, host);
/** Of web-01, bob has all events but the last. */
const EVENTS = [
  failed(100, 'bob', 'web-01'),
  failed(99, 'bob', 'web-01'),
  failed(98, 'eve', 'web-01'),
  failed(97, 'bob', 'web-02'),
];

async function withAlerts(content: string) {
  const logs = await logCollector(system);
  const { id } = await logs.admin.ok('createDetectionRule', { body: { content } });
  await logs.send('1', EVENTS);
  await logs.done('1');
  const tried = (where: Record<string, string>) =>
    logs.admin.ok('previewDetectionException', { params: { id }, body: { where } });
  return { ...logs, id, tried };
}

test('an exception says which alerts and events it would have silenced, and saves nothing', async () => {
  const { admin, id, tried } = await withAlerts(RULE);
  const of = { alerts: 2, looked: 2, events: 4, isComplete: true };
  expect(await tried({ user: 'bob' })).toMatchObject({ ...of, silenced: 1, silencedEvents: 3 });
  expect(await tried({ host: 'WEB-*' })).toMatchObject({ ...of, silenced: 2, silencedEvents: 4 });
  expect(await tried({ host: 'web-01', user: 'eve' })).toMatchObject({ ...of, silenced: 0, silencedEvents: 1 });
  const { version, exceptions } = await admin.ok('getDetectionRule', { params: { id } });
  expect([version, exceptions]).toEqual([1, undefined]);
  const refused = await admin.call('previewDetectionException', { params: { id }, body: { where: {} } });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'where' }] } });
});

test('the preview is what happens: with the exception the same events make the alerts that it leaves', async () => {
  const { admin, id, send, done, tried } = await withAlerts(RULE);
  const where = { user: 'bob' };
  const { alerts, silenced } = await tried(where);
  const { content } = await admin.ok('getDetectionRule', { params: { id } });
  const exceptions = [{ where, reason: 'known' }];
  const after = await admin.ok('createDetectionRule', { body: { content, exceptions } });
  await send('2', EVENTS);
  await done('2');
  expect((await admin.ok('listAlerts', { query: { ruleId: after.id } })).totalCount).toBe(alerts - silenced);
});

test('a correlation loses its alert where too few events are left', async () => {
  const { tried } = await withAlerts(MANY);
  const of = { alerts: 1, looked: 1, events: 4, isComplete: true };
  expect(await tried({ user: 'eve' })).toMatchObject({ ...of, silenced: 0, silencedEvents: 1 });
  expect(await tried({ host: 'web-01' })).toMatchObject({ ...of, silenced: 1, silencedEvents: 3 });
});

test('an alert whose events no longer fit the rule is not counted: the numbers are at least these', async () => {
  const { admin, id, tried } = await withAlerts(RULE);
  const content = RULE.replace('Failed password', 'Failed password for eve');
  await admin.ok('updateDetectionRule', { params: { id }, body: { content } });
  expect(await tried({ user: 'eve' })).toMatchObject({
    alerts: 2,
    looked: 0,
    silenced: 0,
    events: 1,
    silencedEvents: 1,
    isComplete: false,
  });
});
