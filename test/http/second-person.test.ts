import { describe, expect, test } from 'vitest';
import { makeCampaign, makeTask, openEngagement } from '../support/apex.ts';
import { create, read } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const exploiting = { rulesOfEngagement: { allowExploitation: true } };
const refused = { status: 400, body: { code: 'conflict' } };

const request = async ({ admin }: TestOrganization) => ({ id: (await create(admin, exploiting)).id });

describe('exploitation is approved by a second person', () => {
  test('an administrator cannot approve what they planned; another one can', async () => {
    const organization = await system.newOrganization();
    const params = await request(organization);
    const second = await organization.withRole('admin');
    expect(await organization.admin.call('approveEngagement', { params })).toMatchObject(refused);
    expect((await read(organization, params.id)).status).toBe('requested');
    expect(await second.ok('approveEngagement', { params })).toMatchObject({ status: 'approved' });
  });

  test('an administrator who changes the plan of another cannot approve it any more', async () => {
    const organization = await system.newOrganization();
    const params = await request(organization);
    const second = await organization.withRole('admin');
    const body = { targets: [{ type: 'host' as const, value: '203.0.113.9' }] };
    await second.ok('updateEngagement', { params, body: { title: 'Only another title' } });
    const { id, name } = (await read(organization, params.id)).requestedBy;
    expect((await read(organization, params.id)).plannedBy).toEqual({ id, name });
    const changed = await second.ok('updateEngagement', { params, body });
    expect(changed.plannedBy?.id).not.toBe(id);
    expect(await second.call('approveEngagement', { params })).toMatchObject(refused);
    expect(await organization.admin.ok('approveEngagement', { params })).toMatchObject({ status: 'approved' });
  });

  test('its planner may still reject it, or approve it without exploitation', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const params = await request(organization);
    expect(await admin.ok('rejectEngagement', { params, body: { reason: 'not now' } })).toMatchObject({
      status: 'rejected',
    });
    const later = { params: await request(organization) };
    await admin.ok('updateEngagement', { ...later, body: { rulesOfEngagement: { allowExploitation: false } } });
    expect(await admin.ok('approveEngagement', later)).toMatchObject({ status: 'approved' });
  });

  test('unless the organization turned that off: it may have one administrator', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const current = await admin.ok('getOrganizationSettings');
    expect(current).toMatchObject({ exploitationNeedsSecondPerson: true });
    const analyst = await organization.withRole('analyst');
    const body = { exploitationNeedsSecondPerson: false };
    const changed = { ...current, ...body };
    expect(await analyst.call('updateOrganizationSettings', { body })).toMatchObject({ status: 401 });
    expect(await admin.ok('updateOrganizationSettings', { body })).toEqual(changed);
    const params = await request(organization);
    expect(await admin.ok('approveEngagement', { params })).toMatchObject({ status: 'approved' });
    const shown = (await analyst.ok('listConfig', { query: { paginateSize: 500 } })).data;
    expect(shown).toContainEqual({
      key: 'organization.exploitationNeedsSecondPerson',
      value: false,
      type: 'boolean',
      source: 'organization',
      description: expect.any(String),
    });
    expect(await admin.ok('updateOrganizationSettings', { body: {} })).toEqual(changed);
    const restored = await admin.ok('updateOrganizationSettings', { body: { exploitationNeedsSecondPerson: null } });
    expect(restored).toEqual(current);
    const later = await request(organization);
    expect(await admin.call('approveEngagement', { params: later })).toMatchObject(refused);
    const other = await (await system.newOrganization()).admin.ok('getOrganizationSettings');
    expect(other).toMatchObject({ exploitationNeedsSecondPerson: true });
  });
});

describe('an approval that is required', () => {
  const denied = { status: 401, body: { code: 'insufficient_scope' } };

  test('of an Apex task can be lowered only by those who may approve', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const { id } = await makeTask(organization, engagementId, { approval: 'required' });
    const params = { id };
    const body = { approval: 'none' as const };
    for (const client of [await organization.withRole('analyst'), await organization.apiKey(['scans:trigger'])]) {
      expect(await client.call('updateApexTask', { params, body })).toMatchObject(denied);
      expect(await client.ok('updateApexTask', { params, body: { approval: 'required' } })).toMatchObject({
        approval: 'required',
      });
    }
    expect(await organization.admin.ok('updateApexTask', { params, body })).toMatchObject(body);
    const analyst = await organization.withRole('analyst');
    const raised = await analyst.ok('updateApexTask', { params, body: { approval: 'required' } });
    expect(raised).toMatchObject({ approval: 'required' });
  });

  test('of a template of a campaign, too', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const template = { key: 'recon', type: 'reconnaissance' as const, approval: 'required' as const };
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates: [template] });
    const params = { id };
    const analyst = await organization.withRole('analyst');
    const lowered = { taskTemplates: [{ ...template, approval: 'none' as const }] };
    expect(await analyst.call('updateCampaign', { params, body: lowered })).toMatchObject(denied);
    const retitled = { taskTemplates: [{ ...template, title: 'Look around' }] };
    expect(await analyst.ok('updateCampaign', { params, body: retitled })).toMatchObject(retitled);
    expect(await organization.admin.ok('updateCampaign', { params, body: lowered })).toMatchObject(lowered);
  });
});
