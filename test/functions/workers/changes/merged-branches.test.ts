import { afterAll, afterEach, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { type Branch, branches } from '#shared/findings/branches/branch.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf, goToDay } from '../imports/days.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const all = { paginateFrom: 0, paginateSize: 100 };

async function scanOn(table: Table, day: number, name: string, ref = 'main'): Promise<void> {
  goToDay(day);
  await world.ingest(table, codeScan(sarif(problems(3)), { target: repository(name), ref }));
}

const assetOf = async (table: Table, name: string): Promise<Asset | undefined> =>
  (await table.list(assets, all)).data.find(({ value }) => value.endsWith(name));

async function mergeTwoIntoOne(table: Table): Promise<string> {
  const merge = { assetId: (await assetOf(table, 'two'))?.id ?? '', intoId: (await assetOf(table, 'one'))?.id ?? '' };
  const { taskId } = await queueMerge({ connections: world.connections, table }, merge);
  await world.drain();
  return taskId;
}

async function undo(table: Table, taskId: string): Promise<void> {
  await queueMergeUndo({ connections: world.connections, table }, taskId);
  await world.drain();
}

/** By repository and name: whether it is the default branch, and when it was scanned last. */
async function branchesOf(table: Table): Promise<Record<string, [isDefault: boolean, at: string | undefined]>> {
  const { data } = await table.list(branches, all);
  const nameOf = new Map((await table.list(assets, all)).data.map(({ id, value }) => [id, value.split('/').at(-1)]));
  return Object.fromEntries(
    data.map(({ assetId, name, isDefault, lastScan }: Branch) => [
      `${nameOf.get(assetId)} ${name}`,
      [isDefault, lastScan?.at],
    ]),
  );
}

test.each([
  ['the one', 0, 1],
  ['the other', 1, 0],
])(
  'a branch that both repositories have was scanned last when %s was, and has its own time after an undoing',
  async (_name, one, two) => {
    const table = world.newOrganization();
    for (const [day, name] of [
      [one, 'one'],
      [two, 'two'],
    ] as const)
      for (const ref of ['main', 'feature']) await scanOn(table, day, name, ref);
    const before = await branchesOf(table);
    const taskId = await mergeTwoIntoOne(table);
    expect(await branchesOf(table)).toEqual({ 'one main': [true, dayOf(1)], 'one feature': [false, dayOf(1)] });
    expect((await table.list(branches, all)).data.map(({ formerNames }) => formerNames)).toEqual([[], []]);
    await undo(table, taskId);
    expect(await branchesOf(table)).toEqual(before);
    await expectSound(table);
  },
);

test('a repository of which nobody knows a branch gets the default one of the repository that becomes one with it', async () => {
  const table = world.newOrganization();
  goToDay(0);
  const value = repositoryName(repository('one').value);
  const made = { type: 'repository' as const, value, name: value, zone: null, criticality: 'medium' as const };
  await table.create(assets, { ...made, internetExposed: null, tags: [], firstSeenAt: dayOf(0) });
  await scanOn(table, 0, 'two');
  await scanOn(table, 0, 'two', 'feature');
  const before = await branchesOf(table);
  const taskId = await mergeTwoIntoOne(table);
  expect(await branchesOf(table)).toEqual({ 'one main': [true, dayOf(0)], 'one feature': [false, dayOf(0)] });
  await undo(table, taskId);
  expect(await branchesOf(table)).toEqual(before);
  await expectSound(table);
});

test('a default branch stays the only one, and gets the name of the other repository among its own', async () => {
  const table = world.newOrganization();
  for (const ref of ['main', 'develop']) await scanOn(table, 0, 'one', ref);
  await scanOn(table, 0, 'two', 'develop');
  const before = await branchesOf(table);
  expect(before).toMatchObject({ 'two develop': [true, dayOf(0)] });
  const taskId = await mergeTwoIntoOne(table);
  expect(await branchesOf(table)).toEqual({ 'one main': [true, dayOf(0)], 'one develop': [false, dayOf(0)] });
  const { data } = await table.list(branches, all);
  expect(data.map(({ name, formerNames }) => [name, formerNames]).sort()).toEqual([
    ['develop', []],
    ['main', ['develop']],
  ]);
  await undo(table, taskId);
  expect(await branchesOf(table)).toEqual(before);
  await expectSound(table);
});

test('what people decided since a merge stays on the finding when it is undone', async () => {
  const table = world.newOrganization();
  await scanOn(table, 0, 'one');
  await scanOn(table, 1, 'two');
  const twin = (await table.list(findings, { ...all, where: { asset: (await assetOf(table, 'two'))?.id ?? '' } })).data;
  const kim = { id: 'kim', name: 'Kim' };
  const [ofTwo] = twin.filter(({ location }) => location.includes('file-2'));
  await table.modify(findings, ofTwo?.id ?? '', () => ({ assignee: kim }));
  const taskId = await mergeTwoIntoOne(table);
  const change = async (file: number, changes: (it: StoredFinding) => Partial<StoredFinding>) => {
    const [found] = (await table.list(findings, all)).data.filter(({ location }) => location.includes(`file-${file}`));
    await table.modify(findings, found?.id ?? '', changes);
  };
  await change(0, (it) => moveStatus(it, { to: 'false_positive', at: dayOf(2), reason: 'a test file' }));
  await change(1, () => ({ assignee: kim, severity: 'critical', severityOverridden: true }));
  await undo(table, taskId);
  const after = (await allFindings({ connections: world.connections, table })).map(
    ({ asset, location, status, severity, assignee }) => [
      `${asset.name.split('/').at(-1)} ${location.slice(0, 10)}`,
      [status, severity, assignee?.name],
    ],
  );
  expect(Object.fromEntries(after)).toEqual({
    'one src/file-0': ['false_positive', 'high', undefined],
    'one src/file-1': ['open', 'critical', 'Kim'],
    'one src/file-2': ['open', 'high', undefined],
    'two src/file-0': ['open', 'high', undefined],
    'two src/file-1': ['open', 'high', undefined],
    'two src/file-2': ['open', 'high', 'Kim'],
  });
  await expectSound(table);
});
