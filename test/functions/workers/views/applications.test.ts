import { afterAll, afterEach, expect, test } from 'vitest';
import { applicationAssetHandlers } from '#functions/exposure/application-assets/handlers.ts';
import { applicationRiskHandlers } from '#functions/exposure/application-risk/handlers.ts';
import { applicationRuleHandlers } from '#functions/exposure/application-rules/handlers.ts';
import { applicationHandlers } from '#functions/exposure/applications/handlers.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { MAX_DEATHS } from '#shared/platform/jobs/attempts.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { DAY_MS, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { timersOf } from '../../../support/timers.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from '../imports/crash.ts';
import { codeScan, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const victim = await makeVictim(world.connections);
afterEach(() => setClock());
afterAll(() => world.stop());

const page = { paginateFrom: 0, paginateSize: 500 };

/** Calls a handler as an analyst of the organization. */
async function ask(
  table: Table,
  handler: unknown,
  params: object,
  body: object = {},
): Promise<Record<string, unknown>> {
  const caller = { id: 'ann', name: 'Ann', kind: 'service_account', role: 'analyst' };
  const call = { table, connections: world.connections, caller, params, query: page, body };
  return (handler as (call: object) => Promise<Record<string, unknown>>)(call);
}

async function newApplication(table: Table): Promise<string> {
  const body = { name: 'Shop', description: null, criticality: 'high', ownerId: null, memberIds: [], tags: [] };
  const made = await ask(table, applicationHandlers.createApplication, {}, { ...body, internetExposed: true });
  return String(made.id);
}

/** A repository with findings, by its scan. */
async function scanned(table: Table, name: string, count: number): Promise<string> {
  await world.ingest(table, codeScan(sarif(problems(count)), { target: repository(name) }));
  const { data } = await table.list(assets, page);
  return data.find((asset) => asset.value.endsWith(name))?.id ?? '';
}

const linked = async (table: Table, application: string) =>
  (await table.list(findings, { ...page, paginateSize: 1, where: { application } })).totalCount;

/** Lets a time come; the sweeper looks, and all that it queues is worked. */
async function at(time: number): Promise<void> {
  setClock(() => time);
  await sweep(world.connections);
  await world.drain();
}

test('an exclusion that ends lets its rules link the assets again, with their findings', async () => {
  const table = world.newOrganization();
  await scanned(table, 'shop', 3);
  const id = await newApplication(table);
  const condition = { field: 'repository', operator: 'matches', value: '*shop' };
  const rule = { name: 'shops', enabled: true, environmentId: null, condition };
  await ask(table, applicationRuleHandlers.createAssetRule, { id }, rule);
  await world.drain();
  expect(await linked(table, id)).toBe(3);
  const end = nowMs() + DAY_MS;
  const exclusion = { assetId: null, condition, reason: 'moving', expiresAt: new Date(end).toISOString() };
  await ask(table, applicationAssetHandlers.createAssetExclusion, { id }, exclusion);
  await world.drain();
  expect(await linked(table, id)).toBe(0);
  await at(end - 60_000);
  expect(await linked(table, id)).toBe(0);
  await at(end + 60_000);
  expect(await linked(table, id)).toBe(3);
  expect((await table.list(applicationExclusions, page)).totalCount).toBe(0);
  await expectExact(table, [assets, findings, applications, applicationExclusions]);
});

const looksAt = async (table: Table) =>
  (await timersOf(table)).flatMap(({ kind, at }) => (kind === 'application' ? [new Date(at).toISOString()] : []));

test('the score of each day is kept without anybody asking, until the last application is gone', async () => {
  const table = world.newOrganization();
  const assetId = await scanned(table, 'till', 4);
  const id = await newApplication(table);
  const first = nowMs();
  const dayAfter = (days: number) => new Date(first + days * DAY_MS).toISOString().slice(0, 10);
  await ask(table, applicationAssetHandlers.createAssetMapping, { id }, { assetId, environmentId: null, note: null });
  await world.drain();
  for (let days = 1; days <= 4; days++) {
    const [moment = ''] = await looksAt(table); // it lies anywhere in the day
    await at(Date.parse(moment) + 60_000);
  }
  const { trend } = await ask(table, applicationRiskHandlers.getRiskSummary, { id });
  const kept = (trend as { date: string; score: number }[]).filter(({ date }) => date !== dayAfter(4));
  expect(kept.length).toBeGreaterThanOrEqual(3);
  expect(new Set(kept.map(({ date }) => date)).size).toBe(kept.length);
  expect(kept.every(({ score }) => score > 0)).toBe(true);
  expect(await looksAt(table)).toHaveLength(1);
  await ask(table, applicationHandlers.deleteApplication, { id });
  await world.drain();
  await at(nowMs() + 2 * DAY_MS);
  expect(await looksAt(table)).toEqual([]);
});

/** `LINKED_FINDINGS=10000` asks for more. */
const MANY = Number(process.env.LINKED_FINDINGS ?? 1_500);

test('linking an asset with many findings loses none of them when its worker is killed again and again, and shows how far it is', async () => {
  const table = world.newOrganization();
  const assetId = await scanned(table, 'large', MANY);
  const id = await newApplication(table);
  await ask(table, applicationAssetHandlers.createAssetMapping, { id }, { assetId, environmentId: null, note: null });
  const [message] = world.messages;
  const { taskId } = JSON.parse(message?.body ?? '{}');
  let time = nowMs();
  // each look at the clock takes a second, so that a slice ends soon
  setClock(() => {
    time += 1_000;
    return time;
  });
  const progress: number[] = [];
  let [kills, deliveries] = [0, 0];
  while (world.messages.length > 0) {
    const next = world.messages.shift();
    if (!next) break;
    // a message survives all deaths of its worker but the last
    if (next.received < MAX_DEATHS - 1) victim.killAt(1 + (deliveries % 4), deliveries % 2 ? 'before' : 'after');
    await world.deliver(next);
    if (victim.isDead()) kills += 1;
    if (victim.isDead() && !world.messages.includes(next)) world.messages.unshift(next);
    victim.restart();
    deliveries += 1;
    const task = await table.rows(taskRows).find({ id: taskId }, true);
    expect(task?.progress.unit).toBe('findings');
    progress.push(task?.progress.done ?? 0);
  }
  expect(await world.task(table, taskId)).toMatchObject({ status: 'succeeded', progress: { done: MANY, total: MANY } });
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(new Set(progress).size).toBeGreaterThan(3);
  expect(kills).toBeGreaterThan(2);
  expect(await linked(table, id)).toBe(MANY);
  await expectExact(table, [findings, assets]);
}, 600_000);
