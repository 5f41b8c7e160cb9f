import { expect, test } from 'vitest';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { analyst, organization, withAnalyst } from '../support/analyst.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const waitSeconds = 20;
const alert = (more: object = {}) =>
  analyst.ok('createAlert', { body: { title: 'Beacon', severity: 'high', ...more } as never });
const incident = (more: object = {}) =>
  analyst.ok('createIncident', { body: { title: 'Web shell', severity: 'high', ...more } as never });
const readAlert = (id: string) => analyst.ok('getAlert', { params: { id } });
const readIncident = (id: string) => analyst.ok('getIncident', { params: { id } });
const changeAlert = (id: string, body: object) => analyst.ok('updateAlert', { params: { id }, body: body as never });

test('a dry run of a change of many alerts says what it would do, and does nothing', async () => {
  const [one, two] = [await alert({ severity: 'info' }), await alert({ severity: 'info' })];
  await changeAlert(two.id, { status: 'resolved' });
  const body = { filter: { severity: ['info' as const] }, changes: { status: 'resolved' as const }, dryRun: true };
  const { preview } = await analyst.ok('updateAlerts', { body });
  expect(preview).toMatchObject({ matched: 2, changed: 1, unchanged: 1, refusedCount: 0 });
  expect(preview?.sample).toEqual([{ id: one.id, title: 'Beacon', severity: 'info', status: 'new' }]);
  expect(await readAlert(one.id)).toMatchObject({ status: 'new', version: one.version });
});

test('a change of many alerts is undone, but for those that somebody changed since and those of a closed incident', async () => {
  const [from, to] = [await incident(), await incident()];
  const plain = await alert({ severity: 'low' });
  const moved = await alert({ severity: 'low', incidentId: from.id });
  const touched = await alert({ severity: 'low' });
  const ids = [plain.id, moved.id, touched.id];
  const changes = { status: 'resolved' as const, resolution: 'a test', incidentId: to.id };
  const { task } = await analyst.ok('updateAlerts', { query: { waitSeconds }, body: { ids, changes } });
  expect(task?.result).toMatchObject({ changed: 3 });
  await changeAlert(touched.id, { status: 'in_progress' });
  await analyst.ok('updateIncident', { params: { id: from.id }, body: { status: 'closed' } });
  const named = { params: { taskId: task?.id ?? '' }, query: { waitSeconds } };
  const { task: undone } = await analyst.ok('undoAlertsUpdate', named);
  expect(undone?.result).toMatchObject({ matched: 3, restored: 1, changedSinceCount: 2 });
  const refused = Object(undone?.result).changedSince as { id: string; message: string }[];
  expect(new Map(refused.map(({ id, message }) => [id, message]))).toEqual(
    new Map([
      [moved.id, expect.stringContaining('closed')],
      [touched.id, expect.stringContaining('status')],
    ]),
  );
  const { version: _v, updatedAt: _u, ...before } = plain;
  expect(await readAlert(plain.id)).toMatchObject(before);
  const [entry] = await analyst.ok('listAlertTimeline', { params: { id: plain.id } });
  expect(entry).toMatchObject({ kind: 'changed', text: expect.stringContaining('undone'), taskId: undone?.id });
  expect((await analyst.ok('undoAlertsUpdate', named)).taskId).toBe(undone?.id);
  await expectExact(organization.table, [alerts]);
});

test('many incidents are changed at once, each as alone, and get back what they had', async () => {
  const made = await Promise.all([1, 2].map(() => incident({ severity: 'medium' })));
  const [first = made[0], second] = made;
  const closed = await incident({ severity: 'medium' });
  await analyst.ok('updateIncident', { params: { id: closed.id }, body: { status: 'closed' } });
  const body = {
    filter: { severity: ['medium' as const] },
    changes: { status: 'contained' as const },
    reason: 'one case',
  };
  const { preview } = await analyst.ok('updateIncidents', { body: { ...body, dryRun: true } });
  expect(preview).toMatchObject({ matched: 3, changed: 2, refusedCount: 1, refused: [{ id: closed.id }] });
  expect(await readIncident(first?.id ?? '')).toMatchObject({ status: 'open' });
  const { task } = await analyst.ok('updateIncidents', { query: { waitSeconds }, body });
  expect(task).toMatchObject({ status: 'succeeded', result: { matched: 3, changed: 2, refusedCount: 1 } });
  expect(await readIncident(second?.id ?? '')).toMatchObject({ status: 'contained', containedAt: expect.any(String) });
  const [entry] = await analyst.ok('listIncidentTimeline', { params: { id: second?.id ?? '' } });
  expect(entry).toMatchObject({ text: 'one case', taskId: task?.id, changes: { status: { from: 'open' } } });
  const named = { params: { taskId: task?.id ?? '' }, query: { waitSeconds } };
  expect((await analyst.ok('undoIncidentsUpdate', named)).task?.result).toMatchObject({ matched: 2, restored: 2 });
  for (const { id } of made)
    expect(await readIncident(id)).toMatchObject({ status: 'open', containedAt: null, acknowledgedAt: null });
  const wrong = await analyst.call('updateIncidents', { body: { ids: [closed.id], changes: {} } });
  expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'changes' }] } });
  await expectExact(organization.table, [incidents]);
});
