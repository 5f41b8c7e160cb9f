import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { scopeOf, taskFiles } from '#shared/ingest/submission.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap, type Problem, problems, repository, sarif } from './reports.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
afterEach(() => setClock());

const all = { paginateFrom: 0, paginateSize: 100 };
const present = repository('api');
const spelled = 'git@git.example.com:shop/api.git';

/** A scan as earlier releases worked it: the target and the branch as they were sent, and no branches. */
async function oldScan(
  table: Table,
  found: readonly Problem[],
  { value = spelled, ref = 'refs/heads/main', ...more }: { value?: string; ref?: string; engagementId?: string } = {},
) {
  const id = await world.accept(table, codeScan(sarif(found), more));
  const { submission } = taskFiles(table.organizationId, id);
  const kept = JSON.parse(Buffer.from((await world.connections.bucket.get(submission)) ?? []).toString());
  const old = { ...kept, target: { type: 'repository', value }, ref };
  await world.connections.bucket.put(submission, JSON.stringify(old));
  await table.rows(taskRows).set({ id }, { input: { scope: scopeOf(old, 'sarif') } });
  await world.drain();
  for (const branch of (await table.list(branches, all)).data) await table.delete(branches, branch);
}

async function respell(table: Table) {
  const queued = await queueMany(
    { connections: world.connections, table },
    { operation: 'respell_repositories', input: {} },
  );
  await world.drain();
  return world.task(table, queued.taskId);
}

const scan = async (table: Table, found: readonly Problem[]) =>
  (await world.ingest(table, codeScan(sarif(found)))).result;

test('findings under an old spelling of their repository and branch are found again under the one name', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(4));
  expect(await respell(table)).toMatchObject({ status: 'succeeded', result: { findings: 4, changed: 4 } });
  const [asset] = (await table.list(assets, all)).data;
  expect(asset).toMatchObject({ value: present.value, name: present.value, aliases: [{ value: spelled }] });
  const before = await allFindings({ connections: world.connections, table });
  expect(new Set(before.map((one) => `${one.asset.name} ${one.ref}`))).toEqual(new Set([`${present.value} main`]));
  expect(await scan(table, problems(4))).toMatchObject({ created: 0, closed: 0 });
  const after = await allFindings({ connections: world.connections, table });
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  await expectSound(table);
});

test('what was repaired since the last scan under the old spelling is closed by the first under the new one', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(4));
  await respell(table);
  expect(await scan(table, problems(3))).toMatchObject({ created: 0, closed: 1 });
  const found = await allFindings({ connections: world.connections, table });
  expect(found.filter(({ status }) => status === 'fixed').map(({ location }) => location)).toEqual(['src/file-3.ts:7']);
  await expectSound(table);
});

test('one scan closes what it saw itself before and what was seen under the old spelling', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(2));
  await respell(table);
  const [first, , third] = problems(3);
  const found = [first, third].flatMap((one) => one ?? []);
  await world.ingest(table, codeScan(sarif(found), { closeMissing: false }));
  expect(await scan(table, found.slice(0, 1))).toMatchObject({ unchanged: 1, closed: 2 });
});

test('a second run changes nothing, and names without a host stay', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(2));
  await world.ingest(table, codeScan(sarif(problems(2)), { target: { type: 'repository', value: 'shop/web' } }));
  await respell(table);
  const before = [await table.list(assets, all), await table.list(branches, all)];
  expect((await respell(table)).result).toMatchObject({ findings: 4, changed: 0 });
  expect([await table.list(assets, all), await table.list(branches, all)]).toEqual(before);
  await expectSound(table);
});

test('a repository that was scanned under both spellings becomes one, with the triage of its findings', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(4));
  const [first] = await allFindings({ connections: world.connections, table });
  const decision = { status: 'false_positive', statusReason: 'a test', decidedAt: first?.firstSeenAt } as const;
  await table.modify(findings, first?.id ?? '', () => decision);
  await scan(table, problems(5));
  await oldScan(table, problems(2), { value: 'https://git.example.com/shop/api.git', ref: 'main' });
  expect((await allFindings({ connections: world.connections, table })).length).toBeGreaterThan(5);
  await respell(table);
  const [asset, ...others] = (await table.list(assets, all)).data;
  expect([asset?.value, others]).toEqual([present.value, []]);
  const found = await allFindings({ connections: world.connections, table });
  expect(found).toHaveLength(5);
  expect(found.filter(({ status }) => status === 'false_positive')).toMatchObject([{ statusReason: 'a test' }]);
  expect(new Set(found.map((one) => `${one.asset.id} ${one.ref}`))).toEqual(new Set([`${asset?.id} main`]));
  expect(await scan(table, problems(5))).toMatchObject({ created: 0, closed: 0 });
  await expectSound(table);
});

test('branches that were spelled with refs/heads alone are found again too', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(3), { value: present.value });
  expect((await respell(table)).result).toEqual({ findings: 3, changed: 3 });
  expect((await allFindings({ connections: world.connections, table })).map(({ ref }) => ref)).toEqual([
    'main',
    'main',
    'main',
  ]);
  expect((await table.list(branches, all)).data).toMatchObject([
    { name: 'main', isDefault: true, formerNames: ['refs/heads/main'] },
  ]);
  expect(await scan(table, problems(3))).toMatchObject({ created: 0 });
});

test('findings that are spelled well, and those of hosts, stay as they are, and their branch gets no other name', async () => {
  const table = world.newOrganization();
  await scan(table, problems(2));
  await world.ingest(table, networkScan(nmap([{ address: '10.0.0.5', ports: [80] }])));
  const before = await allFindings({ connections: world.connections, table });
  expect((await respell(table)).result).toEqual({ findings: 3, changed: 0 });
  expect(await allFindings({ connections: world.connections, table })).toEqual(before);
  expect((await table.list(branches, all)).data).toMatchObject([{ name: 'main', formerNames: [] }]);
});

test('findings of an engagement get the one name too, and leave their repository without a branch', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(2), { engagementId: newId() });
  expect((await respell(table)).result).toEqual({ findings: 2, changed: 2 });
  const found = await allFindings({ connections: world.connections, table });
  expect(found.map(({ asset, ref }) => `${asset.name} ${ref}`)).toEqual(Array(2).fill(`${present.value} main`));
  expect((await table.list(branches, all)).data).toEqual([]);
});

test('many findings are respelled in slices, and all of them are counted', async () => {
  const table = world.newOrganization();
  await oldScan(table, problems(600));
  let time = Date.now();
  setClock(() => {
    time += 1_000;
    return time;
  });
  const queued = await queueMany(
    { connections: world.connections, table },
    { operation: 'respell_repositories', input: {} },
  );
  expect(await world.deliver()).toBe(true);
  expect(await world.task(table, queued.taskId)).toMatchObject({ status: 'running' });
  await world.drain();
  const task = await world.task(table, queued.taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { findings: 600, changed: 600 } });
  await expectSound(table);
});
