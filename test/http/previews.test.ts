import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { startShopIn } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };

type Change = Parameters<Client['ok']>[1];

const FIELDS = ['status', 'dueAt', 'tags', 'asset', 'severity', 'priority'] as const;

const report = (entries: readonly object[]) => ({
  format: 'generic',
  content: JSON.stringify({ tool: 'audit', findings: entries }),
});

const entry = (n: number, host: string) => ({
  title: `finding ${n}`,
  severity: (['critical', 'high', 'medium', 'low'] as const)[n % 4],
  ruleId: `rule-${n % 7}`,
  path: `${n % 3 === 0 ? 'test' : 'src'}/file-${n}.ts`,
  asset: { type: 'host', value: host },
});

/** An organization with findings on two hosts, of which both have every fifth problem. */
async function withFindings(count: number) {
  const { admin, table } = await system.newOrganization();
  const entries = Array.from({ length: count }, (_, n) => [
    entry(n, 'one.example.test'),
    ...(n % 5 === 0 ? [entry(n, 'two.example.test')] : []),
  ]);
  const { taskId } = await admin.ok('importFindings', { query: soon, body: report(entries.flat()) as never });
  await finished(admin, taskId);
  const { data } = await admin.ok('listAssets', { query: {} });
  const idOf = (name: string) => data.find((one) => one.name === name)?.id ?? '';
  return { admin, table, one: idOf('one.example.test'), two: idOf('two.example.test') };
}

async function everything(admin: Client, query: object = {}) {
  const found = new Map<string, Record<string, unknown>>();
  for (let paginateFrom = 0; ; paginateFrom += 500) {
    const { data, totalCount } = await admin.ok('listFindings', {
      query: { ...query, paginateFrom, paginateSize: 500 },
    });
    for (const one of data) found.set(one.id, Object.fromEntries(FIELDS.map((name) => [name, one[name]])));
    if (found.size >= totalCount) return found;
  }
}

const idsIn = (link: string) => new URL(link, 'http://x').searchParams.get('filter') ?? '';

/** Previews a change, makes it, and compares the list of the preview with the findings that are other than before. */
async function expectSame(admin: Client, body: object, make: () => Promise<unknown>) {
  const { preview } = await admin.ok('previewChange', { body: body as never });
  const before = await everything(admin);
  const listed = await everything(admin, { filter: idsIn(preview?.links.list ?? '') });
  expect(listed.size).toBe(preview?.changed);
  await make();
  const after = await everything(admin);
  const changed = [...before].filter(([id, one]) => JSON.stringify(after.get(id)) !== JSON.stringify(one));
  expect(changed.map(([id]) => id).sort()).toEqual([...listed.keys()].sort());
  return preview;
}

const draft = (conditions: object) =>
  ({ name: 'test data', conditions, status: 'false_positive', reason: 'no real code' }) as never;

test('the list of a preview has exactly the findings that a suppression rule, its change and its removal change', async () => {
  const { admin, table } = await withFindings(60);
  let id = '';
  const applied = async ({ taskId }: { taskId: string }) => void (await finished(admin, taskId));
  const create = { operation: 'createFindingRule', body: draft({ path: 'test/*' }) };
  await expectSame(admin, create, async () => {
    const rule = await admin.ok('createFindingRule', { body: create.body });
    id = rule.id;
    await applied(rule);
  });
  const change = { conditions: { path: '*', ruleId: 'rule-3' } };
  const preview = await expectSame(admin, { operation: 'updateFindingRule', id, body: change }, async () =>
    applied(await admin.ok('updateFindingRule', { params: { id }, body: change as never })),
  );
  expect(preview?.changed).toBeGreaterThan(0);
  await expectSame(admin, { operation: 'deleteFindingRule', id }, async () => {
    await admin.ok('deleteFindingRule', { params: { id } });
    const { data } = await admin.ok('listTasks', { query: { operation: 'apply_suppression_rule', limit: 1 } });
    await applied({ taskId: data[0]?.id ?? '' });
  });
  await expectExact(table, [findings]);
});

