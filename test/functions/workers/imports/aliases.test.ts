import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { runs } from '../../../support/tier.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap, type Problem, problems, sarif } from './reports.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const all = { paginateFrom: 0, paginateSize: 100 };
const repository = (value: string) => ({ type: 'repository', value }) as const;
const [old, renamed] = [repository('https://git.example.com/shop/old'), repository('https://git.example.com/shop/new')];

const scan = (table: Table, target: NonNullable<Submission['target']>, found: readonly Problem[], more = {}) =>
  world.ingest(table, codeScan(sarif(found), { target, ...more }));

/** Gives an asset another name; its present one becomes an alias. */
async function rename(table: Table, identity: AssetIdentity, to: string): Promise<Asset> {
  const current = await table.findUnique(assets, { field: 'identity', value: assetKey(identity) }, true);
  if (!current) throw new Error(`there is no asset ${identity.value}`);
  const { type, value, zone, aliases = [] } = current;
  return table.update(assets, current, { value: to, name: to, aliases: [...aliases, { type, value, zone }] });
}

describe('an asset with several names', () => {
  test('has each problem once, whichever of its names a report gives', async () => {
    const table = world.newOrganization();
    await scan(table, old, problems(4));
    const asset = await rename(table, { ...old, zone: null }, renamed.value);
    for (const target of [renamed, old, renamed])
      expect((await scan(table, target, problems(5))).result).toMatchObject({ closed: 0, reopened: 0 });
    const found = await allFindings({ connections: world.connections, table });
    expect(found).toHaveLength(5);
    expect(new Set(found.map((one) => one.asset.id))).toEqual(new Set([asset.id]));
    expect(found.find(({ location }) => location.includes('file-4'))?.asset.name).toBe(renamed.value);
    expect((await table.list(assets, all)).totalCount).toBe(1);
    await expectSound(table);
  });

  test('keeps the sightings of a finding when a scan of the same target sees it under the new name', async () => {
    const table = world.newOrganization();
    await scan(table, old, problems(2));
    await scan(table, old, problems(2));
    await rename(table, { ...old, zone: null }, renamed.value);
    await scan(table, old, problems(2));
    const found = await allFindings({ connections: world.connections, table });
    expect(found.map(({ occurrences }) => occurrences)).toEqual([3, 3]);
  });

  test('loses what a scan under a former name proves gone, if scans under that name saw it', async () => {
    const table = world.newOrganization();
    await scan(table, old, problems(4));
    await rename(table, { ...old, zone: null }, renamed.value);
    await scan(table, renamed, problems(2, 6));
    expect((await scan(table, old, problems(3))).result).toMatchObject({ created: 0, closed: 1 });
    const found = await allFindings({ connections: world.connections, table });
    expect(found.filter(({ status }) => status === 'fixed').map(({ location }) => location)).toEqual([
      'src/file-3.ts:7',
    ]);
    expect(found.filter(({ status }) => status === 'open')).toHaveLength(5);
    await expectSound(table);
  });

  test('has its problems on branches once, and takes them over when they are merged', async () => {
    const table = world.newOrganization();
    await scan(table, old, problems(2));
    await scan(table, old, problems(4), { ref: 'feature' });
    await rename(table, { ...old, zone: null }, renamed.value);
    expect((await scan(table, renamed, problems(4), { ref: 'feature' })).result).toMatchObject({
      created: 0,
      comparison: { existing: { high: 2 }, new: { high: 2 } },
    });
    await scan(table, renamed, problems(4));
    expect(await allFindings({ connections: world.connections, table })).toHaveLength(4);
    await expectSound(table);
  });

  test('is looked at by a scan of a range that reaches one of its addresses', async () => {
    const table = world.newOrganization();
    const other = { address: '10.0.0.9', ports: [22] };
    await world.ingest(table, networkScan(nmap([{ address: '10.0.0.5', ports: [25] }, other])));
    await rename(table, { type: 'host', value: '10.0.0.5', zone: 'office' }, '10.0.0.77');
    await world.ingest(table, networkScan(nmap([{ address: '10.0.0.5', ports: [25, 80, 443] }, other])));
    await world.ingest(table, networkScan(nmap([{ address: '10.0.0.5', ports: [80] }])));
    const { data } = await table.list(findings, { ...all, filter: { status: 'open' } });
    expect(data.map(({ location, asset }) => [location, asset.name]).sort()).toEqual([
      ['10.0.0.5:80/tcp', '10.0.0.77'],
      ['10.0.0.9:22/tcp', '10.0.0.9'],
    ]);
  });

  test('has a problem once that one report gives under two of its names', async () => {
    const table = world.newOrganization();
    await world.ingest(table, networkScan(nmap([{ address: '10.0.0.5', ports: [80] }])));
    await rename(table, { type: 'host', value: '10.0.0.5', zone: 'office' }, '10.0.0.6');
    const hosts = ['10.0.0.5', '10.0.0.6'].map((address) => ({ address, ports: [80, 443] }));
    const { result } = await world.ingest(table, networkScan(nmap(hosts)));
    expect(result).toMatchObject({ created: 1, unchanged: 1 });
    expect((await table.list(findings, all)).totalCount).toBe(2);
  });
});

test('an import reads the name of each asset once, however many findings it has, and one that nobody knew no oftener', async () => {
  const table = world.newOrganization();
  const ports = Array.from({ length: 150 }, (_, n) => n + 1);
  const hosts = ['10.0.0.5', '10.0.0.6', '10.0.0.7'].map((address) => ({ address, ports }));
  const read: string[] = [];
  const { client } = world.connections.dynamo;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (String(commandName).startsWith('BatchGet'))
          read.push(...(JSON.stringify(args.input).match(/asset#u#identity#/g) ?? []));
        return next(args);
      },
    { step: 'initialize', name: 'count', priority: 'high' },
  );
  for (const attempt of ['unknown', 'known']) {
    read.length = 0;
    await world.ingest(table, networkScan(nmap(hosts)));
    expect(`${attempt}: ${read.length} reads`).toBe(`${attempt}: 3 reads`);
  }
  client.middlewareStack.remove('count');
});

const scans = fc.array(
  fc.record({ isRenamed: fc.boolean(), isOld: fc.boolean(), files: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }) }),
  { minLength: 2, maxLength: 7 },
);

test('scans under any names in any order leave one finding for each problem, open if a last scan saw it', async () => {
  await fc.assert(
    fc.asyncProperty(scans, async (planned) => {
      const table = world.newOrganization();
      let isRenamed = false;
      const last = new Map<string, number[]>();
      for (const one of planned) {
        const target = one.isOld ? old : renamed;
        if (one.isRenamed && !isRenamed && last.has(old.value) && !last.has(renamed.value)) {
          await rename(table, { ...old, zone: null }, renamed.value);
          isRenamed = true;
        }
        if (!one.isOld && !isRenamed) continue;
        await scan(
          table,
          target,
          one.files.flatMap((n) => problems(1, n)),
        );
        last.set(target.value, one.files);
      }
      const { data } = await table.list(findings, all);
      const places = data.map(({ location }) => location);
      expect(new Set(places).size).toBe(places.length);
      const lastOpen = new Set([...last.values()].flat());
      for (const { location, status } of data)
        if (status === 'open') expect([...lastOpen].map((n) => `src/file-${n}.ts:7`)).toContain(location);
      await expectSound(table);
    }),
    { numRuns: runs(2, 12) },
  );
});
