import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { isTechnique } from '#shared/soc/alerts/attack-technique.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const make = (more: object = {}) =>
  analyst.ok('createAlert', { body: { title: 'Encoded PowerShell', severity: 'high', ...more } as never });
const update = (id: string, body: object) => analyst.call('updateAlert', { params: { id }, body: body as never });
const timeline = (id: string) => analyst.ok('listAlertTimeline', { params: { id } });

describe('an analyst follows an alert to its end', () => {
  test('writes it down, takes it, resolves it and opens it again', async () => {
    const entities = [{ type: 'user', value: 'ann@example.com' }];
    const made = await make({ attackTechniques: ['t1059.001'], entities, description: 'base64 in the command line' });
    expect(made).toMatchObject({
      status: 'new',
      severity: 'high',
      eventCount: 1,
      dedupKey: null,
      incidentId: null,
      reopenedCount: 0,
      source: { kind: 'manual', ruleId: null, ruleName: null, collectorId: null },
      attackTechniques: ['T1059.001'],
      entities: [{ ...entities[0], assetId: null }],
      acknowledgedAt: null,
      resolvedAt: null,
      resolution: null,
      description: 'base64 in the command line',
    });
    expect(made).not.toHaveProperty('repairs');
    const { body: taken } = await update(made.id, { assigneeId: made.createdBy.id, reason: 'mine' });
    expect(taken).toMatchObject({ status: 'acknowledged', assignee: { id: made.createdBy.id } });
    const resolved = await update(made.id, { status: 'resolved', resolution: 'host rebuilt' });
    expect(resolved.body).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String) });
    expect(await update(made.id, { status: 'new' })).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const { body: opened } = await update(made.id, { status: 'in_progress' });
    expect(opened).toMatchObject({ reopenedCount: 1, resolvedAt: null, resolution: null, status: 'in_progress' });
    const entries = await timeline(made.id);
    expect(entries.map(({ kind }) => kind)).toEqual(['changed', 'changed', 'changed']);
    expect(entries.at(-1)).toMatchObject({
      text: 'mine',
      by: { id: made.createdBy.id },
      changes: { status: { from: 'new', to: 'acknowledged' }, assignee: { from: null } },
    });
    expect(
      await analyst.ok('listAlertTimeline', { params: { id: made.id }, query: { before: entries[0]?.id } }),
    ).toEqual(entries.slice(1));
    expect(await analyst.ok('getAlert', { params: { id: made.id } })).toEqual(opened);
    await expectExact(organization.table, [alerts]);
  });

  test('finds it by filters that combine with words, and by the technique above its sub-technique', async () => {
    const { id } = await make({
      title: 'Kerberoasting',
      attackTechniques: ['T1558.003'],
      severity: 'critical',
      entities: [{ type: 'host', value: 'dc-77.example.com' }],
    });
    const found = async (query: object) =>
      (await analyst.ok('listAlerts', { query: query as never })).data.map((one) => one.id);
    expect(await found({ technique: 'T1558' })).toEqual([id]);
    expect(await found({ technique: 't1558.003', severity: 'critical', status: 'new', source: 'manual' })).toEqual([
      id,
    ]);
    expect(await found({ technique: 'T1558', status: 'resolved,false_positive' })).toEqual([]);
    const search = await analyst.ok('searchAlerts', { query: { search: 'dc-77 kerb', incidentId: 'none' } });
    expect(search.data.map((one) => one.id)).toEqual([id]);
    expect(search.data[0]).not.toHaveProperty('description');
    expect(await found({ technique: 'T1558', assigneeId: 'none', createdFrom: '2020-01-01' })).toEqual([id]);
  });

  test('sees which known asset it concerns, by its name, its address or its id in the cloud', async () => {
    const { id: hostId } = await analyst.ok('createAsset', {
      body: { type: 'host', value: 'app-01.example.com', identifiers: { ips: ['10.1.2.3'] } } as never,
    });
    const { entities } = await make({
      entities: [
        { type: 'host', value: 'APP-01.example.com' },
        { type: 'ip', value: '10.1.2.3' },
        { type: 'ip', value: '10.9.9.9' },
        { type: 'hash', value: 'app-01.example.com' },
      ],
    });
    expect(entities.map(({ assetId }) => assetId)).toEqual([hostId, hostId, null, null]);
    const { data } = await analyst.ok('listAlerts', { query: { assetId: hostId } });
    expect(data).toHaveLength(1);
    expect(await organization.table.find(assets, hostId)).toBeDefined();
  });

  test('gets an answer that says what to send instead, and nothing is changed', async () => {
    const { id, version } = await make();
    const unknown = '01900000-0000-7000-8000-000000000000';
    for (const [body, path] of [
      [{ attackTechniques: ['T9999'] }, 'attackTechniques.0'],
      [{ incidentId: unknown }, 'incidentId'],
      [{ assigneeId: 'nobody' }, 'assigneeId'],
      [{ entities: [{ type: 'host', value: 'x', assetId: unknown }] }, 'entities.0.assetId'],
      [{ eventCount: 7 }, 'eventCount'],
    ] as const) {
      const answer = await update(id, body);
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
    }
    expect(await analyst.ok('getAlert', { params: { id } })).toMatchObject({ version });
  });

  test('discusses it; a comment is its author’s alone', async () => {
    const { id } = await make();
    const other = await organization.withRole('analyst');
    const comment = await analyst.ok('createAlertComment', { params: { id }, body: { text: 'seen before' } });
    const params = { id, commentId: comment.id };
    expect((await other.call('updateAlertComment', { params, body: { text: 'x' } })).status).toBe(400);
    await analyst.ok('updateAlertComment', { params, body: { text: 'seen before, in May' } });
    const { data } = await analyst.ok('listAlertComments', { params: { id } });
    expect(data).toMatchObject([{ text: 'seen before, in May', alertId: id }]);
    await analyst.ok('deleteAlertComment', { params });
    expect((await analyst.ok('listAlertComments', { params: { id } })).totalCount).toBe(0);
  });
});

