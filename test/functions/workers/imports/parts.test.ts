import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { runs } from '../../../support/tier.ts';
import { allFindings, statuses } from './expectations.ts';
import { codeScan, type Problem, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const inFolder = (folder: string, count: number): Problem[] =>
  Array.from({ length: count }, (_, n) => ({ rule: `rule-${n}`, file: `${folder}/file-${n}.ts` }));
const send = async (table: Table, found: readonly Problem[], part?: string) =>
  (await world.ingest(table, codeScan(sarif(found), part === undefined ? {} : { part }))).result;
const [web, api] = [inFolder('apps/web', 3), inFolder('apps/api', 2)];

test('the report of another folder of a monorepo closes nothing by itself', async () => {
  const table = world.newOrganization();
  await send(table, web);
  expect(await send(table, api)).toMatchObject({ created: 2, closed: 0, held: { count: 3, open: 3, apart: true } });
  expect(await send(table, web.slice(1))).toMatchObject({ closed: 1, held: { count: 2, apart: true } });
  const held = await world.ingest(table, codeScan(sarif(web.slice(1))));
  await confirmHeld({ connections: world.connections, table }, held.id);
  await world.drain();
  expect(Object.values(statuses(await allFindings({ connections: world.connections, table }))).toSorted()).toEqual([
    ...['fixed', 'fixed', 'fixed'],
    ...['open', 'open'],
  ]);
});

test('with its part, each report closes the findings of its part', async () => {
  const table = world.newOrganization();
  await send(table, web, 'apps/web');
  expect(await send(table, api, 'apps/api')).toMatchObject({ created: 2, closed: 0 });
  expect(await send(table, web.slice(1), 'apps/web')).toMatchObject({ closed: 1 });
  expect(await send(table, [], 'apps/api')).toMatchObject({ closed: 2 });
});

test('a mended file closes its finding, although other findings come in other folders', async () => {
  const table = world.newOrganization();
  await send(table, [...inFolder('src/db', 2), ...inFolder('src/api', 1)]);
  expect(await send(table, inFolder('src/db', 2))).toMatchObject({ closed: 1 });
  expect(await send(table, inFolder('src', 1))).toMatchObject({ created: 1, closed: 2 });
});

type Flaw = { image: number; number: number };
const PACKAGES = 4;

/** A report of Trivy on an image. */
const trivy = (image: string, flaws: readonly Flaw[]) =>
  JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: image,
    ArtifactType: 'container_image',
    Results: [
      {
        Target: `${image} (debian 12.5)`,
        Class: 'os-pkgs',
        Type: 'debian',
        Vulnerabilities: flaws.map(({ number }) => ({
          VulnerabilityID: `CVE-2024-100${number}`,
          PkgName: `lib${number}`,
          InstalledVersion: '1.0',
          Severity: 'HIGH',
        })),
      },
    ],
  });
const ofImage = (content: string, target: Submission['target'] = repository('shop')): Submission => ({
  source: 'import',
  format: 'trivy',
  target,
  report: { content },
});

test('of several images of one repository, each report closes what its image no longer has, in any order', async () => {
  const flaw = fc.record({ image: fc.nat(2), number: fc.nat(PACKAGES) });
  const scan = fc.record({ image: fc.nat(2), version: fc.nat(9), found: fc.uniqueArray(fc.nat(PACKAGES)) });
  await fc.assert(
    fc.asyncProperty(fc.array(flaw), fc.array(scan, { maxLength: 6 }), async (flaws, scans) => {
      const table = world.newOrganization();
      const state = new Map<number, Set<number>>();
      const reports = [
        ...[0, 1, 2].map((image) => ({ image, version: 0, found: flaws.filter((one) => one.image === image) })),
        ...scans.map(({ found, ...one }) => ({ ...one, found: found.map((number) => ({ image: one.image, number })) })),
      ];
      for (const { image, version, found } of reports) {
        await world.ingest(table, ofImage(trivy(`registry.example/shop/app-${image}:1.${version}`, found)));
        state.set(image, new Set(found.map(({ number }) => number)));
      }
      const all = await allFindings({ connections: world.connections, table });
      const open = all.filter(({ status }) => status === 'open').map(({ asset, title }) => `${asset.name} ${title}`);
      expect(open).toHaveLength([...state.values()].reduce((sum, { size }) => sum + size, 0));
      expect(new Set(all.map(({ asset }) => asset.name)).size).toBeLessThanOrEqual(3);
    }),
    { numRuns: runs(2, 8) },
  );
});

