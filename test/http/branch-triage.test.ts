import { describe, expect, test } from 'vitest';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Client } from '../support/client.ts';
import { soon, startShopIn } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

/** A default branch with `a` and `b`, and a feature branch that adds `x` and `y`. */
async function startBranches() {
  const shop = await startShopIn(system);
  await shop.scan('main', ['a', 'b']);
  await shop.scan('feature', ['a', 'b', 'x', 'y']);
  const ids = async (query: object = {}) => (await shop.admin.ok('listFindings', { query })).data.map(({ id }) => id);
  const seen = async () => [...(await shop.listed()), ...(await shop.listed({ ref: 'feature' }))].sort();
  return { ...shop, ids, seen };
}

async function change(admin: Client, body: object): Promise<string> {
  const changes = { changes: { status: 'false_positive' }, reason: 'test data' };
  const answer = await admin.ok('updateFindings', { query: soon, body: { ...changes, ...body } as never });
  expect(answer).toMatchObject({ status: 'succeeded' });
  return answer.taskId ?? '';
}

const undo = (admin: Client, taskId: string) => admin.ok('undoFindingsUpdate', { params: { taskId }, query: soon });

async function exported(admin: Client, body: object): Promise<string> {
  const { taskId } = await admin.ok('exportFindings', { body });
  await finished(admin, taskId);
  const { file } = await admin.ok('getFindingsExport', { params: { taskId } });
  return (await fetch(file?.url ?? '')).text();
}

describe('a change of many findings', () => {
  test('by a filter with ref is of what the branch adds, as the list with ref is, and can be undone', async () => {
    const { admin, table, seen } = await startBranches();
    const filter = { ref: 'refs/heads/feature', ruleId: 'x' };
    const { preview } = await admin.ok('updateFindings', {
      body: { filter, changes: { status: 'false_positive' }, dryRun: true },
    });
    expect(preview).toMatchObject({ matched: 1, changed: 1, sample: [{ location: 'src/x.ts:3' }] });
    const taskId = await change(admin, { filter });
    expect(await seen()).toEqual(['a open', 'b open', 'x false_positive', 'y open']);
    expect((await undo(admin, taskId)).task).toMatchObject({ result: { matched: 1, restored: 1 } });
    expect(await seen()).toEqual(['a open', 'b open', 'x open', 'y open']);
    await expectExact(table, [findings, branchFindings]);
  });

  test('by ids reaches those of all branches at once, and so does its undoing', async () => {
    const { admin, table, ids, seen } = await startBranches();
    const all = [...(await ids()), ...(await ids({ ref: 'feature' }))];
    const { preview } = await admin.ok('updateFindings', {
      body: { ids: all, changes: { status: 'false_positive' }, dryRun: true },
    });
    expect(preview).toMatchObject({ matched: 4, changed: 4, refusedCount: 0 });
    const taskId = await change(admin, { ids: all });
    expect(await seen()).toEqual(['a', 'b', 'x', 'y'].map((rule) => `${rule} false_positive`));
    expect((await undo(admin, taskId)).task).toMatchObject({ result: { matched: 4, restored: 4 } });
    expect(await seen()).toEqual(['a', 'b', 'x', 'y'].map((rule) => `${rule} open`));
    await expectExact(table, [findings, branchFindings]);
  });

  test('that was made on a branch is undone on the default one, once the branch was merged', async () => {
    const { admin, scan, seen, listed } = await startBranches();
    const taskId = await change(admin, { filter: { ref: 'feature' } });
    await scan('main', ['a', 'b', 'x', 'y']);
    expect((await listed()).sort()).toEqual(['a open', 'b open', 'x false_positive', 'y false_positive']);
    expect((await undo(admin, taskId)).task).toMatchObject({ result: { matched: 2, restored: 2 } });
    expect(await seen()).toEqual(['a open', 'b open', 'x open', 'y open']);
  });
});

test.each(['csv', 'sarif'])(
  'an export as %s has what its ref adds, and without one the default branch',
  async (format) => {
    const { admin } = await startBranches();
    const rules = (text: string) => ['a', 'b', 'x', 'y'].filter((rule) => text.includes(`src/${rule}.ts`));
    expect(rules(await exported(admin, { format, filter: { ref: 'feature' } }))).toEqual(['x', 'y']);
    expect(rules(await exported(admin, { format }))).toEqual(['a', 'b']);
  },
);

test('a suppression rule decides on what branches add, and gives it back when it is removed', async () => {
  const { admin, table, seen } = await startBranches();
  const draft = { name: 'fixtures', conditions: { path: 'src/x.ts' }, status: 'false_positive', reason: 'a fixture' };
  const { preview } = await admin.ok('previewChange', {
    body: { operation: 'createFindingRule', body: draft as never },
  });
  expect(preview).toMatchObject({ matched: 4, changed: 1 });
  const rule = await admin.ok('createFindingRule', { body: draft as never });
  await finished(admin, rule.taskId);
  expect(await seen()).toEqual(['a open', 'b open', 'x false_positive', 'y open']);
  await admin.ok('deleteFindingRule', { params: { id: rule.id } });
  const { data } = await admin.ok('listTasks', { query: { operation: 'apply_suppression_rule', limit: 1 } });
  await finished(admin, data[0]?.id ?? '');
  expect(await seen()).toEqual(['a open', 'b open', 'x open', 'y open']);
  await expectExact(table, [findings, branchFindings]);
});
