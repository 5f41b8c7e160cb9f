import { describe, expect, test } from 'vitest';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { makeTask, openEngagement, take } from '../support/apex.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

describe('a task', () => {
  test('is refused outside the scope of its engagement', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const body = { engagementId, type: 'reconnaissance' as const, objective: 'Look.' };
    const refused = async (more: object) => {
      const { status, body: answer } = await organization.admin.call('createApexTask', { body: { ...body, ...more } });
      return status === 200 ? 'made' : Object(answer).message;
    };
    expect(await refused({ targets: [{ type: 'host', value: '192.0.2.1' }] })).toContain('scope');
    expect(await refused({ targets: [{ type: 'host', value: '10.0.0.9' }] })).toContain('scope');
    expect(await refused({ targets: [{ type: 'cidr', value: '10.0.0.0/16' }] })).toContain('scope');
    expect(await refused({ type: 'exploitation' })).toContain('exploitation');
    expect(await refused({ applianceId: engagementId })).toContain('appliance');
    expect(await refused({ targets: [{ type: 'cidr', value: '10.0.0.0/28' }] })).toBe('made');
    expect((await organization.admin.ok('listApexTasks')).totalCount).toBe(1);
  });

  test('has all targets of its engagement except the excluded ones', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const id = await openEngagement(organization);
    const host = (value: string) => ({ type: 'host' as const, value, zone: null });
    const targets = [host('a.example.com'), host('b.example.com')];
    const set = (exclusions: ReturnType<typeof host>[]) =>
      admin.ok('updateEngagement', { params: { id }, body: { targets, exclusions } });
    await set([host('b.example.com')]);
    const task = await makeTask(organization, id);
    expect(task.targets).toEqual([host('a.example.com')]);
    expect(await take(await organization.machine('apex'))).toMatchObject([{ id: task.id }]);
    await set(targets);
    const body = { engagementId: id, type: 'reconnaissance' as const, objective: 'Look around.' };
    expect(await admin.call('createApexTask', { body })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'targets' }] },
    });
  });

  test('is not handed out with a target of an older release that tools read as several addresses', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const targets = [{ type: 'host' as const, value: '10.0.0.1-9', zone: null }];
    await organization.table.modify(engagements, engagementId, () => ({ targets }));
    const { id } = await makeTask(organization, engagementId);
    expect(await take(await organization.machine('apex'))).toEqual([]);
    expect(await organization.admin.ok('getApexTask', { params: { id } })).toMatchObject({
      status: 'cancelled',
      error: { code: 'not_allowed' },
    });
  });

  test('keeps to the scope at the time of its start, not of its creation', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const id = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const host = (value: string) => ({ type: 'host' as const, value, zone: null });
    const made = await Promise.all(
      ['10.0.0.1', '10.0.0.2'].map((value) => makeTask(organization, id, { targets: [host(value)] })),
    );
    const wide = await makeTask(organization, id);
    const exclusions = [host('10.0.0.2'), host('10.0.0.9')];
    await admin.ok('updateEngagement', { params: { id }, body: { exclusions } });
    const taken = await take(appliance);
    expect(taken.map((task) => task.id).toSorted()).toEqual([made[0]?.id, wide.id].toSorted());
    for (const task of taken) expect(task.exclusions).toEqual(exclusions);
    expect(await admin.ok('getApexTask', { params: { id: made[1]?.id ?? '' } })).toMatchObject({
      status: 'cancelled',
      error: { code: 'not_allowed' },
    });
    const target = host('10.0.0.2');
    const body = { taskId: wide.id, findings: [{ externalId: 'x', title: 'X', severity: 'low' as const, target }] };
    const { results } = await appliance.client.ok('reportApexFindings', { body });
    expect(results).toMatchObject([{ accepted: false, code: 'out_of_scope' }]);
  });
});
