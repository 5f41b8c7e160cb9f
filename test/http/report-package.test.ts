import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();
const IMAGE = { type: 'container_image' as const, value: 'registry.example.com/acme/shop:1.4' };

test('a package has its software as CycloneDX 1.6, and the decisions on vulnerabilities as OpenVEX', async () => {
  const { admin } = await system.newOrganization();
  const content = await readFile('test/fixtures/reports/trivy/image.json', 'utf8');
  const imported = await admin.ok('importFindings', { body: { format: 'trivy', content, target: IMAGE } });
  expect((await finished(admin, imported.taskId)).status).toBe('succeeded');
  // products follow their assets a little later
  await until(
    () => admin.ok('listVulnerabilities', { query: {} }),
    ({ totalCount }) => totalCount > 0,
  );
  const { data } = await admin.ok('listVulnerabilities', { query: {} });
  const [judged] = data;
  const params = { id: judged?.id ?? '' };
  const decision = { status: 'false_positive' as const, reason: 'The function is never called.' };
  await admin.ok('updateVulnerability', { params, body: decision });

  const { taskId, resource } = await admin.ok('generateReport', { body: { kind: 'sbom_vex' } });
  expect((await finished(admin, taskId)).status).toBe('succeeded');
  const fileOf = async (format: 'sbom' | 'vex') => {
    const { url, name } = await admin.ok('getReportFile', { params: { id: resource?.id ?? '' }, query: { format } });
    return { name, text: await (await fetch(url)).text() };
  };
  const sbom = await fileOf('sbom');
  expect(sbom.name).toMatch(/^sbom_vex-.*\.cdx\.json$/);
  const bom = JSON.parse(sbom.text);
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${resource?.id}` });
  const { tables } = await admin.ok('getReport', { params: { id: resource?.id ?? '' } });
  expect(bom.components).toHaveLength(tables.find(({ id }) => id === 'components')?.rows ?? -1);
  expect(bom.components).toContainEqual(
    expect.objectContaining({ type: 'library', name: 'libssl3', version: expect.stringContaining('3.0.11') }),
  );
  const refs = bom.components.map((one: object) => Object(one)['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);

  const vex = JSON.parse((await fileOf('vex')).text);
  expect(vex).toMatchObject({ '@context': 'https://openvex.dev/ns/v0.2.0', '@id': `urn:uuid:${resource?.id}` });
  expect(vex.statements).toHaveLength(data.length);
  expect(vex.statements).toContainEqual(
    expect.objectContaining({
      vulnerability: expect.objectContaining({ name: judged?.advisoryId }),
      status: 'not_affected',
      impact_statement: decision.reason,
    }),
  );
});

test('a report of another kind has no package', async () => {
  const { admin } = await system.newOrganization();
  const { taskId, resource } = await admin.ok('generateReport', { body: { kind: 'accepted_risks' } });
  await finished(admin, taskId);
  const answer = await admin.call('getReportFile', { params: { id: resource?.id ?? '' }, query: { format: 'sbom' } });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'conflict', message: expect.stringContaining('no file') },
  });
});
