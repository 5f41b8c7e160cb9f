import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { assetHistory } from '#shared/exposure/asset-actions/asset-history.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, contents, expectSound } from '../imports/expectations.ts';
import { codeScan, networkScan, nmap, type Problem, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld, type World } from '../imports/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
afterEach(() => setClock());

const all = { paginateFrom: 0, paginateSize: 100 };

const scan = async (table: Table, name: string, found: readonly Problem[], more = {}) =>
  (await world.ingest(table, codeScan(sarif(found), { target: repository(name), ...more }))).result;

async function assetOf(table: Table, name: string): Promise<Asset> {
  const { data } = await table.list(assets, all);
  const found = data.find(({ value }) => value.endsWith(name));
  if (!found) throw new Error(`there is no asset ${name}`);
  return found;
}

async function merge(table: Table, name: string, into: string) {
  const [asset, other] = [await assetOf(table, name), await assetOf(table, into)];
  const { taskId } = await queueMerge(
    { connections: world.connections, table },
    { assetId: asset.id, intoId: other.id },
  );
  await world.drain();
  return { taskId, asset, other, task: await world.task(table, taskId) };
}

async function undo(table: Table, taskId: string) {
  const queued = await queueMergeUndo({ connections: world.connections, table }, taskId);
  await world.drain();
  return world.task(table, queued.taskId);
}

/** Everything that an organization has, without the versions. */
async function withoutVersions(table: Table) {
  const { findings: some, ...others } = await contents({ connections: world.connections, table });
  const ids = (await allFindings({ connections: world.connections, table })).map(({ id }) => id);
  const { data } = await table.list(branches, all);
  return {
    ...others,
    ids,
    findings: some.map(({ version: _version, history: _history, ...finding }) => finding),
    branches: data.map(({ version: _version, updatedAt: _updatedAt, ...branch }) => branch),
  };
}

describe('assets that are one', () => {
  test('have all findings on one asset, each problem once, with the older one of two', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(4));
    await scan(table, 'two', problems(3, 2));
    const before = await allFindings({ connections: world.connections, table });
    const { task, asset, other } = await merge(table, 'two', 'one');
    expect(task).toMatchObject({ status: 'succeeded', result: { findings: 3, moved: 1, merged: 2 } });
    const after = await allFindings({ connections: world.connections, table });
    expect(after).toHaveLength(5);
    expect(new Set(after.map((one) => `${one.asset.id} ${one.asset.name}`))).toEqual(
      new Set([`${other.id} ${other.name}`]),
    );
    const kept = before.filter((one) => one.asset.id === other.id).map(({ id }) => id);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
    expect(Object.fromEntries(after.map(({ location, occurrences }) => [location, occurrences]))).toMatchObject({
      'src/file-1.ts:7': 1,
      'src/file-2.ts:7': 2,
      'src/file-3.ts:7': 2,
    });
    expect((await table.list(assets, all)).data).toMatchObject([{ id: other.id, aliases: [{ value: asset.value }] }]);
    await expectSound(table);
  });

  test('are found by reports under either name, which make no record again and close the findings that they prove gone', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(4));
    await scan(table, 'two', problems(4, 2));
    await merge(table, 'two', 'one');
    expect(await scan(table, 'two', problems(4, 2))).toMatchObject({ created: 0, closed: 0 });
    expect(await scan(table, 'one', problems(4))).toMatchObject({ created: 0, closed: 0 });
    expect(await scan(table, 'two', problems(3, 2))).toMatchObject({ created: 0, closed: 1 });
    expect(await allFindings({ connections: world.connections, table })).toHaveLength(6);
    await expectSound(table);
  });

  test('keep the newest decision of a person and all remediations, whichever finding these were made for', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(2));
    await scan(table, 'two', problems(2));
    const { id } = await assetOf(table, 'two');
    const remediation = newId();
    for (const { id: finding } of (await table.list(findings, { ...all, where: { asset: id } })).data)
      await table.modify(findings, finding, () => ({
        status: 'false_positive' as const,
        decidedAt: new Date(nowMs()).toISOString(),
        statusReason: 'a test file',
        remediationIds: [remediation],
      }));
    await merge(table, 'two', 'one');
    const after = await allFindings({ connections: world.connections, table });
    const kept = ['false_positive', 'a test file', [remediation]];
    expect(after.map((one) => [one.status, one.statusReason, one.remediationIds])).toEqual([kept, kept]);
    await expectSound(table);
  });

  test('stay open where one of two findings is open and a scan closed the other', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(2));
    await scan(table, 'two', problems(2));
    await scan(table, 'one', problems(1));
    await merge(table, 'two', 'one');
    const after = await allFindings({ connections: world.connections, table });
    expect(after.map(({ status }) => status)).toEqual(['open', 'open']);
    expect(await scan(table, 'two', problems(1))).toMatchObject({ created: 0, closed: 1 });
    await expectSound(table);
  });

  test('leave problems apart that nothing distinguishes', async () => {
    const table = world.newOrganization();
    const twice = (name: string) =>
      [0, 1].map((n) => ({ rule: 'rule', file: 'src/a.ts', text: `${name} ${n}`, line: 7 }));
    await scan(table, 'one', [...problems(1), { rule: 'rule', file: 'src/a.ts', line: 9 }]);
    await scan(table, 'two', twice('two'));
    const count = (await allFindings({ connections: world.connections, table })).length;
    expect((await merge(table, 'two', 'one')).task.result).toMatchObject({ merged: 0 });
    expect(await allFindings({ connections: world.connections, table })).toHaveLength(count);
  });

  test('have the branches of both, and what is on them', async () => {
    const table = world.newOrganization();
    for (const name of ['one', 'two']) {
      await scan(table, name, problems(2));
      await scan(table, name, problems(4), { ref: 'feature' });
    }
    await scan(table, 'two', problems(3), { ref: 'other' });
    const before = await withoutVersions(table);
    const { taskId, other } = await merge(table, 'two', 'one');
    const { data } = await table.list(branches, all);
    expect(data.map(({ name, isDefault, assetId }) => [name, isDefault, assetId]).sort()).toEqual([
      ['feature', false, other.id],
      ['main', true, other.id],
      ['other', false, other.id],
    ]);
    expect((await table.list(branchFindings, { ...all, where: { asset: other.id } })).totalCount).toBe(3);
    expect(await scan(table, 'two', problems(4), { ref: 'feature' })).toMatchObject({ created: 0 });
    expect(await scan(table, 'two', problems(4))).toMatchObject({ closed: 0 });
    await expectSound(table);
    await undo(table, taskId);
    await expectSound(table);
    expect((await withoutVersions(table)).branches.map(({ name, assetId }) => [name, assetId]).sort()).toEqual(
      before.branches.map(({ name, assetId }) => [name, assetId]).sort(),
    );
  });

  test('are recorded in the history of both assets', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(1));
    await scan(table, 'two', problems(1));
    const { taskId, asset, other } = await merge(table, 'two', 'one');
    const history = async (id: string) => table.rows(assetHistory).query(id, { consistent: true });
    expect(await history(other.id)).toMatchObject([{ taskId, changes: { aliases: { to: [{ value: asset.value }] } } }]);
    expect(await history(asset.id)).toMatchObject([{ taskId, changes: { mergedInto: { to: { assetId: other.id } } } }]);
  });
});

