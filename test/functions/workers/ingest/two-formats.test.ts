import { afterAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '#functions/workers/ingest/fingerprint.ts';
import { findings } from '#shared/entities/finding.ts';
import { codeIdentity } from '#shared/reports/code-identity.ts';
import type { Table } from '#shared/table/table.ts';
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
