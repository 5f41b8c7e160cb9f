import { expect, test } from 'vitest';
import { configItems, organizationItems, timesToFix } from '#functions/platform/config/settings.ts';
import { DEFAULT_POLICIES } from '#shared/findings/sla/sla-policies.ts';
import { MAX_BODY_BYTES } from '#shared/platform/http/body-size.ts';
import { quotaNames } from '#shared/platform/quotas/quotas.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('a caller reads the limits that the service applies', async () => {
  const { admin } = await system.newOrganization();
  const { data, totalCount } = await admin.ok('listConfig', { query: { paginateSize: 500 } });
  expect(totalCount).toBe(
    configItems(system.connections.settings).length +
      timesToFix(DEFAULT_POLICIES).length +
      organizationItems({}).length +
      quotaNames.length,
  );
  expect(data.find(({ key }) => key === 'requests.maximumBodyBytes')).toEqual({
    key: 'requests.maximumBodyBytes',
    value: MAX_BODY_BYTES,
    type: 'integer',
    source: 'default',
    description: expect.any(String),
  });
  expect(data.find(({ key }) => key === 'service.baseUrl')).toMatchObject({
    value: system.baseUrl,
    source: 'deployment',
  });
});

test("a caller reads the deployment's scanner versions if it declares any", () => {
  const shown = (more: object) =>
    configItems({ ...system.connections.settings, ...more }).filter(({ key }) => key.endsWith('Version'));
  expect(shown({})).toEqual([]);
  expect(shown({ SCANNER_RECOMMENDED_VERSION: '2.4.0', SCANNER_MINIMUM_VERSION: '2.0' })).toMatchObject([
    { key: 'scanners.recommendedVersion', value: '2.4.0', type: 'string', source: 'deployment' },
    { key: 'scanners.minimumVersion', value: '2.0', type: 'string', source: 'deployment' },
  ]);
});

test('a caller sees which settings its organization changed', async () => {
  const { admin } = await system.newOrganization();
  await admin.ok('updateOrganizationSettings', { body: { maximumCredentialDays: 90 } });
  const { data } = await admin.ok('listConfig', { query: { paginateSize: 500 } });
  const own = data.filter(({ key }) => key.startsWith('organization.'));
  expect(own.map(({ key, source }) => `${key} ${source}`)).toEqual([
    'organization.exploitationNeedsSecondPerson default',
    'organization.irreversibleNeedsSecondPerson default',
    'organization.secondStepRequired default',
    'organization.maximumCredentialDays organization',
    'organization.branchDays default',
    'organization.assetStaleDays default',
    'organization.assetRetiredDays default',
    'organization.mergeSameAssets default',
    'organization.alertWindowMinutes default',
    'organization.findingAlerts default',
  ]);
});

test.each([0, 366, 1.5, '30'])(
  'branches that end after %j days are refused, and nothing is changed',
  async (branchDays) => {
    const { admin } = await system.newOrganization();
    const answer = await admin.send('PATCH', '/api/v1/organization/settings', { body: { branchDays } });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'branchDays' }] } });
    expect(await admin.ok('getOrganizationSettings', {})).toMatchObject({ branchDays: 30 });
  },
);

test('settings are paged like all lists', async () => {
  const { admin } = await system.newOrganization();
  const page = await admin.ok('listConfig', { query: { paginateFrom: 2, paginateSize: 2 } });
  expect(page).toMatchObject({ page: 2, pageSize: 2, data: [{}, {}] });
});

test('no two settings share a key', () => {
  const keys = configItems(system.connections.settings).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
