import { expect, test } from 'vitest';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const alert = async (title: string) => (await analyst.ok('createAlert', { body: { title, severity: 'high' } })).id;
const make = (more: object = {}) =>
  analyst.ok('createIncident', { body: { title: 'Web shell', severity: 'critical', ...more } as never });
const update = (id: string, body: object) => analyst.call('updateIncident', { params: { id }, body: body as never });
const read = (id: string) => analyst.ok('getIncident', { params: { id } });
const kinds = async (id: string) =>
  (await analyst.ok('listIncidentTimeline', { params: { id } })).map(({ kind }) => kind).toSorted();

test('an incident goes from its alerts to what is learnt, and nothing of its timeline is lost', async () => {
  const [one, two, three] = [await alert('a'), await alert('b'), await alert('c')];
  const detectedAt = new Date(Date.now() - 3_600_000).toISOString();
  const made = await make({ alertIds: [one, two], detectedAt, description: 'the shop' });
  expect(made).toMatchObject({
    status: 'open',
    detectedAt,
    alerts: { total: 2, open: 2 },
    memberIds: [],
    description: 'the shop',
    acknowledgedAt: null,
    containedAt: null,
    closedAt: null,
    summary: null,
    lessons: null,
  });
  expect(made.alertIds?.toSorted()).toEqual([one, two].toSorted());
  await analyst.ok('updateAlert', { params: { id: two }, body: { status: 'resolved' } });
  const { body: moved } = await update(made.id, { alertIds: [two, three], status: 'contained', reason: 'off the net' });
  expect(moved).toMatchObject({ alerts: { total: 2, open: 1 }, status: 'contained' });
  expect(moved).toMatchObject({ acknowledgedAt: expect.any(String), containedAt: expect.any(String) });
  expect(await analyst.ok('getAlert', { params: { id: one } })).toMatchObject({ incidentId: null });
  await analyst.ok('addTimelineNote', { params: { id: made.id }, body: { text: 'shell removed' } });
  const { body: again } = await update(made.id, { status: 'investigating' });
  expect(again).toMatchObject({ containedAt: null });
  for (const status of ['eradicated', 'recovered', 'closed'] as const)
    await update(made.id, { status, lessons: status });
  expect(await read(made.id)).toMatchObject({ status: 'closed', closedAt: expect.any(String), lessons: 'closed' });
  expect(await update(made.id, { alertIds: [one, two] })).toMatchObject({ status: 400, body: { code: 'conflict' } });
  expect(await update(made.id, { status: 'contained' })).toMatchObject({ status: 400, body: { code: 'conflict' } });
  expect((await update(made.id, { status: 'investigating' })).body).toMatchObject({ closedAt: null, reopenedCount: 1 });
  expect(await kinds(made.id)).toEqual([
    ...['alert_added', 'alert_added', 'alert_added', 'alert_removed'],
    ...['changed', 'changed', 'changed', 'changed', 'changed', 'changed', 'note'],
  ]);
  const { data } = await analyst.ok('searchIncidents', {
    query: { search: 'web sh', status: 'investigating' as never },
  });
  expect(data).toMatchObject([{ id: made.id, alerts: { total: 2, open: 1 } }]);
  await expectExact(organization.table, [alerts, incidents]);
});

test('an alert is part of one incident at most, also when two take it at once', async () => {
  const shared = await alert('shared');
  const both = await Promise.all([make({ alertIds: [shared] }), make({ alertIds: [shared] })]);
  const { incidentId } = await analyst.ok('getAlert', { params: { id: shared } });
  const counts = await Promise.all(both.map(async ({ id }) => (await read(id)).alerts.total));
  expect(counts.toSorted()).toEqual([0, 1]);
  expect(both.map(({ id }) => id)).toContain(incidentId);
  await expectExact(organization.table, [alerts]);
});

test('an incident with more alerts than a transaction holds has all of them', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => alert(`beacon ${n}`)));
  const made = await make({ alertIds: ids });
  expect(made.alerts).toEqual({ total: 60, open: 60 });
  expect(made.alertIds?.toSorted()).toEqual(ids.toSorted());
  expect((await update(made.id, { alertIds: [] })).body).toMatchObject({ alerts: { total: 0, open: 0 } });
  await expectExact(organization.table, [alerts, incidents]);
});

test('alerts, people and incidents of another organization are not found', async () => {
  const other = await system.newOrganization();
  const theirs = await other.admin.ok('createAlert', { body: { title: 'theirs', severity: 'low' } });
  expect(
    await analyst.call('createIncident', { body: { title: 'x', severity: 'low', alertIds: [theirs.id] } }),
  ).toMatchObject({
    status: 400,
    body: { details: [{ path: 'alertIds.0' }] },
  });
  const { id } = await make();
  expect(await update(id, { memberIds: ['someone'] })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'memberIds.0' }] },
  });
  expect(await other.admin.call('getIncident', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
  expect((await read(id)).version).toBe(1);
});
