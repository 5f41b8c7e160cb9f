import { describe, expect, test } from 'vitest';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

const collector = () => logCollector(system);

test('the settings of a source decide how its next events are read, and rules see them so', async () => {
  const { send, done, admin } = await collector();
  await send('1', [{ message: 'shop: login failed' }], 'shop');
  await done('1');
  const [source] = (await admin.ok('listSources', {})).data;
  const params = { id: source?.id ?? '' };
  const settings = { product: 'Shop', category: 'authentication', timeZone: 'America/New_York' };
  const changed = await admin.ok('updateSource', { params, body: settings });
  expect(changed).toMatchObject({ product: 'shop', category: 'authentication', timeZone: 'America/New_York' });
  const content = `title: x
logsource: { product: shop, category: authentication }
detection: { selection: { message|contains: login failed }, condition: selection }
`;
  const rule = await admin.ok('createDetectionRule', { body: { content } });
  const at = Math.floor(Date.now() / 1000) * 1000 - 600_000;
  const wall = new Date(at).toLocaleString('sv-SE', { timeZone: 'America/New_York' });
  const [utc, local] = [new Date(at - 1000).toISOString(), new Date(at).toISOString()];
  await send(
    '2',
    [
      { time: wall, message: 'login failed' },
      { time: utc, message: 'login failed again' },
    ],
    'shop',
  );
  await done('2');
  const found = await admin.ok('searchEvents', { query: { ruleId: rule.id } });
  expect(found.data.map((event) => [event.at, event.product])).toEqual([
    [local, 'shop'],
    [utc, 'shop'],
  ]);
  expect((await admin.ok('listAlerts', { query: { ruleId: rule.id } })).totalCount).toBe(1);
  const wrong = await admin.call('updateSource', { params, body: { timeZone: 'Berlin' } });
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'timeZone' }] } });
});

test('a rule says, also when it is saved, of which of its log sources no event came', async () => {
  const { send, done, admin } = await collector();
  const content = `title: x
logsource: { product: linux, service: SSHD }
detection: { selection: { message|contains: Failed }, condition: selection }
`;
  const unseen = [{ category: null, product: 'linux', service: 'sshd' }];
  const rule = await admin.ok('createDetectionRule', { body: { content } });
  expect(rule.unseenLogsources).toEqual(unseen);
  await send('1', [ssh(ago(60), 'Accepted publickey for deploy from 10.0.3.7 port 22 ssh2')]);
  await done('1');
  const params = { id: rule.id };
  expect((await admin.ok('getDetectionRule', { params })).unseenLogsources).toEqual([]);
  const body = { content: content.replace('SSHD', 'auditd') };
  const changed = await admin.ok('updateDetectionRule', { params, body });
  expect(changed.unseenLogsources).toEqual([{ ...unseen[0], service: 'auditd' }]);
});

describe('a rule and its alerts lead to events', () => {
  const RULE = `title: A password is tried
logsource: { product: linux, service: sshd }
detection: { selection: { message|contains: Failed password }, condition: selection }
`;

  test('an alert to its own, and a rule to those of the past that it never saw', async () => {
    const { send, done, admin } = await collector();
    const failed = (seconds: number, host: string) =>
      ssh(ago(seconds), `Failed password for bob from 203.0.113.9 port 22 ssh2`, host);
    await send('before', [
      failed(900, 'web-01'),
      ssh(ago(899), 'Accepted publickey for deploy from 10.0.3.7 port 22 ssh2'),
    ]);
    await done('before');
    const rule = await admin.ok('createDetectionRule', { body: { content: RULE } });
    await send('after', [
      failed(60, 'WEB-01'),
      failed(50, 'web-01'),
      failed(40, 'web-02'),
      ssh(ago(45), 'Accepted publickey for deploy'),
    ]);
    await done('after');
    const found = async (query: object) => (await admin.ok('searchEvents', { query })).data.map(({ host }) => host);
    const { data } = await admin.ok('listAlerts', { query: { ruleId: rule.id } });
    const of = (host: string) =>
      data.find(({ entities }) => entities.some(({ value }) => value.toLowerCase() === host));
    expect(of('web-01')).toMatchObject({ eventCount: 2 });
    expect(await found({ alertId: of('web-01')?.id })).toEqual(['web-01', 'WEB-01']);
    expect(await found({ alertId: of('web-02')?.id })).toEqual(['web-02']);
    expect(await found({ ruleId: rule.id })).toEqual(['web-02', 'web-01', 'WEB-01', 'web-01']);
    expect(await found({ ruleId: rule.id, host: 'web-02' })).toEqual(['web-02']);
    const manual = await admin.ok('createAlert', { body: { title: 'By hand', severity: 'low' } });
    for (const [query, path, message] of [
      [{ alertId: manual.id }, 'alertId', 'no rule of this organization raised the alert'],
      [{ alertId: rule.id }, 'alertId', 'no such alert'],
      [{ ruleId: manual.id }, 'ruleId', 'no such rule'],
    ] as const) {
      const details = [{ path, message: expect.stringContaining(message) }];
      expect(await admin.call('searchEvents', { query })).toMatchObject({ status: 400, body: { details } });
    }
  });

  test('a correlation to the events of the group that was counted', async () => {
    const { send, done, admin } = await collector();
    const content = `${RULE}name: tried
---
title: One address tries many
correlation:
  { type: event_count, rules: [tried], group-by: [src_ip], timespan: 10m, condition: { gte: 2 } }
`;
    const rule = await admin.ok('createDetectionRule', { body: { content } });
    const failed = (seconds: number, from: string) =>
      ssh(ago(seconds), `Failed password for bob from ${from} port 22 ssh2`);
    await send('1', [failed(60, '203.0.113.9'), failed(50, '198.51.100.7'), failed(40, '203.0.113.9')]);
    await done('1');
    const { data } = await admin.ok('listAlerts', { query: { ruleId: rule.id } });
    expect(data).toHaveLength(1);
    const events = await admin.ok('searchEvents', { query: { alertId: data[0]?.id ?? '' } });
    expect(events.data.map(({ message }) => /from ([\d.]+)/.exec(message)?.[1])).toEqual([
      '203.0.113.9',
      '203.0.113.9',
    ]);
  });
});