describe('alerts with the same key', () => {
  test('are one while it is open and the window lasts, as grave as the gravest', async () => {
    const first = await make({ dedupKey: 'brute-force', severity: 'low', entities: [{ type: 'user', value: 'bob' }] });
    const second = await make({
      dedupKey: 'brute-force',
      severity: 'high',
      entities: [{ type: 'user', value: 'eve' }],
    });
    expect(second).toMatchObject({ id: first.id, eventCount: 2, severity: 'high', firstEventAt: first.firstEventAt });
    expect(second.entities.map(({ value }) => value)).toEqual(['bob', 'eve']);
    await update(first.id, { status: 'false_positive' });
    const third = await make({ dedupKey: 'brute-force' });
    expect(third.id).not.toBe(first.id);
    expect(await make({ dedupKey: 'brute-force' })).toMatchObject({ id: third.id, eventCount: 2 });
    const earlier = new Date(Date.now() - 3_000_000).toISOString();
    const late = await make({ dedupKey: 'brute-force', firstEventAt: earlier });
    expect(late).toMatchObject({ id: third.id, eventCount: 3, firstEventAt: earlier });
    await expectExact(organization.table, [alerts]);
  });

  test('are two when the window is over, whose length the organization chooses', async () => {
    const own = await system.newOrganization();
    await own.admin.ok('updateOrganizationSettings', { body: { alertWindowMinutes: 5 } });
    const write = (minutesAgo: number) =>
      own.admin.ok('createAlert', {
        body: {
          title: 'Scan',
          severity: 'info',
          dedupKey: 'scan',
          firstEventAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
        },
      });
    const first = await write(60);
    expect(await write(56)).toMatchObject({ id: first.id, eventCount: 2 });
    const second = await write(54);
    expect(second.id).not.toBe(first.id);
    expect(await write(50)).toMatchObject({ id: second.id, eventCount: 2 });
  });
});

test('many alerts are triaged at once, each as alone, under the name of who asked', async () => {
  const waitSeconds = 20;
  const ones = await Promise.all([1, 2, 3].map((n) => make({ title: `Beacon ${n}`, attackTechniques: ['T1071.004'] })));
  const [first] = ones;
  await update(first?.id ?? '', { status: 'in_progress' });
  const { task } = await analyst.ok('updateAlerts', {
    query: { waitSeconds },
    body: { filter: { technique: 'T1071' }, changes: { status: 'acknowledged' }, reason: 'one campaign' },
  });
  expect(task).toMatchObject({ status: 'succeeded', result: { matched: 3, changed: 3, refusedCount: 0 } });
  const again = await analyst.ok('updateAlerts', {
    query: { waitSeconds },
    body: { ids: ones.map(({ id }) => id), changes: { status: 'acknowledged', severity: 'low' } },
  });
  expect(again.task?.result).toMatchObject({ changed: 3, results: [{ outcome: 'changed' }, {}, {}] });
  const [entry] = (await timeline(first?.id ?? '')).slice(1);
  expect(entry).toMatchObject({ text: 'one campaign', taskId: task?.id, by: { id: first?.createdBy.id } });
  expect((await analyst.call('updateAlerts', { body: { ids: [], changes: {} } as never })).status).toBe(400);
  await expectExact(organization.table, [alerts]);
});

test('the list of techniques has those that MITRE publishes and no others', () => {
  for (const id of ['T1001', 'T1003.008', 'T1055.015', 'T1059.013', 'T1218.015']) expect(isTechnique(id)).toBe(true);
  // numbers that MITRE never gave, or revoked
  for (const id of ['T1003.009', 'T1055.006', 'T1218.006', 'T1002', 'T10591', '']) expect(isTechnique(id)).toBe(false);
});
