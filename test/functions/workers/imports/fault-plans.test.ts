import { afterAll, afterEach, expect, test } from 'vitest';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { CALM, type Plan, planOf, redriveAll, seeds, startFaultyWorld, upTo } from '../../../support/fault-plan.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const start = Date.parse('2026-01-15T08:00:00.250Z');
const MINUTE = 60_000;
/** By then the sweeper has sent the messages that their processes did not. */
const UNSENT_MINUTES = 3;

/** Reports of two repositories, some of them files of one scan. */
const reportsOf = (plan: Plan) =>
  Array.from({ length: 3 + upTo(plan, 4) }, () => ({
    name: plan.random() < 0.7 ? 'api' : 'web',
    has: problems(9).filter(() => plan.random() < 0.6),
    closeMissing: plan.random() < 0.8,
    isMerged: plan.random() < 0.25,
  }));
type Reports = ReturnType<typeof reportsOf>;

/** The reports of a plan. A merged one is a further file of the scan of the report before it. */
function submissions(reports: Reports) {
  const ids = reports.map(() => newId());
  const scans = reports.map(({ name, isMerged }, n) => (isMerged && reports[n - 1]?.name === name ? undefined : n));
  const scanOf = (n: number) => scans.findLast((first, at) => at <= n && first !== undefined);
  return reports.map(({ name, has, closeMissing }, n) => {
    const siblings = ids.filter((_, other) => other !== n && scanOf(other) === scanOf(n));
    return codeScan(sarif(has), { target: repository(name), closeMissing, taskId: ids[n] ?? '', siblings });
  });
}

/** Sends every report again until it is accepted, as its sender does. */
async function acceptAll(table: Table, plan: Plan, reports: Reports): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, submission] of submissions(reports).entries()) {
    setClock(() => start + n * MINUTE);
    for (let id: string | undefined; id === undefined; ) {
      id = await world.call(plan, () => world.accept(table, submission));
      if (id) ids.push(id);
    }
  }
  setClock(() => start + reports.length * MINUTE);
  return ids;
}

async function knowable(table: Table) {
  return (await allFindings({ connections: world.connections, table })).map((finding) => {
    const { location, asset, status, occurrences, firstSeenAt, lastSeenAt } = finding;
    return { location, asset: asset.name, status, occurrences, firstSeenAt, lastSeenAt };
  });
}

async function expectDone(table: Table, ids: readonly string[]): Promise<void> {
  const tasks = await Promise.all(ids.map((id) => world.task(table, id)));
  expect(tasks.map(({ status }) => status)).toEqual(tasks.map(() => 'succeeded'));
  for (const scope of new Set(tasks.map(({ input }) => String(input.scope)))) {
    const { holder, waiting } = await readScope(table, scope);
    expect({ holder, waiting }).toEqual({ holder: undefined, waiting: [] });
  }
  const created = tasks.reduce((sum, { result }) => sum + Number(result?.created), 0);
  expect((await knowable(table)).length).toBe(created);
  await expectSound(table);
}

test.each(seeds)(
  'plan %i of faults, kills and redrives loses nothing, does nothing twice and blocks no scope',
  async (seed) => {
    const plan = planOf(seed);
    const reports = reportsOf(plan);
    const table = world.newOrganization();
    world.begin(plan);
    const ids = await acceptAll(table, plan, reports);
    await world.deliverAll(plan, 0.6);
    const deadIds: string[] = world.dead.map(({ body }) => JSON.parse(body).taskId);
    const marked = await Promise.all(deadIds.map((id) => world.task(table, id)));
    setClock(() => start + (reports.length + UNSENT_MINUTES) * MINUTE);
    await redriveAll(world, plan);
    expect(marked.filter(({ status }) => status === 'running')).toEqual([]);
    await expectDone(table, ids);
    const expected = world.newOrganization();
    await acceptAll(expected, CALM, reports);
    await world.drain();
    expect(await knowable(table)).toEqual(await knowable(expected));
  },
);
