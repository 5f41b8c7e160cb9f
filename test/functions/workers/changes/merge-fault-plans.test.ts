import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { type Plan, planOf, seeds, startFaultyWorld, upTo, workAll } from '../../../support/fault-plan.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, type Problem, problems, repository, sarif } from '../imports/reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const page = { paginateFrom: 0, paginateSize: 400 };
const submission = (name: string, found: readonly Problem[]) => codeScan(sarif(found), { target: repository(name) });

/** The problems of the two repositories: 40 are in both. */
const seen = { one: problems(70), two: problems(70, 30) };

/** Both repositories, scanned, with some findings decided on. */
async function start(plan: Plan): Promise<{ table: Table; assetId: string; intoId: string }> {
  const table = world.newOrganization();
  for (const name of ['one', 'two'] as const) await world.ingest(table, submission(name, seen[name]));
  for (const { id } of (await table.list(findings, page)).data)
    if (plan.random() < 0.2)
      await table.modify(findings, id, () => ({ status: 'false_positive' as const, decidedAt: now() }));
  const { data } = await table.list(assets, page);
  const idOf = (name: string) => data.find(({ value }) => value.endsWith(name))?.id ?? '';
  return { table, assetId: idOf('two'), intoId: idOf('one') };
}

/** Scans of either repository, as often as the plan says, that wait in the queue beside the merge. */
async function scanSome(plan: Plan, table: Table): Promise<void> {
  for (const name of ['one', 'two', 'one'] as const)
    if (plan.random() < 0.6) await world.accept(table, submission(name, seen[name]));
  world.messages.sort(() => plan.random() - 0.5);
}

const placesOf = async (table: Table) => {
  const found = await allFindings({ connections: world.connections, table });
  return found.map(({ id, asset, location, status, fingerprint }) => ({
    id,
    asset: asset.id,
    location,
    status,
    fingerprint,
  }));
};

test.each(seeds)(
  'plan %i of faults, kills and scans merges two assets once, and undoing it leaves what was',
  async (seed) => {
    const plan = planOf(seed);
    const { table, assetId, intoId } = await start(plan);
    const before = await placesOf(table);
    const { taskId } = await queueMerge({ connections: world.connections, table }, { assetId, intoId });
    await scanSome(plan, table);
    await workAll(world, plan);
    expect(await world.task(table, taskId)).toMatchObject({
      status: 'succeeded',
      result: { findings: 70, moved: 30, merged: 40 },
    });
    const merged = await placesOf(table);
    expect(merged.map(({ asset }) => asset)).toEqual(merged.map(() => intoId));
    expect(new Set(merged.map(({ location }) => location)).size).toBe(100);
    expect(merged).toHaveLength(100);
    expect((await table.list(mergedFindings, page)).totalCount).toBe(40);
    await expectSound(table);
    const undoing = await queueMergeUndo({ connections: world.connections, table }, taskId);
    await scanSome(plan, table);
    await workAll(world, plan);
    expect(await world.task(table, undoing.taskId)).toMatchObject({
      status: 'succeeded',
      result: { findings: 70, returned: 30, parted: 40 },
    });
    expect(await placesOf(table)).toEqual(before);
    await expectSound(table);
    for (const entity of [mergedAssets, mergedFindings])
      expect(await verify(table, entity as typeof mergedFindings)).toEqual({
        records: 0,
        differences: [],
        unsettled: 0,
      });
    const some = before[upTo(plan, before.length)];
    const history = await table.rows(findingHistory).query(some?.id ?? '', { consistent: true });
    expect(new Set(history.map(({ version }) => version)).size).toBe(history.length);
  },
);
