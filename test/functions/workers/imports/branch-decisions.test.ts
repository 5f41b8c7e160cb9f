import { afterAll, describe, expect, test } from 'vitest';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { queueEnd } from '#shared/findings/bulk/branch-end.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { expectSound } from './expectations.ts';
import { codeScan, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const all = { paginateFrom: 0, paginateSize: 100 };
const counts = (high: number) => ({ critical: 0, high, medium: 0, low: 0, info: 0 });

async function scan(table: Table, ref: string, names: string, more: Partial<Submission> = {}) {
  const found = [...names].map((name) => ({ rule: name, file: `src/${name}.ts` }));
  const task = await world.ingest(table, codeScan(sarif(found), { ref, ...more }));
  expect(task.error).toBeUndefined();
  return { at: task.createdAt, result: task.result as Record<string, unknown> & { comparison: object } };
}

async function named(table: Table, entity: typeof findings, name: string) {
  const found = (await table.list(entity, all)).data.find(({ ruleId }) => ruleId === name);
  if (!found) throw new Error(`there is no finding ${name}`);
  return found;
}

async function dismiss(table: Table, name: string): Promise<void> {
  const { id } = await named(table, findings, name);
  await table.modify(findings, id, (it) =>
    moveStatus(it, { to: 'false_positive', at: it.createdAt, reason: 'a test file' }),
  );
}

describe('the comparison of a branch', () => {
  test('counts as repaired what is open on the default branch, and not what people decided there', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'abc');
    await dismiss(table, 'c');
    expect((await scan(table, 'feature', 'a')).result.comparison).toMatchObject({
      existing: counts(1),
      fixed: counts(1),
    });
  });

  test('says nothing of repairs where the report is partial', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'abc');
    const { result } = await scan(table, 'feature', 'a', { closeMissing: false });
    expect(result.comparison).toMatchObject({ existing: counts(1), fixed: null });
  });

  test('has as new what the branch that it names has repaired', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    await scan(table, 'release', 'ar');
    await scan(table, 'release', 'a');
    const { result } = await scan(table, 'fix', 'ar', { baseRef: 'release' });
    expect(result).toMatchObject({ created: 1, comparison: { new: counts(1), existing: counts(1) } });
  });

  test('is with the default branch where a report names its own branch as the base', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    const { result } = await scan(table, 'feature', 'ax', { baseRef: 'feature' });
    expect(result.comparison).toMatchObject({ baseRef: 'main', new: counts(1), existing: counts(1) });
  });
});

test('a report of which nobody knows the branch is compared with none that has a name', async () => {
  const table = world.newOrganization();
  const { result } = await scan(table, '', 'a', { ref: undefined });
  expect(result.comparison).toMatchObject({ baseRef: null, new: counts(1), fixed: counts(0) });
});

describe('the end of a branch', () => {
  const endOf = async (table: Table, name: string) => {
    const branch = (await table.list(branches, all)).data.find((one) => one.name === name);
    const { taskId } = await queueEnd(
      { connections: world.connections, table },
      { branchId: branch?.id ?? '', isRemoved: false },
    );
    await world.drain();
    return (await world.task(table, taskId)).result;
  };

  test('closes what is open on it, and leaves what people decided', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    await scan(table, 'feature', 'axy');
    const { id } = await named(table, branchFindings, 'y');
    const decided = { to: 'false_positive', reason: 'a test file' } as const;
    await table.modify(branchFindings, id, (it) => moveStatus(it, { ...decided, at: it.createdAt }));
    expect(await endOf(table, 'feature')).toMatchObject({ changed: 1 });
    const status = async (name: string) => (await named(table, branchFindings, name)).status;
    expect([await status('x'), await status('y')]).toEqual(['fixed', 'false_positive']);
  });

  test('does nothing to one that became the default branch meanwhile', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    expect(await endOf(table, 'main')).toMatchObject({ matched: 0, changed: 0 });
    expect((await named(table, findings, 'a')).status).toBe('open');
    expect((await table.list(branches, all)).data.map(({ endedAt }) => endedAt)).toEqual([null]);
  });
});

describe('a finding of a branch that comes to the default one', () => {
  test('is open there, although the branch had repaired it', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    await scan(table, 'feature', 'ax');
    await scan(table, 'feature', 'a');
    expect((await named(table, branchFindings, 'x')).status).toBe('fixed');
    const { result } = await scan(table, 'main', 'ax');
    expect(result).toMatchObject({ created: 1, comparison: { new: counts(1) } });
    const merged = await named(table, findings, 'x');
    expect(merged).toMatchObject({ status: 'open', reopenedCount: 0 });
    expect([merged.fixedAt, merged.fixedByTaskId]).toEqual([undefined, undefined]);
    await expectSound(table);
  });

  test('keeps the date that a person chose, and is acknowledged only if somebody did so', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    const { at: before } = await scan(table, 'feature', 'axy');
    const { id } = await named(table, branchFindings, 'y');
    const chosen = { dueAt: '2031-01-05T08:00:00.000Z', dueChosen: true, tags: ['mine'] };
    await table.modify(branchFindings, id, () => ({ ...chosen, acknowledgedAt: before }));
    const { at } = await scan(table, 'main', 'axy');
    expect(await table.get(findings, id, true)).toMatchObject({ ...chosen, acknowledgedAt: at, firstSeenAt: at });
    const other = await named(table, findings, 'x');
    expect(other.acknowledgedAt).toBeUndefined();
    expect(other.dueAt).toBe(new Date(Date.parse(at) + 30 * 86_400_000).toISOString());
  });
});

describe('the default branch', () => {
  const defaultOf = async (table: Table) =>
    (await table.list(branches, all)).data.filter(({ isDefault }) => isDefault).map(({ name }) => name);

  test('keeps what people decided under its earlier name', async () => {
    const table = world.newOrganization();
    await scan(table, 'develop', 'abc');
    await dismiss(table, 'b');
    expect((await scan(table, 'main', 'a')).result).toMatchObject({ created: 0, unchanged: 1, closed: 1 });
    const status = async (name: string) => (await named(table, findings, name)).status;
    expect([await status('a'), await status('b'), await status('c')]).toEqual(['open', 'false_positive', 'fixed']);
    await expectSound(table);
  });

  test('stays main when another branch with a usual name is scanned', async () => {
    const table = world.newOrganization();
    await scan(table, 'main', 'a');
    await scan(table, 'master', 'a');
    expect(await defaultOf(table)).toEqual(['main']);
  });

  test('stays the one that was scanned first when main is to be merged into it', async () => {
    const table = world.newOrganization();
    await scan(table, 'develop', 'a');
    await scan(table, 'main', 'a', { baseRef: 'develop' });
    expect(await defaultOf(table)).toEqual(['develop']);
  });
});
