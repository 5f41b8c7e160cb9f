import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Problem = { rule: string; level?: string };

const sarif = (problems: readonly (Problem | string)[]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'example' } },
        results: problems.map((one) => {
          const { rule, level = 'error' } = typeof one === 'string' ? { rule: one } : one;
          const place = { artifactLocation: { uri: `src/${rule}.ts` }, region: { startLine: 3 } };
          return {
            ruleId: rule,
            level,
            message: { text: `found by ${rule}` },
            locations: [{ physicalLocation: place }],
          };
        }),
      },
    ],
  });

const repository = 'https://git.example.com/acme/shop';

async function scan(
  table: Table,
  ref: string | undefined,
  problems: readonly (Problem | string)[],
  more: Partial<Submission> = {},
) {
  const target = { type: 'repository', value: repository } as const;
  const content = { format: 'sarif', report: { content: sarif(problems) } };
  const task = await world.ingest(table, { source: 'import', target, ref, ...content, ...more });
  expect(task.error).toBeUndefined();
  return task.result as Record<string, unknown> & { comparison: Record<string, unknown> };
}

const all = { paginateFrom: 0, paginateSize: 100 };
const inDefault = async (table: Table) => (await table.list(findings, all)).data;
const onBranches = async (table: Table) => (await table.list(branchFindings, all)).data;
const counts = (high: number) => ({ critical: 0, high, medium: 0, low: 0, info: 0 });

describe('a report on a branch', () => {
  test('says what is new, known and repaired against the default branch, and inflates no dashboard', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a', 'b', 'c']);
    const result = await scan(table, 'feature', ['b', 'c', 'd']);
    expect(result).toMatchObject({ created: 1, unchanged: 2, closed: 0 });
    expect(result.comparison).toEqual({ baseRef: 'main', new: counts(1), existing: counts(2), fixed: counts(1) });
    expect((await inDefault(table)).map(({ ruleId, ref }) => [ruleId, ref])).toEqual([
      ['c', 'main'],
      ['b', 'main'],
      ['a', 'main'],
    ]);
    expect((await onBranches(table)).map(({ ruleId, ref, status }) => [ruleId, ref, status])).toEqual([
      ['d', 'feature', 'open'],
    ]);
  });

  test('is recognised on the next push, and what the push repaired is closed on the branch alone', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a']);
    await scan(table, 'feature', ['a', 'x', 'y']);
    const again = await scan(table, 'feature', ['a', 'x']);
    expect(again).toMatchObject({ created: 0, unchanged: 2, closed: 1 });
    expect(again.comparison).toMatchObject({ new: counts(1), existing: counts(1), fixed: counts(0) });
    expect((await inDefault(table)).map(({ status }) => status)).toEqual(['open']);
  });

  test('takes over what people decided about the finding on the default branch', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a', 'b']);
    const [row] = (await inDefault(table)).filter(({ ruleId }) => ruleId === 'a');
    await table.modify(findings, row?.id ?? '', () => ({ status: 'false_positive' as const }));
    const result = await scan(table, 'feature', ['a', 'b']);
    expect(result).toMatchObject({ created: 0 });
    expect(result.comparison).toMatchObject({ new: counts(0), existing: counts(1), fixed: counts(0) });
  });

  test('has as new what the default branch repaired, for the branch would bring it back', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a', 'b']);
    await scan(table, 'main', ['a']);
    const result = await scan(table, 'feature', ['a', 'b']);
    expect(result.comparison).toMatchObject({ new: counts(1), existing: counts(1) });
  });

  test('is compared with another branch that it names', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a']);
    await scan(table, 'release', ['a', 'r']);
    const result = await scan(table, 'fix', ['a', 'r', 'f'], { baseRef: 'refs/heads/release' });
    expect(result.comparison).toMatchObject({ baseRef: 'release', new: counts(1), existing: counts(2) });
  });

  test('has no finding twice when the same problem is on two branches, nor when it is merged', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a']);
    await scan(table, 'one', ['a', 'x']);
    await scan(table, 'two', ['a', 'x']);
    await scan(table, 'main', ['a', 'x']);
    await scan(table, 'one', ['a', 'x']);
    await scan(table, 'two', ['a', 'x']);
    expect((await inDefault(table)).map(({ ruleId }) => ruleId).sort()).toEqual(['a', 'x']);
    expect((await onBranches(table)).filter(({ status }) => status === 'open')).toEqual([]);
  });
});

