import { describe, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { DAYS } from '#shared/scanning/schedule/engagement-schedule.ts';
import { end, makeTask, openEngagement, take } from '../support/apex.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

const read = ({ admin }: TestOrganization, id: string) => admin.ok('getApexTask', { params: { id } });
const session = ({ client }: TestMachine, more: object = {}) =>
  client.ok('updateApexSession', { body: { state: 'busy', ...more } });

describe('a task', () => {
  test('goes to an appliance, its findings are ingested, and it is shown as completed', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, engagementId);
    expect(task).toMatchObject({ status: 'pending', released: true, title: 'Look around.' });
    const [leased] = await take(appliance);
    expect(leased).toMatchObject({
      id: task.id,
      attempt: 1,
      allowExploitation: false,
      targets: [{ value: 'shop.example.com' }, { value: '10.0.0.0/24' }],
      exclusions: [{ value: '10.0.0.9' }],
    });
    await session(appliance, { running: [{ taskId: task.id, progress: 0.5, step: 'ports', message: 'half' }] });
    expect(await read(organization, task.id)).toMatchObject({ status: 'running', appliance: { id: appliance.id } });

    const finding = {
      externalId: 'weak-login',
      title: 'Login without a password',
      severity: 'high' as const,
      target: { type: 'host' as const, value: '10.0.0.7', port: 443 },
      cves: ['CVE-2024-12345'],
      attackTechniques: ['T1078'],
      evidence: [{ kind: 'text' as const, content: 'it let me in' }],
    };
    const outside = { ...finding, externalId: 'other', target: { type: 'host' as const, value: '192.0.2.1' } };
    const excluded = { ...finding, externalId: 'never', target: { type: 'host' as const, value: '10.0.0.9' } };
    const report = () =>
      appliance.client.ok('reportApexFindings', {
        body: { taskId: task.id, findings: [finding, outside, excluded, { title: 'no id' }] },
      });
    const answer = await report();
    expect(answer.results.map(({ accepted, code }) => [accepted, code])).toEqual([
      [true, undefined],
      [false, 'out_of_scope'],
      [false, 'out_of_scope'],
      [false, 'validation_failed'],
    ]);
    expect(await finished(appliance.client, answer.taskId)).toMatchObject({ status: 'succeeded' });
    const { data } = await admin.ok('listFindings', { query: { engagementId } });
    expect(data).toMatchObject([
      {
        title: finding.title,
        severity: 'high',
        tool: 'apex',
        asset: { type: 'host', name: '10.0.0.7' },
        cves: ['CVE-2024-12345'],
      },
    ]);
    expect((await report()).taskId).toBe(answer.taskId);
    expect((await admin.ok('listFindings', { query: { engagementId } })).totalCount).toBe(1);

    const result = { summary: 'One weak login.', output: { hosts: 1 }, usage: { inputTokens: 10, outputTokens: 5 } };
    expect(await end(appliance, task.id, 'completed', result)).toMatchObject({ accepted: true });
    expect(await read(organization, task.id)).toMatchObject({
      status: 'completed',
      result: { summary: 'One weak login.', output: { hosts: 1 } },
      usage: { inputTokens: 10, outputTokens: 5 },
      findings: { high: 1, critical: 0 },
      leaseExpiresAt: null,
    });
    const counts = await admin.ok('countApexTasksByStatus');
    expect(counts.map(({ value, count }) => `${value} ${count}`)).toEqual([
      'pending 0',
      'running 0',
      'completed 1',
      'failed 0',
      'cancelled 0',
    ]);
    expect((await admin.ok('listApexTasks', { query: { status: 'completed' } })).totalCount).toBe(1);
    expect((await admin.ok('listApexTasks', { query: { engagementId } })).data[0]?.id).toBe(task.id);
  });

  test('counts one finding per asset, however the asset is spelled', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const { id: taskId } = await makeTask(organization, engagementId);
    await take(appliance);
    const findings = ['10.0.0.1', '10.0.0.2', 'Shop.Example.COM.', 'shop.example.com'].map((value) => ({
      externalId: 'weak-login',
      title: 'Login without a password',
      severity: 'high' as const,
      target: { type: 'host' as const, value },
    }));
    const answer = await appliance.client.ok('reportApexFindings', { body: { taskId, findings } });
    expect(answer.results.every(({ accepted }) => accepted)).toBe(true);
    await finished(appliance.client, answer.taskId);
    const { data } = await organization.admin.ok('listFindings', { query: { engagementId } });
    expect(data.map(({ asset }) => asset.name).toSorted()).toEqual(['10.0.0.1', '10.0.0.2', 'shop.example.com']);
    expect(await read(organization, taskId)).toMatchObject({ findings: { high: 3 } });
  });

  test('of exploitation waits for approval, and never runs after a denial', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization, true);
    const appliance = await organization.machine('apex');
    const [yes, no] = [
      await makeTask(organization, engagementId, { type: 'exploitation', approval: 'none' }),
      await makeTask(organization, engagementId, { type: 'exploitation' }),
    ];
    expect(yes).toMatchObject({ approval: 'required', waitingReason: 'approval', released: false });
    expect(await take(appliance)).toEqual([]);
    const analyst = await organization.withRole('analyst');
    expect(await analyst.call('approveApexTask', { params: { id: yes.id } })).toMatchObject({ status: 401 });
    const body = { reason: 'the owner agreed' };
    const approved = await admin.ok('approveApexTask', { params: { id: yes.id }, body });
    expect(approved).toMatchObject({ released: true, approvedBy: { name: 'administrator', ...body } });
    const { approvedBy } = await read(organization, yes.id);
    const another = await organization.withRole('admin');
    expect(await another.ok('approveApexTask', { params: { id: yes.id } })).toMatchObject({ approvedBy });
    const denied = await admin.ok('denyApexTask', { params: { id: no.id }, body: { reason: 'too risky' } });
    expect(denied).toMatchObject({ status: 'cancelled', error: { code: 'denied', message: 'too risky' } });
    expect((await take(appliance)).map(({ id }) => id)).toEqual([yes.id]);
    expect(await admin.call('approveApexTask', { params: { id: no.id } })).toMatchObject({
      status: 400,
      body: { code: 'conflict' },
    });
  });

  test('waits for its dependencies, and is cancelled when one of them is not completed', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const first = await makeTask(organization, engagementId);
    const second = await makeTask(organization, engagementId, { dependsOn: [first.id] });
    const third = await makeTask(organization, engagementId, { dependsOn: [second.id] });
    expect(second).toMatchObject({ waitingReason: 'dependencies', released: false });
    expect((await take(appliance)).map(({ id }) => id)).toEqual([first.id]);
    await end(appliance, first.id);
    expect((await take(appliance)).map(({ id }) => id)).toEqual([second.id]);
    await organization.admin.ok('cancelApexTask', { params: { id: second.id } });
    await end(appliance, second.id, 'cancelled');
    expect(await read(organization, second.id)).toMatchObject({ status: 'cancelled' });
    expect(await read(organization, third.id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'dependency_failed' },
    });
  });

  test('can be changed and moved to another appliance while it waits, but not while it runs', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization);
    const [a, b] = [await organization.machine('apex'), await organization.machine('apex')];
    const task = await makeTask(organization, engagementId, { applianceId: a.id });
    expect(await take(b)).toEqual([]);
    const renamed = await admin.ok('updateApexTask', { params: { id: task.id }, body: { title: 'Renamed' } });
    expect(renamed).toMatchObject({ title: 'Renamed', released: true });
    const body = { ...renamed, applianceId: b.id, priority: 9 };
    const changed = await admin.ok('updateApexTask', { params: { id: task.id }, body });
    expect(changed).toMatchObject({ applianceId: b.id, priority: 9, version: renamed.version + 1 });
    expect(await take(a)).toEqual([]);
    expect((await take(b)).map(({ id }) => id)).toEqual([task.id]);
    const late = await admin.call('updateApexTask', { params: { id: task.id }, body: { priority: 1 } });
    expect(late).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const running = await admin.call('deleteApexTask', { params: { id: task.id } });
    expect(running).toMatchObject({ status: 400, body: { code: 'conflict' } });
    await end(b, task.id);
    await admin.ok('deleteApexTask', { params: { id: task.id } });
    expect(await admin.call('getApexTask', { params: { id: task.id } })).toMatchObject({ body: { code: 'not_found' } });
    expect((await admin.ok('countApexTasksByStatus')).every(({ count }) => count === 0)).toBe(true);
  });

  test('of high priority is taken first', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const low = await makeTask(organization, engagementId, { priority: 0 });
    const usual = await makeTask(organization, engagementId);
    const high = await makeTask(organization, engagementId, { priority: 9 });
    const appliance = await organization.machine('apex');
    expect((await take(appliance)).map(({ id }) => id)).toEqual([high.id, usual.id, low.id]);
  });

  test('shows the reason why it waits', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const task = await makeTask(organization, engagementId);
    const reason = async () => (await read(organization, task.id)).waitingReason;
    expect(await reason()).toBe('no_appliance');
    await organization.machine('apex', { taskTypes: ['retest'] });
    expect(await reason()).toBe('no_appliance_for_type');
    await organization.machine('apex', { taskTypes: ['reconnaissance'] });
    expect(await reason()).toBe('all_offline');
    const { client, id } = await organization.machine('apex');
    const { admin } = organization;
    await admin.ok('updateApexTask', { params: { id: task.id }, body: { applianceId: id } });
    expect(await reason()).toBe('all_offline');
    await client.ok('leaseApexTasks', { body: { capacity: 0 } });
    expect(await reason()).toBe(null);
    await admin.ok('updateAppliance', { params: { id }, body: { enabled: false } });
    expect(await reason()).toBe('no_appliance');
    await admin.ok('deleteAppliance', { params: { id } });
    expect(await reason()).toBe('no_appliance');
  });

  test('starts only while a window of its engagement is open', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const task = await makeTask(organization, engagementId);
    const always = { days: [...DAYS], from: '00:00', to: '24:00', timeZone: 'UTC' };
    const tomorrow = DAYS[(new Date().getUTCDay() + 2) % 7] ?? 'sun';
    const set = (days: (typeof DAYS)[number][]) =>
      table.modify(engagements, engagementId, () => ({ windows: [{ ...always, days }] }));
    await set([tomorrow]);
    expect(await take(appliance)).toEqual([]);
    const { organizationId } = organization;
    const held = await table.find(apexTasks, task.id, true);
    expect(held).toMatchObject({ status: 'pending', released: false, waitingReason: 'outside_window' });
    expect(await read(organization, task.id)).toMatchObject({ waitingReason: 'outside_window', released: false });
    const sweepNow = () =>
      work(system.connections, placedTimer({ at: 0, kind: 'apex-task', organizationId, id: task.id }));
    await sweepNow();
    expect(await read(organization, task.id)).toMatchObject({ waitingReason: 'outside_window' });
    await set([...DAYS]);
    await sweepNow();
    expect((await take(appliance)).map(({ id }) => id)).toEqual([task.id]);
  });
});
