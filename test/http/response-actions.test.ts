import { afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

afterEach(() => setClock());

const isolate = [{ action: 'isolate_host', targetTypes: ['host'] }];
const newIntegrator = async (name: string) => (await organization.machine('integrator', { name })).client;
type Machine = Awaited<ReturnType<typeof newIntegrator>>;
const poll = (machine: Machine, more: object = {}) =>
  machine.ok('leaseResponseActions', { body: { capacity: 5, capabilities: isolate, ...more } as never });
const complete = async (machine: Machine, ...results: object[]) =>
  (await machine.ok('completeResponseActions', { body: { results } })).results;

async function ask(more: object = {}) {
  const { id: incidentId } = await analyst.ok('createIncident', { body: { title: 'Web shell', severity: 'high' } });
  const target = { type: 'host', value: 'web-01' };
  const body = { type: 'isolate_host', target, parameters: { vlan: 'quarantine' }, ...more };
  return analyst.ok('createResponseAction', { params: { id: incidentId }, body: body as never });
}
const approve = (id: string) => organization.admin.call('approveResponseAction', { params: { id }, body: {} });
const read = (id: string) => analyst.ok('getResponseAction', { params: { id } });
const summary = async () => (await analyst.ok('getSOCSummary')).responseActions;

test('an action waits for a second person, and is done once by an integrator that offers it', async () => {
  const [one, other] = [await newIntegrator('one'), await newIntegrator('other')];
  const asked = await ask({ reason: 'spreading' });
  expect(asked).toMatchObject({
    status: 'awaiting_approval',
    decidedBy: null,
    integratorId: null,
    reason: 'spreading',
  });
  expect((await poll(one)).tasks).toEqual([]);
  const params = { id: asked.id };
  expect(await analyst.call('approveResponseAction', { params, body: {} })).toMatchObject({
    body: { code: 'conflict' },
  });
  expect((await summary()).awaitingApproval).toBe(1);
  expect((await approve(asked.id)).body).toMatchObject({ status: 'approved', deadlineAt: expect.any(String) });
  expect((await poll(one, { capabilities: [{ action: 'isolate_host', targetTypes: ['user'] }] })).tasks).toEqual([]);
  const polls = await Promise.all([poll(one), poll(other), poll(one), poll(other)]);
  const leased = polls.flatMap(({ tasks }) => tasks);
  expect(leased).toMatchObject([
    { id: asked.id, type: 'isolate_host', parameters: { vlan: 'quarantine' }, attempt: 1 },
  ]);
  expect(await summary()).toMatchObject({ awaitingApproval: 0, running: 1 });
  const { integratorId } = await read(asked.id);
  const holder = polls[0]?.tasks.length || polls[2]?.tasks.length ? one : other;
  const done = { taskId: asked.id, outcome: 'completed', summary: 'isolated', output: { port: 7 } };
  expect(await complete(holder === one ? other : one, done)).toMatchObject([{ accepted: false, code: 'not_held' }]);
  expect(await complete(holder, done)).toMatchObject([{ accepted: true }]);
  expect(await complete(holder, done)).toMatchObject([{ accepted: true }]);
  expect(await read(asked.id)).toMatchObject({
    status: 'succeeded',
    integratorId,
    result: { summary: 'isolated', output: { port: 7 } },
    error: null,
  });
  const timeline = await analyst.ok('listIncidentTimeline', { params: { id: asked.incidentId } });
  const moves = timeline.map(({ changes }) => changes?.status?.to).toSorted();
  expect(moves).toEqual(['approved', 'awaiting_approval', 'running', 'succeeded']);
  expect(timeline.every(({ responseActionId }) => responseActionId === asked.id)).toBe(true);
  await expectExact(organization.table, [responseActions]);
});

test('one that is denied, or taken back, is handed to nobody', async () => {
  const machine = await newIntegrator('denied');
  const [asked, taken] = [await ask(), await ask()];
  const denied = await organization.admin.ok('denyResponseAction', {
    params: { id: asked.id },
    body: { reason: 'no' },
  });
  expect(denied).toMatchObject({ status: 'denied', decisionReason: 'no' });
  expect(await approve(asked.id)).toMatchObject({ status: 400, body: { code: 'conflict' } });
  await approve(taken.id);
  await analyst.ok('denyResponseAction', { params: { id: taken.id }, body: {} });
  expect((await poll(machine)).tasks).toEqual([]);
  await expectExact(organization.table, [responseActions]);
});

test('one that fails, or whose integrator falls silent, is not tried again', async () => {
  const machine = await newIntegrator('silent');
  const [first, second, third] = [await ask(), await ask(), await ask({ timeoutSeconds: 3_600 })];
  await approve(first.id);
  await approve(second.id);
  expect((await poll(machine)).tasks).toHaveLength(2);
  await approve(third.id);
  const error = { code: 'no_agent', message: 'the host has no agent' };
  await complete(machine, { taskId: first.id, outcome: 'failed', error });
  expect(await read(first.id)).toMatchObject({ status: 'failed', error });
  const later = Date.now() + 2 * 3_600_000;
  setClock(() => later);
  await sweep(system.connections);
  setClock();
  expect(await read(second.id)).toMatchObject({ status: 'failed', error: { code: 'lease_expired' } });
  expect(await read(third.id)).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
  expect((await poll(machine)).tasks).toEqual([]);
  expect(await complete(machine, { taskId: second.id, outcome: 'completed' })).toMatchObject([{ accepted: false }]);
  const { data } = await analyst.ok('listResponseActions', {
    query: { status: 'failed', incidentId: second.incidentId },
  });
  expect(data.map(({ id }) => id)).toEqual([second.id]);
  await expectExact(organization.table, [responseActions]);
});
