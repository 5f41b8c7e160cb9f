import { describe, expect, test } from 'vitest';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { end, makeTask, openEngagement, take } from '../support/apex.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';

const system = startSystem();

const read = ({ admin }: TestOrganization, id: string) => admin.ok('getApexTask', { params: { id } });
const session = ({ client }: TestMachine, more: object = {}) =>
  client.ok('updateApexSession', { body: { state: 'busy', ...more } });

describe('cancelling', () => {
  test('ends a waiting task at once; a second call is a conflict that shows the status', async () => {
    const organization = await system.newOrganization();
    const task = await makeTask(organization, await openEngagement(organization));
    const cancel = () => organization.admin.call('cancelApexTask', { params: { id: task.id } });
    expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await cancel()).toMatchObject({
      status: 400,
      body: { code: 'conflict', message: expect.stringContaining('cancelled') },
    });
    expect(await take(await organization.machine('apex'))).toEqual([]);
  });

  test('reaches a running task with the next poll and session update, until the appliance confirms', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, await openEngagement(organization));
    await take(appliance);
    const running = [{ taskId: task.id, progress: 0.2 }];
    const asked = await admin.ok('cancelApexTask', { params: { id: task.id } });
    expect(asked).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(String) });
    const { cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 0, running } });
    expect(cancel).toEqual([{ taskId: task.id, reason: 'cancelled' }]);
    const { commands, leases } = await session(appliance, { running });
    expect(commands).toEqual([{ type: 'cancel', taskId: task.id, reason: 'cancelled' }]);
    expect(leases).toMatchObject([{ taskId: task.id }]);
    expect(await end(appliance, task.id, 'cancelled')).toMatchObject({ accepted: true });
    expect(await read(organization, task.id)).toMatchObject({ status: 'cancelled' });
    expect((await session(appliance)).commands).toEqual([]);
  });

  test('a running task twice leaves the first request unchanged, and its appliance gets one command', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, await openEngagement(organization));
    await take(appliance);
    const asked = await admin.ok('cancelApexTask', { params: { id: task.id } });
    expect(await admin.ok('cancelApexTask', { params: { id: task.id } })).toEqual(asked);
    const { commands } = await session(appliance, { running: [{ taskId: task.id }] });
    expect(commands).toEqual([{ type: 'cancel', taskId: task.id, reason: 'cancelled' }]);
  });

  test('and a simultaneous completion agree on one outcome for all readers', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    for (let round = 0; round < 5; round++) {
      const task = await makeTask(organization, engagementId);
      await take(appliance);
      const [cancelled, completed] = await Promise.all([
        organization.admin.call('cancelApexTask', { params: { id: task.id } }),
        end(appliance, task.id),
      ]);
      expect(completed).toMatchObject({ accepted: true });
      expect([200, 400]).toContain(cancelled.status);
      expect(await read(organization, task.id)).toMatchObject({ status: 'completed' });
    }
  });
});

describe('leases', () => {
  test('only one of two appliances that poll simultaneously gets a task', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const appliances = await Promise.all([1, 2, 3].map(() => organization.machine('apex')));
    await Promise.all(appliances.map((appliance) => take(appliance, 0)));
    const task = await makeTask(organization, engagementId);
    const taken = await Promise.all(appliances.map((appliance) => take(appliance)));
    expect(taken.flat().map(({ id }) => id)).toEqual([task.id]);
  });

  test('a completion that is sent twice gets the same answer and counts once', async () => {
    const organization = await system.newOrganization();
    const task = await makeTask(organization, await openEngagement(organization));
    const appliance = await organization.machine('apex');
    await take(appliance);
    const both = await Promise.all([end(appliance, task.id), end(appliance, task.id)]);
    const again = await end(appliance, task.id, 'failed');
    for (const answer of [...both, again]) expect(answer).toMatchObject({ accepted: true });
    const { version, status } = await read(organization, task.id);
    expect(status).toBe('completed');
    await end(appliance, task.id);
    expect((await read(organization, task.id)).version).toBe(version);
  });

  test('a task that failed goes to another until its attempts are used up', async () => {
    const organization = await system.newOrganization();
    const task = await makeTask(organization, await openEngagement(organization));
    const appliance = await organization.machine('apex');
    for (const attempt of [1, 2, 3]) {
      expect(await take(appliance)).toMatchObject([{ id: task.id, attempt }]);
      await end(appliance, task.id, 'failed', { error: { code: 'no_route', message: 'cannot reach it' } });
    }
    expect(await read(organization, task.id)).toMatchObject({ status: 'failed', error: { code: 'no_route' } });
    expect(await take(appliance)).toEqual([]);
  });

  test('an appliance cannot complete or report on a task that it does not hold, nor see another organization', async () => {
    const organization = await system.newOrganization();
    const other = await system.newOrganization();
    const task = await makeTask(organization, await openEngagement(organization));
    const [holder, second, stranger] = [
      await organization.machine('apex'),
      await organization.machine('apex'),
      await other.machine('apex'),
    ];
    expect(await take(stranger)).toEqual([]);
    await take(holder);
    expect(await end(second, task.id)).toMatchObject({ accepted: false, code: 'not_held' });
    expect(await end(stranger, task.id)).toMatchObject({ accepted: false, code: 'not_found' });
    const findings = [{ externalId: 'x', title: 'x', severity: 'low' as const }];
    for (const { client } of [second, stranger])
      expect(await client.call('reportApexFindings', { body: { taskId: task.id, findings } })).toMatchObject({
        status: 400,
        body: { code: 'conflict' },
      });
    expect((await session(second, { running: [{ taskId: task.id }] })).lost).toEqual([task.id]);
    expect(await read(organization, task.id)).toMatchObject({ status: 'running', appliance: { id: holder.id } });
  });

  test('a removed appliance loses its credential and its tasks in one step', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const task = await makeTask(organization, await openEngagement(organization));
    const [gone, next] = [await organization.machine('apex'), await organization.machine('apex')];
    await take(gone);
    await admin.ok('deleteAppliance', { params: { id: gone.id } });
    expect(await gone.client.call('leaseApexTasks', { body: { capacity: 1 } })).toMatchObject({ status: 401 });
    expect(await read(organization, task.id)).toMatchObject({ status: 'pending', appliance: null });
    expect((await take(next)).map(({ id }) => id)).toEqual([task.id]);
    expect(await organization.table.find(apexTasks, task.id)).toMatchObject({ attempt: 2 });
  });
});

