import { beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

/** A client starts with what the provider has prepared for clients of its kind. */
const system = startSystem();
const owner = { email: 'first@client.example', name: 'Ana First' };
let head: Client;
beforeAll(async () => {
  head = await (await system.newOrganization()).withRole('platform_owner');
});

const template = {
  name: 'Retail',
  settings: { assetStaleDays: 14 },
  slaPolicies: { days: { critical: 2 }, exceptions: [{ name: 'payments', tags: ['pay'], days: { high: 3 } }] },
  suppressionRules: [
    { name: 'Test data', conditions: { path: 'test/*' }, status: 'false_positive' as const, reason: 'no secrets' },
  ],
  assetTagRules: [
    {
      name: 'Payment hosts',
      condition: { field: 'hostname', operator: 'matches' as const, value: 'pay-*' },
      tags: ['pay'],
    },
  ],
  savedFilters: [{ name: 'Urgent', entity: 'finding' as const, filter: 'severity:critical kev:true' }],
};

test('an organization starts with each part of its template, and answers what it got', async () => {
  const made = await head.ok('createOrganizationTemplate', { body: template });
  const body = { name: 'Corner shop', templateId: made.id, owner };
  const organization = await head.ok('createOrganization', { body });
  const { admin } = await system.enter(organization.id);
  const one = async (name: 'listFindingRules' | 'listAssetTagRules' | 'listSavedFilters') =>
    (await admin.ok(name)).data[0];
  const [rule, tagRule, filter] = [
    await one('listFindingRules'),
    await one('listAssetTagRules'),
    await one('listSavedFilters'),
  ];
  expect(organization.template).toEqual({
    templateId: made.id,
    name: 'Retail',
    version: 1,
    settings: ['assetStaleDays'],
    slaPolicies: true,
    suppressionRules: [{ id: rule?.id, name: 'Test data' }],
    assetTagRules: [{ id: tagRule?.id, name: 'Payment hosts' }],
    savedFilters: [{ id: filter?.id, name: 'Urgent' }],
  });
  expect(rule).toMatchObject({ ...template.suppressionRules[0], enabled: true, approver: { name: 'platform_owner' } });
  expect(tagRule).toMatchObject({ ...template.assetTagRules[0], enabled: true });
  expect(filter).toMatchObject({ ...template.savedFilters[0], visibility: 'shared' });
  expect(await admin.ok('getOrganizationSettings')).toMatchObject({ assetStaleDays: 14, assetRetiredDays: 180 });
  expect(await admin.ok('getSlaPolicies')).toMatchObject({
    days: { critical: 2, high: 30 },
    exceptions: [{ name: 'payments', tags: ['pay'], days: { high: 3 } }],
  });
  await head.ok('updateOrganizationTemplate', { params: { id: made.id }, body: { suppressionRules: [] } });
  expect((await admin.ok('listFindingRules')).totalCount).toBe(1);
});

test.each([
  ['an unknown field of a rule', { suppressionRules: [{ ...template.suppressionRules[0], surprise: 1 }] }],
  ['a rule without a condition', { suppressionRules: [{ ...template.suppressionRules[0], conditions: {} }] }],
  ['a rule that accepts risks', { suppressionRules: [{ ...template.suppressionRules[0], status: 'risk_accepted' }] }],
  ['a filter that is none', { savedFilters: [{ ...template.savedFilters[0], filter: 'nonsense:1' }] }],
  [
    'a condition on a field that assets lack',
    { assetTagRules: [{ ...template.assetTagRules[0], condition: { field: 'x', operator: 'equals', value: 'y' } }] },
  ],
  ['a setting out of its range', { settings: { assetStaleDays: 0 } }],
  ['SLA policies with a negative time', { slaPolicies: { days: { critical: -1 } } }],
])('%s is refused when the template is made, and not when a client waits for it', async (_, part) => {
  const body = { name: 'Broken', ...part };
  expect(await head.send('POST', '/api/v1/organizations/all/templates', { body })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

test('an unknown template makes no organization', async () => {
  const name = `Nowhere ${crypto.randomUUID().slice(0, 8)}`;
  expect(
    await head.call('createOrganization', { body: { owner, name, templateId: crypto.randomUUID() } }),
  ).toMatchObject({
    body: { code: 'validation_failed', details: [{ path: 'templateId' }] },
  });
  const search = name.split(' ')[1] ?? '';
  expect((await head.ok('searchOrganizations', { query: { search } })).totalCount).toBe(0);
});

test('a deleted template leaves its organizations as they are', async () => {
  const { id } = await head.ok('createOrganizationTemplate', {
    body: { name: 'Short-lived', settings: { branchDays: 7 } },
  });
  const made = await head.ok('createOrganization', { body: { owner, name: 'Lasting', templateId: id } });
  await head.ok('deleteOrganizationTemplate', { params: { id } });
  expect(await head.call('getOrganizationTemplate', { params: { id } })).toMatchObject({
    body: { code: 'not_found' },
  });
  const { admin } = await system.enter(made.id);
  expect(await admin.ok('getOrganizationSettings')).toMatchObject({ branchDays: 7 });
});