describe('a merge that is undone', () => {
  test('leaves what was, with ids, triage and sightings', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(4));
    await scan(table, 'two', problems(4, 2));
    await scan(table, 'two', problems(4, 2));
    await table.modify(findings, (await allFindings({ connections: world.connections, table }))[3]?.id ?? '', () => ({
      status: 'false_positive' as const,
      decidedAt: new Date(nowMs()).toISOString(),
    }));
    const before = await withoutVersions(table);
    for (const [name, into] of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      const { taskId } = await merge(table, name, into);
      expect((await undo(table, taskId)).result).toMatchObject({ findings: 4, returned: 2, parted: 2 });
      expect(await withoutVersions(table)).toEqual(before);
      expect((await table.list(mergedAssets, all)).totalCount).toBe(0);
      await expectSound(table);
    }
  });

  test('leaves each asset what later scans of it saw, and no finding on the wrong one', async () => {
    const table = world.newOrganization();
    await scan(table, 'one', problems(3));
    await scan(table, 'two', problems(3, 1));
    const { taskId } = await merge(table, 'two', 'one');
    await scan(table, 'two', problems(3, 1));
    await scan(table, 'one', problems(3));
    await undo(table, taskId);
    expect(await scan(table, 'two', problems(3, 1))).toMatchObject({ created: 0, closed: 0 });
    expect(await scan(table, 'one', problems(3))).toMatchObject({ created: 0, closed: 0 });
    const after = await allFindings({ connections: world.connections, table });
    expect(after.map(({ location, asset }) => `${asset.name.at(-1)} ${location}`).sort()).toEqual([
      'e src/file-0.ts:7',
      'e src/file-1.ts:7',
      'e src/file-2.ts:7',
      'o src/file-1.ts:7',
      'o src/file-2.ts:7',
      'o src/file-3.ts:7',
    ]);
    await expectSound(table);
  });

  test('is refused while another asset was merged into the same one since, or the one into another', async () => {
    const table = world.newOrganization();
    for (const name of ['one', 'two', 'six']) await scan(table, name, problems(2));
    const first = await merge(table, 'two', 'one');
    const later = nowMs() + 1000;
    setClock(() => later);
    const second = await merge(table, 'six', 'one');
    await expect(undo(table, first.taskId)).rejects.toMatchObject({ code: 'conflict' });
    await undo(table, second.taskId);
    await undo(table, first.taskId);
    expect((await table.list(assets, all)).totalCount).toBe(3);
    expect(await allFindings({ connections: world.connections, table })).toHaveLength(6);
    await expectSound(table);
  });
});

test('hosts of one network scan that are one machine are closed by what the scan of either address proves', async () => {
  const table = world.newOrganization();
  const hosts = (ports: number[]) => ['10.0.0.5', '10.0.0.6'].map((address) => ({ address, ports }));
  const [first] = hosts([22, 80]);
  await world.ingest(table, networkScan(nmap(first ? [first] : [])));
  await world.ingest(table, networkScan(nmap(hosts([22, 80]))));
  await merge(table, '10.0.0.6', '10.0.0.5');
  expect((await world.ingest(table, networkScan(nmap(hosts([22, 80]))))).result).toMatchObject({
    created: 0,
    closed: 0,
  });
  const { result } = await world.ingest(table, networkScan(nmap(hosts([22]))));
  expect(result).toMatchObject({ created: 0, closed: 1 });
  const after = await allFindings({ connections: world.connections, table });
  expect(after.map(({ location, status }) => [location.split(':')[1], status]).sort()).toEqual([
    ['22/tcp', 'open'],
    ['80/tcp', 'fixed'],
  ]);
  await expectSound(table);
});
