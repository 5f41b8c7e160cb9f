import { expect, test } from 'vitest';
import { breachRecords } from '#shared/vulnerabilities/exposed-credentials/breach-record.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { gitleaks } from '../support/secret-reports.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { follow } from '../support/vulnerabilities.ts';

const system = startSystem();
const SECRET = 'pw-EXAMPLE-0011223344556677';

test('records of breaches become credentials once, and meet what scanners found; a refused one loses none', async () => {
  const { admin, table, ...organization } = await system.newOrganization();
  const { client } = await organization.machine('integrator', { name: 'watch' });
  const send = async (...breaches: unknown[]) => (await client.ok('sendBreaches', { body: { breaches } })).results;
  const record = { externalId: 'a', breach: 'Forum 2026', account: 'ada@acme.test', secret: SECRET, verified: true };
  const batch = [record, { externalId: 'b' }, { externalId: 'c', breach: 'Forum 2026', account: 'bob@acme.test' }];
  const [a, b, c] = await send(...batch);
  expect(a).toMatchObject({ index: 0, accepted: true, outcome: 'created' });
  expect(b).toMatchObject({ externalId: 'b', accepted: false, message: expect.stringContaining('breach') });
  expect(c).toMatchObject({ accepted: true, outcome: 'created' });
  expect((await send(...batch)).map(({ outcome }) => outcome)).toEqual(['unchanged', undefined, 'unchanged']);
  const content = gitleaks([{ secret: SECRET, file: 'a.env', rule: 'password' }]);
  const report = { format: 'gitleaks', content, repository: 'https://git.example.test/acme/shop' };
  await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: report });
  await follow({ connections: system.connections, table });
  const { data } = await admin.ok('listExposedCredentials', {});
  const [both] = data.filter(({ places }) => places === 2);
  expect(data).toHaveLength(2);
  expect(both).toMatchObject({
    sources: ['breach', 'scanner'],
    tools: ['Forum 2026', 'gitleaks'],
    kind: 'password',
    masked: 'pw****77',
    account: 'ada@acme.test',
    verified: true,
    status: 'active',
  });
  const places = { params: { id: both?.id ?? '' }, query: { in: 'breaches' as const } };
  expect((await admin.ok('listExposedCredentialPlaces', places)).data).toMatchObject([
    { id: a?.recordId, tool: 'Forum 2026', asset: null, status: null },
  ]);
  const [changed] = await send({ ...record, verified: false });
  expect(changed).toMatchObject({ outcome: 'updated', recordId: a?.recordId });
  await follow({ connections: system.connections, table });
  expect(await admin.ok('getExposedCredential', { params: { id: both?.id ?? '' } })).toMatchObject({
    status: 'revoked',
    verified: false,
  });
  await expectExact(table, [breachRecords, exposedCredentials]);
});
