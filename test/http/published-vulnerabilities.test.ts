import { expect, test } from 'vitest';
import { rescoreVulnerabilities } from '#functions/workers/views/rescore.ts';
import { MOVED_PREFIX } from '#shared/advisories/feeds.ts';
import { type AdvisoryRecord, advisoryRows } from '#shared/advisories/records.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { putRows } from '#shared/platform/table/io/put-rows.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, assetNamed, follow, log4j } from '../support/vulnerabilities.ts';

const system = startSystem();

const V31 = { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8, source: 'nvd@nist.gov' };
const LOCAL = 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:L/A:L';

const publish = (id: string, fields: Partial<AdvisoryRecord>) =>
  putRows({ ...system.connections, tenant: GLOBAL_SCOPE }, advisoryRows, [
    { id, modifiedAt: '2026-01-01T00:00:00.000Z', cvss: {}, fixed: [], ...fields },
  ]);

const only = async ({ admin }: TestOrganization) => {
  const { data } = await admin.ok('listVulnerabilities', {});
  expect(data).toHaveLength(1);
  return data[0];
};

const component = (fixedVersions: string[]) => ({ name: 'spring-framework', version: '5.2.1', fixedVersions });
const fixed = [
  { vendor: 'vmware', product: 'spring_framework', version: '5.2.20' },
  { vendor: 'other', product: 'thing', version: '9' },
];

test("a vulnerability has NVD's rating of each version of CVSS, and of reports what NVD does not rate", async () => {
  const organization = await system.newOrganization();
  const cve = 'CVE-2022-10001';
  await publish(cve, { cvss: { v3: V31 }, fixed });
  const v2 = { cvssVector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', cvssScore: 7.5 };
  const found = { cves: [cve], component: component([]), asset: assetNamed('shop') };
  await addFinding(organization.table, { ...found, ...v2 });
  await addFinding(organization.table, { ...found, tool: 'grype', cvssVector: LOCAL, cvssScore: 3 });
  await follow({ connections: system.connections, table: organization.table });
  expect(await only(organization)).toMatchObject({
    cvss: { v2: { vector: v2.cvssVector, score: v2.cvssScore }, v3: V31 },
    component: { fixedVersions: ['5.2.20'] },
  });
});

test('versions that a report names count before those of NVD', async () => {
  const organization = await system.newOrganization();
  const cve = 'CVE-2022-10002';
  await publish(cve, { fixed });
  await addFinding(organization.table, { cves: [cve], component: component(['5.2.21']) });
  await follow({ connections: system.connections, table: organization.table });
  expect(await only(organization)).toMatchObject({ component: { fixedVersions: ['5.2.21'] } });
});

test('a record of NVD that moved rates the vulnerability again', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const cve = 'CVE-2022-10003';
  await addFinding(table, { cves: [cve], severity: 'critical', component: component([]) });
  await follow({ connections: system.connections, table });
  expect(await only(organization)).toMatchObject({ cvss: {}, ssvc: 'track', version: 1 });
  await publish(cve, { cvss: { v3: V31 }, fixed });
  const moved = `${MOVED_PREFIX}${newId()}`;
  await system.connections.bucket.put(moved, JSON.stringify([cve]));
  const request = {
    operation: 'rescore_vulnerabilities',
    job: 'views',
    unit: 'vulnerabilities',
    input: { moved },
  } as const;
  const task = newTask(systemActor, request);
  expect(await rescoreVulnerabilities({ table, connections: system.connections, task })).toEqual({
    seen: 1,
    changed: 1,
  });
  const after = await only(organization);
  expect(after).toMatchObject({ cvss: { v3: V31 }, component: { fixedVersions: ['5.2.20'] }, version: 2 });
});

test('the priority of a vulnerability is answered with its factors, and its SSVC decision with the answers that led to it', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const stakes = { exposed: true as const, criticality: 'critical' as const };
  const cvss = { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', cvssScore: 9.8 };
  await addFinding(table, log4j({ stakes, ...cvss }));
  await addFinding(table, log4j({ tool: 'grype', status: 'fixed', late: true }));
  await follow({ connections: system.connections, table });
  const { priority, priorityFactors, ssvc, ssvcAnswers } = await admin.ok('getVulnerability', {
    params: { id: (await only(organization))?.id ?? '' },
  });
  expect(priorityFactors.map(({ name, value, points }) => [name, value, points])).toEqual([
    ['severity', 'critical, 9.8', 44.1],
    ['epss', 'no score', 0],
    ['kev', 'not listed', 0],
    ['exposure', 'internet', 8],
    ['criticality', 'critical', 7],
    ['age', 'in time', 0],
  ]);
  expect(priorityFactors.find(({ name }) => name === 'exposure')?.lowerBy).toMatch(/internetExposed/);
  expect(priority).toBe(59);
  expect([ssvc, ssvcAnswers]).toEqual([
    'attend',
    {
      decision: 'attend',
      exploitation: 'none',
      automatable: true,
      technicalImpact: 'total',
      missionAndWellBeing: 'high',
    },
  ]);
});