test('so it is for due dates of other SLA policies, a change of an asset, a merge, and an asset that retires or is deleted', async () => {
  const { admin, table, one, two } = await withFindings(40);
  const body = { days: { critical: 3, low: 0 } };
  await expectSame(admin, { operation: 'updateSlaPolicies', body }, async () => {
    const { taskId } = await admin.ok('updateSlaPolicies', { body: body as never });
    await finished(admin, taskId ?? '');
  });
  const rated = { criticality: 'critical' as const, tags: ['payments'] };
  const applied = await expectSame(admin, { operation: 'updateAsset', id: one, body: rated }, async () => {
    await admin.ok('updateAsset', { params: { id: one }, body: rated });
    const { data } = await admin.ok('listTasks', { query: { operation: 'apply_asset_change', limit: 1 } });
    await finished(admin, data[0]?.id ?? '');
  });
  expect(applied?.changed).toBe(40);
  const merge = { operation: 'mergeAssets', id: two, body: { intoId: one } };
  const { preview } = await admin.ok('previewChange', { body: merge as never });
  const queued = await admin.ok('mergeAssets', { params: { id: two }, body: { intoId: one } });
  const { result } = await finished(admin, queued.taskId);
  expect(result).toMatchObject({ findings: preview?.changed, ...preview?.kinds });
  expect(preview?.kinds).toEqual({ merged: 8 });
  const parting = { operation: 'undoAssetMerge' as const, taskId: queued.taskId };
  const { preview: parted } = await admin.ok('previewChange', { body: parting });
  const both = await everything(admin, { filter: idsIn(parted?.links.list ?? '') });
  for (const id of both.keys()) expect((await admin.ok('getFinding', { params: { id } })).mergedFrom).toHaveLength(1);
  const undoing = await admin.ok('undoAssetMerge', { params: { taskId: parting.taskId } });
  expect(await finished(admin, undoing.taskId)).toMatchObject({ result: { findings: both.size, parted: both.size } });
  expect(parted?.kinds).toEqual({ parted: 8 });
  expect((await admin.call('previewChange', { body: parting })).body).toMatchObject({ code: 'conflict' });
  await admin
    .ok('mergeAssets', { params: { id: two }, body: { intoId: one } })
    .then((again) => finished(admin, again.taskId));
  const retire = await admin.ok('previewChange', { body: { operation: 'retireAsset', id: one } });
  const deletion = await admin.ok('previewChange', { body: { operation: 'deleteAsset', id: one } });
  expect([retire.preview?.changed, deletion.preview?.changed]).toEqual([40, 40]);
  expect((await everything(admin)).size).toBe(40);
  await expectExact(table, [findings, branchFindings, assets]);
});

test('the list of a preview of a return has exactly the findings that come back with their asset', async () => {
  const { admin, table, one } = await withFindings(30);
  const body = { operation: 'returnAsset' as const, id: one };
  expect((await admin.call('previewChange', { body })).body).toMatchObject({ code: 'conflict' });
  const before = await everything(admin);
  await finished(admin, (await admin.ok('retireAsset', { params: { id: one } })).taskId);
  const left = await everything(admin);
  const { preview } = await admin.ok('previewChange', { body });
  expect(preview).toMatchObject({ changed: 30, kinds: { returned: 30 } });
  const listed = await everything(admin, { filter: idsIn(preview?.links.list ?? '') });
  const severe = { filter: `${idsIn(preview?.links.list ?? '')} severity:critical` };
  expect((await everything(admin, severe)).size).toBe(8);
  expect(await everything(admin)).toEqual(left);
  await finished(admin, (await admin.ok('returnAsset', { params: { id: one } })).taskId);
  const back = [...(await everything(admin)).keys()].filter((id) => !left.has(id));
  expect([...listed.keys()].sort()).toEqual(back.sort());
  expect(left.size + back.length).toBe(before.size);
  await expectExact(table, [findings, branchFindings, assets]);
});

test('the list of a preview of the end of a branch has exactly the findings that it closes', async () => {
  const { admin, scan, branch } = await startShopIn(system);
  await scan('main', ['a']);
  await scan('feature', ['a', 'b', 'c', 'd']);
  const ended = await everything(admin, { ref: 'feature', filter: 'rule:d' });
  const body = { status: 'false_positive', reason: 'a fixture' } as const;
  for (const id of ended.keys()) await admin.ok('updateFinding', { params: { id }, body });
  const ofDefault = { operation: 'endBranch' as const, id: (await branch('main')).id };
  expect((await admin.call('previewChange', { body: ofDefault })).body).toMatchObject({ code: 'conflict' });
  const { id } = await branch('feature');
  const { preview } = await admin.ok('previewChange', { body: { operation: 'endBranch', id } });
  expect(preview).toMatchObject({ matched: 3, changed: 2 });
  const listed = await everything(admin, { filter: idsIn(preview?.links.list ?? '') });
  const before = await everything(admin, { ref: 'feature' });
  await finished(admin, (await admin.ok('endBranch', { params: { id } })).taskId);
  const after = await everything(admin, { ref: 'feature' });
  const changed = [...before].filter(([one, { status }]) => after.get(one)?.status !== status);
  expect([...listed.keys()].sort()).toEqual(changed.map(([one]) => one).sort());
});