describe('a merge', () => {
  test('brings the finding of the branch along, with its id, assignee, severity and decision', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', ['a']);
    await scan(table, 'feature', ['a', 'x', 'y']);
    const [y, x] = await onBranches(table);
    const triaged = { severity: 'low', severityOverridden: true, assignee: { id: 'kim', name: 'Kim' } } as const;
    await table.modify(branchFindings, x?.id ?? '', () => triaged);
    await table.modify(branchFindings, y?.id ?? '', () => ({
      status: 'false_positive' as const,
      statusReason: 'a test file',
    }));
    const merged = await scan(table, 'main', ['a', 'x', 'y']);
    expect(merged).toMatchObject({ created: 2, unchanged: 1 });
    expect(merged.comparison).toMatchObject({ baseRef: 'main', new: { high: 0, low: 1 }, existing: counts(1) });
    const rows = await inDefault(table);
    expect(rows.find(({ id }) => id === x?.id)).toMatchObject({ ...triaged, ref: 'main', status: 'open' });
    expect(rows.find(({ id }) => id === y?.id)).toMatchObject({
      status: 'false_positive',
      statusReason: 'a test file',
    });
    expect(await onBranches(table)).toEqual([]);
    expect(await scan(table, 'main', ['a', 'x', 'y'])).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });
});

test('a merge of a problem that is on two branches brings along what was decided on the one that came last', async () => {
  const table = world.newOrganization();
  await scan(table, 'main', ['a']);
  await scan(table, 'one', ['a', 'x']);
  await scan(table, 'two', ['a', 'x']);
  const rows = await onBranches(table);
  const last = rows.find(({ ref }) => ref === 'two');
  await table.modify(branchFindings, last?.id ?? '', () => ({ assignee: { id: 'kim', name: 'Kim' } }));
  await scan(table, 'main', ['a', 'x']);
  const merged = (await inDefault(table)).find(({ ruleId }) => ruleId === 'x');
  expect(merged).toMatchObject({ id: last?.id, assignee: { name: 'Kim' } });
});

describe('the default branch', () => {
  test('has the findings of reports without a branch, also once an import names it', async () => {
    const table = world.newOrganization();
    await scan(table, undefined, ['a', 'b']);
    expect(await scan(table, 'feature', ['a', 'b', 'c'])).toMatchObject({ created: 1, unchanged: 2 });
    expect(await scan(table, 'main', ['a', 'b'])).toMatchObject({ created: 0, unchanged: 2 });
    expect(await scan(table, 'main', ['a'])).toMatchObject({ unchanged: 1, closed: 1 });
    expect(await scan(table, undefined, ['a'])).toMatchObject({ created: 0, unchanged: 1 });
    expect((await inDefault(table)).map(({ ruleId, ref, status }) => [ruleId, ref, status])).toEqual([
      ['b', 'main', 'fixed'],
      ['a', 'main', 'open'],
    ]);
  });

  test('is main once main is scanned, although another likely one came first', async () => {
    const table = world.newOrganization();
    await scan(table, 'develop', ['a', 'b']);
    expect((await inDefault(table)).map(({ ref }) => ref)).toEqual(['develop', 'develop']);
    expect(await scan(table, 'main', ['a'])).toMatchObject({ created: 0, unchanged: 1, closed: 1 });
    expect((await inDefault(table)).map(({ ruleId, ref, status }) => [ruleId, ref, status])).toEqual([
      ['b', 'develop', 'fixed'],
      ['a', 'main', 'open'],
    ]);
    const result = await scan(table, 'develop', ['a', 'b']);
    expect(result.comparison).toMatchObject({ baseRef: 'main', new: counts(1), existing: counts(1) });
    expect((await onBranches(table)).map(({ ruleId, ref }) => [ruleId, ref])).toEqual([['b', 'develop']]);
  });

  test('is not a feature branch that names no base, and its findings move over once a branch is named as its own base', async () => {
    const table = world.newOrganization();
    const first = await scan(table, 'feature', ['a', 'b']);
    expect(first.comparison).toMatchObject({ baseRef: null, new: counts(2), existing: counts(0) });
    expect(await inDefault(table)).toEqual([]);
    expect((await scan(table, 'release', ['a'])).comparison).toMatchObject({ baseRef: null, new: counts(1) });
    expect(await scan(table, 'release', ['a'], { baseRef: 'release' })).toMatchObject({
      comparison: { baseRef: 'release', new: counts(1) },
    });
    expect((await inDefault(table)).map(({ ruleId, ref }) => [ruleId, ref])).toEqual([['a', 'release']]);
    expect((await scan(table, 'feature', ['a', 'b'])).comparison).toMatchObject({
      baseRef: 'release',
      new: counts(1),
      existing: counts(1),
    });
    const known = (await table.list(branches, all)).data;
    expect(known.map(({ name, isDefault, isGuessed }) => [name, isDefault, isGuessed])).toEqual([
      ['release', true, true],
      ['feature', false, false],
    ]);
  });

  test('is not a pull request, even if that is scanned first', async () => {
    const table = world.newOrganization();
    await scan(table, 'refs/pull/7/merge', ['a']);
    await scan(table, 'topic', ['a'], { baseRef: 'develop' });
    expect(await inDefault(table)).toEqual([]);
    await scan(table, 'develop', ['a']);
    expect((await inDefault(table)).map(({ ref }) => ref)).toEqual(['develop']);
    const known = (await table.list(branches, all)).data;
    expect(known.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['develop', true],
      ['topic', false],
      ['pull/7', false],
    ]);
  });
});
