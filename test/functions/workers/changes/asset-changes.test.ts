import { afterAll, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { DEFAULT_POLICIES, slaRows } from '#shared/findings/sla/sla-policies.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { dayOf } from '../imports/days.ts';
import { expectSound } from '../imports/expectations.ts';
import { codeScan, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const page = { paginateFrom: 0, paginateSize: 50 };
const scan = (count: number, more = {}) => codeScan(sarif(problems(count)), more);

/** Two findings of a default branch, one more of another branch, and one of another repository. */
async function startShop(): Promise<{ table: Table; id: string }> {
  const table = world.newOrganization();
  await world.ingest(table, scan(2));
  await world.ingest(table, scan(3, { ref: 'feature' }));
  await world.ingest(table, scan(1, { target: repository('web') }));
  const { data } = await table.list(assets, page);
  return { table, id: data.find(({ value }) => value.endsWith('/api'))?.id ?? '' };
}

async function work(table: Table, operation: Operation, input: object) {
  const { taskId } = await queueMany({ connections: world.connections, table }, { operation, input: { ...input } });
  await world.drain();
  return (await world.task(table, taskId)).result;
}

const change = (table: Table, id: string, changes: Partial<Asset>) => table.modify(assets, id, () => changes);

/** A field of the findings of the repository, with those of its branches. */
async function ofRepository<N extends 'status' | 'stakes' | 'dueAt' | 'firstSeenAt'>(
  table: Table,
  id: string,
  name: N,
) {
  const both = await Promise.all([findings, branchFindings].map((entity) => table.list(entity, page)));
  return both.flatMap(({ data }) => data.filter(({ asset }) => asset.id === id).map((finding) => finding[name]));
}

async function makeRule(table: Table, fields: Partial<SuppressionRule>): Promise<string> {
  const [id = ''] = await table.reserve(suppressionRules, 1);
  const rule = table.stamp<SuppressionRule>({
    id,
    name: 'Generated',
    enabled: true,
    conditions: { tool: 'acme-scan' },
    status: 'out_of_scope' as const,
    reason: 'generated code',
    expiresAt: null,
    order: 100,
    approver: { id: 'ann', name: 'Ann' },
    taskId: id,
    ...fields,
  });
  const batch = table.batch();
  batch.create(suppressionRules, rule);
  await batch.commit();
  return id;
}

const reasonsOf = async (table: Table) => {
  const { data } = await table.list(findings, page);
  const histories = await Promise.all(data.map(({ id }) => table.rows(findingHistory).query(id)));
  return [...new Set(histories.flatMap((all) => all.map(({ reason }) => reason)))];
};

test('an asset that is worth more raises its findings on every branch once, and no others', async () => {
  const { table, id } = await startShop();
  await change(table, id, { criticality: 'critical' });
  expect(await work(table, 'apply_asset_change', { assetIds: [id] })).toMatchObject({ matched: 3, changed: 3 });
  expect(await ofRepository(table, id, 'stakes')).toEqual(Array(3).fill({ criticality: 'critical' }));
  expect(await reasonsOf(table)).toEqual(['The asset was changed.']);
  await expectSound(table);
});

test('an asset that gets a tag of a suppression rule has its findings suppressed, for the reason of the rule', async () => {
  const { table, id } = await startShop();
  await makeRule(table, { conditions: { assetTag: 'generated' } });
  await change(table, id, { tags: ['generated'] });
  expect(await work(table, 'apply_asset_change', { assetIds: [id] })).toMatchObject({ changed: 3 });
  expect(await ofRepository(table, id, 'status')).toEqual(Array(3).fill('out_of_scope'));
  expect(await reasonsOf(table)).toEqual(['generated code']);
  await change(table, id, { tags: [] });
  expect(await work(table, 'apply_asset_change', { assetIds: [id] })).toMatchObject({ changed: 3 });
  expect(await ofRepository(table, id, 'status')).toEqual(Array(3).fill('open'));
});

test('findings are due as the policies of their asset say, once the policies or the asset change', async () => {
  const { table, id } = await startShop();
  const exceptions = [{ name: 'shops', tags: ['shop'], criticalities: [], days: { high: 3 } }];
  await table.rows(slaRows).put({ ...DEFAULT_POLICIES, exceptions });
  await change(table, id, { tags: ['shop'] });
  const due = async (days: number) => {
    const seen = await ofRepository(table, id, 'firstSeenAt');
    return seen.map((at) => new Date(Date.parse(at) + days * 86_400_000).toISOString());
  };
  expect(await work(table, 'apply_asset_change', { assetIds: [id] })).toMatchObject({ changed: 3 });
  expect(await ofRepository(table, id, 'dueAt')).toEqual(await due(3));
  const fixed = await table.create(
    findings,
    findingDraft(dayOf(0), { status: 'fixed', fixedAt: dayOf(1), dueChosen: false }),
  );
  await table.rows(slaRows).put({ ...DEFAULT_POLICIES, days: { ...DEFAULT_POLICIES.days, high: 5 } });
  // of default branches; others follow with the next scan
  expect(await work(table, 'redate_findings', {})).toMatchObject({ matched: 3, changed: 3 });
  expect((await ofRepository(table, id, 'dueAt')).slice(0, 2)).toEqual((await due(5)).slice(0, 2));
  expect(await table.get(findings, fixed.id, true)).toMatchObject({ dueAt: fixed.dueAt });
});

test('a rule that comes before another takes its findings, and gives them back when it ends', async () => {
  const { table, id } = await startShop();
  const statuses = async () => [...new Set(await ofRepository(table, id, 'status'))];
  const first = await makeRule(table, {});
  expect(await work(table, 'apply_suppression_rule', { ruleId: first })).toMatchObject({ matched: 4, changed: 4 });
  expect(await statuses()).toEqual(['out_of_scope']);
  const second = await makeRule(table, { order: 50, status: 'false_positive' });
  expect(await work(table, 'apply_suppression_rule', { ruleId: second })).toMatchObject({ changed: 4 });
  expect(await statuses()).toEqual(['false_positive']);
  await table.modify(suppressionRules, second, () => ({ enabled: false }));
  expect(await work(table, 'apply_suppression_rule', { ruleId: second })).toMatchObject({ matched: 4, changed: 4 });
  expect(await statuses()).toEqual(['out_of_scope']);
  await table.delete(suppressionRules, await table.get(suppressionRules, first, true));
  expect(await work(table, 'apply_suppression_rule', { ruleId: first })).toMatchObject({ matched: 4, changed: 4 });
  expect(await statuses()).toEqual(['open']);
  await expectSound(table);
});

test('an asset that is deleted takes its findings along, retired ones too, and its branches with theirs', async () => {
  const { table, id } = await startShop();
  const [kept] = (await table.list(findings, { ...page, where: { asset: id } })).data;
  const whole = await table.get(findings, kept?.id ?? '', true);
  const batch = table.batch();
  batch.delete(findings, whole);
  batch.create(retiredFindings, table.changed(whole, {}));
  await batch.commit();
  expect(await work(table, 'delete_asset', { assetId: id })).toEqual({ deleted: 2 });
  expect(await ofRepository(table, id, 'status')).toEqual([]);
  expect((await table.list(retiredFindings, page)).totalCount).toBe(0);
  expect((await table.list(findings, page)).totalCount).toBe(1);
  expect((await table.list(branches, page)).data).toMatchObject([{ name: 'main' }]);
  await expectSound(table);
});
