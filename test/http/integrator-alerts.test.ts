import { expect, test } from 'vitest';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

async function integrator() {
  const organization = await system.newOrganization();
  const { client } = await organization.machine('integrator', { name: 'edr-bridge' });
  const send = async (...items: unknown[]) => (await client.ok('sendAlerts', { body: { alerts: items } })).results;
  return { ...organization, client, send };
}

const item = (externalId: string, more: object = {}) => ({
  externalId,
  title: 'Credential dumping',
  severity: 'high',
  source: 'edr',
  ...more,
});

test('each alert of a batch exists once after any number of sends, and a refused one does not affect the others', async () => {
  const { send, admin, table } = await integrator();
  const batch = [
    item('a', { attackTechniques: ['t1003.001', 'T0000'], ruleName: 'lsass', ignored: 1 }),
    { externalId: 'b', severity: 'high' },
    item('c', { title: 'x'.repeat(5_000), firstEventAt: '2999-01-01T00:00:00Z' }),
    item('a'),
  ];
  const [a, b, c, again] = await send(...batch);
  expect(a).toMatchObject({ index: 0, accepted: true, outcome: 'created', unknownTechniques: ['T0000'] });
  expect(b).toMatchObject({
    index: 1,
    externalId: 'b',
    accepted: false,
    code: 'validation_failed',
    message: expect.stringContaining('title'),
  });
  expect(c).toMatchObject({ accepted: true, outcome: 'created' });
  expect(again).toMatchObject({ outcome: 'repeated', alertId: a?.alertId });
  expect((await send(...batch)).map(({ outcome }) => outcome)).toEqual(['repeated', undefined, 'repeated', 'repeated']);
  const { data, totalCount } = await admin.ok('listAlerts', { query: { source: 'edr' } });
  expect(totalCount).toBe(2);
  expect(data.find(({ id }) => id === a?.alertId)).toMatchObject({
    attackTechniques: ['T1003.001'],
    eventCount: 1,
    status: 'new',
    dedupKey: null,
    source: { kind: 'edr', ruleName: 'lsass' },
    createdBy: { kind: 'machine', name: 'edr-bridge' },
  });
  await expectExact(table, [alerts]);
});

test('alerts with one key are one, and those of another integrator are others', async () => {
  const { send, admin, machine, table } = await integrator();
  const results = await send(...['1', '2', '3'].map((id) => item(id, { dedupKey: 'spray', eventCount: 10 })));
  expect(new Set(results.map(({ alertId }) => alertId)).size).toBe(1);
  await send(item('4', { dedupKey: 'spray', severity: 'critical' }), item('2', { dedupKey: 'spray', eventCount: 10 }));
  const other = await machine('integrator', { name: 'other' });
  await other.client.ok('sendAlerts', { body: { alerts: [item('1', { dedupKey: 'spray' })] } });
  const { data } = await admin.ok('listAlerts', { query: { dedupKey: 'spray' } });
  expect(data.map(({ eventCount, severity }) => [eventCount, severity])).toEqual([
    [1, 'high'],
    [31, 'critical'],
  ]);
  await expectExact(table, [alerts]);
});

test('a whole batch of different alerts is taken in one request', async () => {
  const { send, admin, table } = await integrator();
  const results = await send(...Array.from({ length: 500 }, (_, n) => item(`e-${n}`, { title: `Beacon ${n}` })));
  expect(results.every(({ outcome }) => outcome === 'created')).toBe(true);
  expect((await admin.ok('listAlerts')).totalCount).toBe(500);
  expect((await admin.ok('searchAlerts', { query: { search: '"499"' } })).totalCount).toBe(1);
  await expectExact(table, [alerts]);
});
