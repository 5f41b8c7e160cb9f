import { afterAll, describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { expectSound } from './expectations.ts';
import { codeScan } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const lock = 'app/package-lock.json';
const id = 'CVE-2021-23337';
const message = `Package: lodash\nInstalled Version: 4.17.20\nVulnerability ${id}\nSeverity: HIGH\nFixed Version: 4.17.21\nLink: [${id}](https://avd.example.test/${id})`;
const vulnerability = { VulnerabilityID: id, PkgName: 'lodash', InstalledVersion: '4.17.20', Severity: 'HIGH' };
const json = codeScan(
  JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [{ Target: lock, Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: [vulnerability] }],
  }),
  { format: 'trivy' },
);
const place = { artifactLocation: { uri: lock, uriBaseId: 'ROOTPATH' }, region: { startLine: 1, endLine: 1 } };
const result = { ruleId: id, level: 'error', message: { text: message }, locations: [{ physicalLocation: place }] };
const run = { tool: { driver: { name: 'Trivy' } }, results: [result] };
const sarif = codeScan(JSON.stringify({ version: '2.1.0', runs: [run] }));

const current = async (table: Table) => {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 5 });
  return Promise.all(data.map((row) => table.get(findings, row.id, true)));
};

describe('a package that a scanner names in its JSON and in its SARIF', () => {
  test.each([
    ['JSON first', json, sarif],
    ['SARIF first', sarif, json],
  ])('is one finding: %s', async (_, first, second) => {
    const table = world.newOrganization();
    expect((await world.ingest(table, first)).result).toMatchObject({ created: 1 });
    expect((await world.ingest(table, second)).result).toMatchObject({ created: 0, closed: 0 });
    await expectSound(table);
  });
});

const manifest = 'web/package.json';
const lockFile = 'web/package-lock.json';
const issue = (n: number) => ({
  id: `SNYK-JS-FORM-${n}`,
  title: 'Forged',
  severity: 'high',
  semver: {},
  packageName: 'form',
  version: '2.1.0',
});
const project = (...numbers: number[]) =>
  codeScan(
    JSON.stringify({
      vulnerabilities: numbers.map(issue),
      ok: false,
      displayTargetFile: lockFile,
      projectName: 'shop',
    }),
    { format: 'snyk' },
  );
const settings = codeScan(
  JSON.stringify({
    vulnerabilities: [],
    projectName: 'infra',
    targetFile: 'main.tf',
    infrastructureAsCodeIssues: [
      { id: 'SNYK-CC-TF-1', title: 'Public', severity: 'high', lineNumber: 3, msg: 'a.acl' },
    ],
  }),
  { format: 'snyk' },
);

describe('the products of Snyk', () => {
  test('close nothing of each other', async () => {
    const table = world.newOrganization();
    await world.ingest(table, project(1));
    expect((await world.ingest(table, settings)).result).toMatchObject({ created: 1, closed: 0 });
    expect((await world.ingest(table, project(1))).result).toMatchObject({ created: 0, closed: 0 });
    await expectSound(table);
  });

  test('close what is mended since, and SARIF finds the rest', async () => {
    const table = world.newOrganization();
    await world.ingest(table, project(1, 2));
    expect((await world.ingest(table, project(1))).result).toMatchObject({ created: 0, closed: 1 });
    const text = 'This file introduces a vulnerable form package with a high severity vulnerability.';
    const place = { artifactLocation: { uri: manifest }, region: { startLine: 1 } };
    const result = { ruleId: 'SNYK-JS-FORM-1', message: { text }, locations: [{ physicalLocation: place }] };
    const run = { tool: { driver: { name: 'Snyk Open Source' } }, results: [result] };
    const report = codeScan(JSON.stringify({ version: '2.1.0', runs: [run] }));
    expect((await world.ingest(table, report)).result).toMatchObject({ created: 0, closed: 0 });
    await expectSound(table);
  });
});

describe('a check that Trivy has another name for', () => {
  const check = (id: string) =>
    codeScan(
      JSON.stringify({
        SchemaVersion: 2,
        ArtifactName: '.',
        ArtifactType: 'filesystem',
        Results: [
          {
            Target: 'Dockerfile',
            Class: 'config',
            Misconfigurations: [{ ID: id, Message: 'root', Status: 'FAIL', CauseMetadata: { Resource: 'a' } }],
          },
        ],
      }),
      { format: 'trivy' },
    );

  test('is the finding that it was', async () => {
    const table = world.newOrganization();
    await world.ingest(table, check('DS002'));
    const [finding] = await current(table);
    for (const id of ['DS-0002', 'DS002', 'DS-0002'])
      expect((await world.ingest(table, { ...check(id), scanType: 'full' })).result).toMatchObject({ created: 0 });
    expect(await current(table)).toMatchObject([{ id: finding?.id, ruleId: 'DS-0002', status: 'open' }]);
    await expectSound(table);
  });
});