describe('what an appliance says', () => {
  test('of its version is kept while it is online: with the poll or session update that reports another version', async () => {
    const organization = await system.newOrganization();
    const appliance = await organization.machine('apex');
    const version = async () =>
      (await organization.admin.ok('getAppliance', { params: { id: appliance.id } })).softwareVersion;
    const poll = (more: object) => appliance.client.ok('leaseApexTasks', { body: { capacity: 0, ...more } });
    await poll({ version: '1.0.0' });
    expect(await version()).toBe('1.0.0');
    await poll({ version: '1.1.0' });
    expect(await version()).toBe('1.1.0');
    await session(appliance, { version: '1.2.0' });
    expect(await version()).toBe('1.2.0');
    await poll({});
    expect(await version()).toBe('1.2.0');
  });

  test('of an output is kept up to 64 KB; with a byte more the result is refused and the task goes on', async () => {
    const organization = await system.newOrganization();
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, await openEngagement(organization));
    await take(appliance);
    const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) });
    const complete = async (output: object) => {
      const results = [{ taskId: task.id, outcome: 'completed', output }];
      return (await appliance.client.ok('completeApexTasks', { body: { results } })).results[0];
    };
    expect(await complete(ofBytes(64 * 1024 + 1))).toMatchObject({ accepted: false, code: 'payload_too_large' });
    expect(await read(organization, task.id)).toMatchObject({ status: 'running' });
    expect(await complete(ofBytes(64 * 1024))).toMatchObject({ accepted: true });
    expect(await read(organization, task.id)).toMatchObject({
      status: 'completed',
      result: { output: ofBytes(64 * 1024) },
    });
  });

  test('of findings in many calls keeps the ten last imports with its task, and counts a finding that moved once', async () => {
    const organization = await system.newOrganization();
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, await openEngagement(organization));
    await take(appliance);
    const target = { type: 'host' as const, value: '10.0.0.1' };
    const report = async (externalId: string, severity: 'high' | 'low') => {
      const body = { taskId: task.id, findings: [{ externalId, title: 'x', severity, target }] };
      await appliance.client.ok('reportApexFindings', { body });
      return (await organization.table.get(apexTasks, task.id, true)).ingestTaskIds.at(-1);
    };
    const queued: (string | undefined)[] = [];
    for (let n = 0; n < 11; n++) queued.push(await report(`f${n}`, 'high'));
    expect(new Set(queued).size).toBe(11);
    expect(await read(organization, task.id)).toMatchObject({ ingestTaskIds: queued.slice(1), findings: { high: 11 } });
    await report('f0', 'low');
    expect(await read(organization, task.id)).toMatchObject({ findings: { high: 10, low: 1 } });
  });

  test('of a severity that nobody knows is refused for that finding alone, which says what to send', async () => {
    const organization = await system.newOrganization();
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, await openEngagement(organization));
    await take(appliance);
    const target = { type: 'host', value: '10.0.0.1' };
    const findings = ['high', 'severe', ''].map((severity) => ({
      externalId: severity || 'none',
      title: 'x',
      severity,
      target,
    }));
    const { body } = await appliance.client.send('POST', '/api/v1/apex_communication/findings', {
      body: { taskId: task.id, findings },
    });
    expect(Object(body).results).toMatchObject([
      { accepted: true },
      { accepted: false, code: 'validation_failed', message: expect.stringContaining('severity') },
      { accepted: false, code: 'validation_failed', message: expect.stringContaining('severity') },
    ]);
    expect(await read(organization, task.id)).toMatchObject({ findings: { critical: 0, high: 1, info: 0 } });
  });
});