type Placed = { part: number; number: number };
const FOLDERS = ['apps/api', 'apps/web', 'tools'];
const CHECKS = ['terraform', 'kubernetes', 'dockerfile'];

/** The report of a part, by what its problems are split by. */
const REPORTS: Record<'folders' | 'checks', (found: readonly Placed[], part?: number) => Submission> = {
  folders: (found) =>
    codeScan(sarif(found.map(({ part, number }) => ({ rule: `r${number}`, file: `${FOLDERS[part]}/f${number}.ts` })))),
  checks: (found, part) => {
    const of = (check: number) => ({
      check_type: CHECKS[check],
      results: {
        failed_checks: found
          .filter((one) => one.part === check)
          .map(({ number }) => ({
            check_id: `CKV_X_${number}`,
            check_name: `Check ${number}`,
            file_path: `/deploy/${CHECKS[check]}-${number}`,
            resource: `r.${number}`,
            file_line_range: [1, 2],
          })),
      },
      summary: { checkov_version: '3.2.0' },
    });
    const checks = part === undefined ? [0, 1, 2] : [part];
    return codeScan(JSON.stringify(checks.map(of)), { format: 'checkov' });
  },
};

test.each(['folders', 'checks'] as const)(
  'a report split into %s, sent in any order and twice, creates what the whole creates and closes nothing',
  async (by) => {
    const placed = fc.uniqueArray(fc.record({ part: fc.nat(2), number: fc.nat(3) }), {
      selector: ({ part, number }) => part * 10 + number,
    });
    const order = fc.array(fc.nat(2), { minLength: 3, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(placed, order, async (found, sent) => {
        const [whole, split] = [world.newOrganization(), world.newOrganization()];
        await world.ingest(whole, REPORTS[by](found));
        for (const part of [...sent, 0, 1, 2]) {
          const some = found.filter((one) => one.part === part);
          if (some.length === 0) continue;
          expect((await world.ingest(split, REPORTS[by](some, part))).result).toMatchObject({ closed: 0 });
        }
        const placesIn = async (table: Table) =>
          (await allFindings({ connections: world.connections, table })).map((one) => `${one.location} ${one.status}`);
        expect((await placesIn(split)).toSorted()).toEqual((await placesIn(whole)).toSorted());
      }),
      { numRuns: runs(2, 8) },
    );
  },
);

test('the target that the sender names is the asset, whatever the report calls it', async () => {
  const table = world.newOrganization();
  const target = { type: 'container_image', value: 'registry.example/shop/app:2.0' } as const;
  const flaws = [{ image: 0, number: 1 }];
  await world.ingest(table, ofImage(trivy('ci-build-71', flaws), target));
  expect((await world.ingest(table, ofImage(trivy('ci-build-72', flaws), target))).result).toMatchObject({
    created: 0,
  });
  const all = await allFindings({ connections: world.connections, table });
  expect(all.map(({ asset }) => asset.name)).toEqual(['registry.example/shop/app']);
});

/** A report of Nmap on hosts with an open port of Telnet. */
const nmap = (...addresses: string[]) =>
  `<?xml version="1.0"?><nmaprun scanner="nmap" version="7.94">${addresses
    .map(
      (address) =>
        `<host><status state="up"/><address addr="${address}" addrtype="ipv4"/><ports><port protocol="tcp" portid="23">` +
        '<state state="open"/><service name="telnet"/></port></ports></host>',
    )
    .join('')}<runstats><finished exit="success"/></runstats></nmaprun>`;
const ofHost = (content: string): Submission => ({
  source: 'import',
  format: 'nmap',
  target: { type: 'host', value: 'web-01' },
  report: { content },
});

test('a host that a report calls by its address is the host that the sender names, unless the report has others', async () => {
  const table = world.newOrganization();
  await world.ingest(table, ofHost(nmap('192.0.2.7')));
  const [only, ...others] = await allFindings({ connections: world.connections, table });
  expect([only?.asset.name, others]).toEqual(['web-01', []]);
  expect((await world.ingest(table, ofHost(nmap()))).result).toMatchObject({ closed: 0 });
  const two = world.newOrganization();
  await world.ingest(two, ofHost(nmap('192.0.2.7', '192.0.2.8')));
  const all = await allFindings({ connections: world.connections, table: two });
  expect(all.map(({ asset }) => asset.name).toSorted()).toEqual(['192.0.2.7', '192.0.2.8']);
});
