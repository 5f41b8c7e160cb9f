import { afterAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '#functions/workers/ingest/fingerprint.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { scopeRows } from '#shared/findings/view/scan-scope.ts';
import { allSeen, packState, unpackState } from '#shared/findings/view/scan-state.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeIdentity } from '#shared/reports/readers/code-identity.ts';
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
    ...{ SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' },
    Results: [{ Target: lock, Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: [vulnerability] }],
  }),
  { format: 'trivy' },
);
const place = { artifactLocation: { uri: lock, uriBaseId: 'ROOTPATH' }, region: { startLine: 1, endLine: 1 } };
const result = { ruleId: id, level: 'error', message: { text: message }, locations: [{ physicalLocation: place }] };
const run = { tool: { driver: { name: 'Trivy' } }, results: [result] };
const sarif = codeScan(JSON.stringify({ version: '2.1.0', runs: [run] }));

const standing = async (table: Table) => {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 5 });
  return Promise.all(data.map((row) => table.get(findings, row.id, true)));
};

/** Gives the only finding the fingerprint that an earlier release made of Trivy's SARIF. */
async function asBefore(table: Table) {
  const [finding] = await standing(table);
  if (!finding) throw new Error('no finding');
  const asset = { type: 'repository' as const, value: finding.asset.name, zone: null };
  const identity = codeIdentity({ ruleId: id, place: lock, message });
  const fingerprint = fingerprintOf({ tool: 'Trivy', asset, identity, ...(finding.ref && { ref: finding.ref }) });
  await table.update(findings, finding, { fingerprint, contentHash: 'of an earlier release' });
  return { ...finding, fingerprint };
}

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

  test('keeps the id of the finding that an earlier release made of the SARIF, and the JSON finds it', async () => {
    const table = world.newOrganization();
    await world.ingest(table, sarif);
    const before = await asBefore(table);
    const again = await world.ingest(table, { ...sarif, scanType: 'full' });
    expect(again.result).toMatchObject({ created: 0, updated: 1, closed: 0 });
    expect((await world.ingest(table, json)).result).toMatchObject({ created: 0, closed: 0 });
    const after = await standing(table);
    expect(after.map((finding) => finding.id)).toEqual([before.id]);
    expect(after[0]?.fingerprint).not.toBe(before.fingerprint);
    await expectSound(table);
  });

  test('stays two findings where both stood before the upgrade, and no report closes or doubles them', async () => {
    const table = world.newOrganization();
    await world.ingest(table, sarif);
    await asBefore(table);
    expect((await world.ingest(table, json)).result).toMatchObject({ created: 1 });
    for (const report of [sarif, json, sarif])
      expect((await world.ingest(table, report)).result).toMatchObject({ created: 0, closed: 0, reopened: 0 });
    expect((await standing(table)).map(({ status }) => status)).toEqual(['open', 'open']);
    await expectSound(table);
  });
});

const manifest = 'web/package.json';
const lockFile = 'web/package-lock.json';
const issue = (n: number) => ({
  ...{ id: `SNYK-JS-FORM-${n}`, title: 'Forged', severity: 'high', semver: {}, packageName: 'form', version: '2.1.0' },
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
    ...{ vulnerabilities: [], projectName: 'infra', targetFile: 'main.tf' },
    infrastructureAsCodeIssues: [
      { id: 'SNYK-CC-TF-1', title: 'Public', severity: 'high', lineNumber: 3, msg: 'a.acl' },
    ],
  }),
  { format: 'snyk' },
);

/** Gives the findings of Snyk the fingerprints and the tool that an earlier release gave them, also in the state of their scans. */
async function asOneSnyk(table: Table) {
  const all = await standing(table);
  const before = all.map((finding) => {
    const asset = { type: 'repository' as const, value: finding.asset.name, zone: null };
    const identity = [finding.ruleId, 'form', lockFile];
    return { ...finding, fingerprint: fingerprintOf({ tool: 'Snyk', asset, identity, ref: finding.ref ?? '' }) };
  });
  for (const [n, finding] of all.entries())
    await table.update(findings, finding, {
      ...{ tool: 'Snyk', fingerprint: before[n]?.fingerprint ?? '', contentHash: 'of an earlier release' },
    });
  const { bucket } = world.connections;
  const { stateKey = '' } = (await table.rows(scopeRows).find({ id: all[0]?.scope ?? '' }, true)) ?? {};
  const state = [...allSeen(unpackState(await bucket.get(stateKey)))];
  const fingerprintsOf = new Map(before.map(({ id, fingerprint }) => [id, fingerprint]));
  const was = { tool: 'Snyk', contentHash: 'AAAAAAAAAAA' };
  const former = state.map((one) => ({ ...one, fingerprint: fingerprintsOf.get(one.id) ?? '', ...was }));
  await bucket.put(stateKey, packState(former));
  return new Set(before.map(({ fingerprint }) => fingerprint));
}

describe('the products of Snyk, which an earlier release took for one tool', () => {
  test('close nothing of each other', async () => {
    const table = world.newOrganization();
    await world.ingest(table, project(1));
    expect((await world.ingest(table, settings)).result).toMatchObject({ created: 1, closed: 0 });
    expect((await world.ingest(table, project(1))).result).toMatchObject({ created: 0, closed: 0 });
    await expectSound(table);
  });

  test('keep the ids of their findings, close what is mended since, and SARIF finds them', async () => {
    const table = world.newOrganization();
    await world.ingest(table, project(1, 2));
    const ids = (await standing(table)).map(({ id }) => id);
    const before = await asOneSnyk(table);
    expect((await world.ingest(table, project(1))).result).toMatchObject({ created: 0, updated: 1, closed: 1 });
    const after = await standing(table);
    expect(after.map(({ id }) => id)).toEqual(ids);
    const open = after.filter(({ status }) => status === 'open');
    expect(open.map(({ tool, fingerprint }) => [tool, before.has(fingerprint)])).toEqual([['Snyk Open Source', false]]);
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
        ...{ SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' },
        Results: [
          {
            ...{ Target: 'Dockerfile', Class: 'config' },
            Misconfigurations: [{ ID: id, Message: 'root', Status: 'FAIL', CauseMetadata: { Resource: 'a' } }],
          },
        ],
      }),
      { format: 'trivy' },
    );

  test('is the finding that it was, also of an earlier release', async () => {
    const table = world.newOrganization();
    await world.ingest(table, check('DS002'));
    const [finding] = await standing(table);
    const asset = { type: 'repository' as const, value: finding?.asset.name ?? '', zone: null };
    const identity = [...codeIdentity({ ruleId: 'DS002', place: 'Dockerfile', message: 'root' }), 'a'];
    if (finding)
      await table.update(findings, finding, {
        fingerprint: fingerprintOf({ tool: 'Trivy', asset, identity, ref: finding.ref ?? '' }),
        contentHash: 'of an earlier release',
      });
    for (const id of ['DS-0002', 'DS002', 'DS-0002'])
      expect((await world.ingest(table, { ...check(id), scanType: 'full' })).result).toMatchObject({ created: 0 });
    expect(await standing(table)).toMatchObject([{ id: finding?.id, ruleId: 'DS-0002', status: 'open' }]);
    await expectSound(table);
  });
});
