import { describe, expect, test } from 'vitest';
import { makeTask, openEngagement, take } from '../support/apex.ts';
import { create, read } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** Someone may change a record between the reading and the decision. */
const system = startSystem();

const stale = (current: object) => ({ status: 400, body: { code: 'conflict', current } });

describe('an engagement that was changed since it was read', () => {
  async function request(organization: TestOrganization) {
    const { id } = await create(await organization.withRole('viewer'));
    const params = { id };
    const { version } = await read(organization, id);
    await organization.admin.ok('updateEngagement', { params, body: { title: 'Scan of all that there is' } });
    return { params, version, current: { id, version: version + 1, title: 'Scan of all that there is' } };
  }

  test('cannot be approved', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { params, version, current } = await request(organization);
    expect(await admin.call('approveEngagement', { params, body: { version } })).toMatchObject(stale(current));
    const headers = { 'if-match': `"${version}"` };
    expect(await admin.call('approveEngagement', { params, headers })).toMatchObject(stale(current));
    expect((await read(organization, params.id)).status).toBe('requested');
    expect(await admin.ok('approveEngagement', { params, body: { version: current.version } })).toMatchObject({
      id: params.id,
    });
    await expect.poll(async () => (await read(organization, params.id)).status).toBe('scheduled');
  });

  test('cannot be rejected', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { params, version, current } = await request(organization);
    const reason = 'not ours';
    expect(await admin.call('rejectEngagement', { params, body: { reason, version } })).toMatchObject(stale(current));
    const headers = { 'if-match': String(current.version) };
    expect(await admin.ok('rejectEngagement', { params, headers, body: { reason } })).toMatchObject({
      status: 'rejected',
    });
  });
});

describe('an Apex task that was changed since it was read', () => {
  async function exploit(organization: TestOrganization) {
    const engagementId = await openEngagement(organization, true);
    const { id, version } = await makeTask(organization, engagementId, { type: 'exploitation' });
    const params = { id };
    const analyst = await organization.withRole('analyst');
    const changed = await analyst.ok('updateApexTask', { params, body: { objective: 'Break everything.' } });
    return { params, version, current: { id, version: changed.version, objective: 'Break everything.' } };
  }

  test('cannot be approved', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const appliance = await organization.machine('apex');
    const { params, version, current } = await exploit(organization);
    expect(await admin.call('approveApexTask', { params, body: { version } })).toMatchObject(stale(current));
    const headers = { 'if-match': String(version) };
    expect(await admin.call('approveApexTask', { params, headers })).toMatchObject(stale(current));
    expect(await take(appliance)).toEqual([]);
    await admin.ok('approveApexTask', { params, body: { version: current.version } });
    expect((await take(appliance)).map(({ id }) => id)).toEqual([params.id]);
  });

  test('cannot be denied', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const { params, version, current } = await exploit(organization);
    expect(await admin.call('denyApexTask', { params, body: { version } })).toMatchObject(stale(current));
    expect(await admin.ok('denyApexTask', { params, body: { version: current.version } })).toMatchObject({
      status: 'cancelled',
    });
  });
});