test('so it is for the undo of an import, which deletes the findings that only this import has', async () => {
  const { admin, table, one } = await withFindings(30);
  const entries = Array.from({ length: 20 }, (_, n) => entry(n < 10 ? n : n + 40, 'one.example.test'));
  const { taskId } = await admin.ok('importFindings', { query: soon, body: report(entries) as never });
  await finished(admin, taskId);
  const preview = await expectSame(admin, { operation: 'undoImport', taskId }, async () => {
    const { taskId: undoing } = await admin.ok('undoImport', { params: { taskId }, query: soon });
    const { result } = await finished(admin, undoing);
    expect(result).toMatchObject({ deleted: 10, keptCount: 0 });
  });
  expect(preview?.kinds).toEqual({ deleted: 10 });
  expect((await admin.ok('getAsset', { params: { id: one } })).id).toBe(one);
  await expectExact(table, [findings, branchFindings, assets]);
});

test('a dry run tries each of more findings than an answer shows, and its list combines with other filters', async () => {
  const { admin } = await withFindings(1_300);
  const changes = { status: 'in_progress' as const };
  const { preview } = await admin.ok('updateFindings', {
    body: { filter: { search: 'finding' }, changes, dryRun: true },
  });
  expect(preview).toMatchObject({ matched: 1_560, changed: 1_560, refusedCount: 0 });
  expect(preview?.sample).toHaveLength(20);
  const filter = idsIn(preview?.links.list ?? '');
  const count = async (more: string) =>
    (await admin.ok('listFindings', { query: { filter: `${filter}${more}` } })).totalCount;
  expect([await count(''), await count(' severity:critical'), await count(' -severity:critical')]).toEqual([
    1_560, 390, 1_170,
  ]);
  const part = { filter: { filter: `${filter} severity:low` }, changes };
  const { task } = await admin.ok('updateFindings', { query: soon, body: part });
  expect(task?.result).toMatchObject({ matched: 390, changed: 390 });
});

test('findings that were deleted since are in no list of a preview', async () => {
  const { admin, two } = await withFindings(30);
  const { preview } = await admin.ok('updateFindings', {
    body: { filter: { search: 'finding' }, changes: { addTags: ['x'] }, dryRun: true },
  });
  const { taskId } = await admin.ok('deleteAsset', { params: { id: two } });
  await finished(admin, taskId);
  const query = { filter: idsIn(preview?.links.list ?? ''), paginateSize: 100 };
  const { data, totalCount } = await admin.ok('listFindings', { query });
  expect([data.length, totalCount]).toEqual([30, 30]);
});

test('a preview changes nothing, and its list is empty for another organization', async () => {
  const { admin, table, one } = await withFindings(12);
  const before = await everything(admin);
  const other = await system.newOrganization();
  const { preview, taskId } = await admin.ok('previewChange', { body: { operation: 'deleteAsset', id: one } });
  expect(preview?.changed).toBe(12);
  expect(await everything(admin)).toEqual(before);
  const query = { filter: idsIn(preview?.links.list ?? '') };
  expect((await other.admin.ok('listFindings', { query })).totalCount).toBe(0);
  expect((await other.admin.call('getTask', { params: { id: taskId } })).status).toBe(400);
  await expectExact(table, [findings, assets]);
});

test.each<[string, object, string]>([
  ['an unknown operation', { operation: 'deleteEverything' }, 'operation'],
  ['a rule without a condition', { operation: 'createFindingRule', body: draft({}) }, 'body.conditions'],
  ['a merge into itself', { operation: 'mergeAssets', id: newId(), body: { intoId: 'x' } }, 'body.intoId'],
])('%s is refused with the name of the field', async (_, body, path) => {
  const { admin } = await system.newOrganization();
  const answer = await admin.call('previewChange', { body: body as Change as never });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

test('a rule or an asset that does not exist cannot be previewed', async () => {
  const { admin } = await system.newOrganization();
  for (const operation of ['deleteFindingRule', 'deleteAsset', 'retireAsset'] as const) {
    const answer = await admin.call('previewChange', { body: { operation, id: newId() } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  }
});
