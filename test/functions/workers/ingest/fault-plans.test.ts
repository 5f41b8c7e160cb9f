import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readScope } from '#shared/findings/scan-scope.ts';
import { deliveries, jobs } from '#shared/jobs/jobs.ts';
import { taskRows } from '#shared/jobs/task.ts';
import { setClock } from '#shared/runtime/clock.ts';
import { newId } from '#shared/runtime/ids.ts';
import type { Table } from '#shared/table/table.ts';
import { dice, type Faults, injectFaults } from '#test/support/faults.ts';
import { makeVictim } from './crash.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

/** `npm run test:faults -- 200` asks for more plans, or for one by its seed. */
const { FAULT_PLANS = '4', FAULT_SEED = '' } = process.env;
const seeds = FAULT_SEED ? [Number(FAULT_SEED)] : Array.from({ length: Number(FAULT_PLANS) }, (_, n) => n + 1);

const world = await startWorld();
const victim = await makeVictim(world.connections);
const faults: Faults = { random: () => 1 };
injectFaults(world.connections.dynamo, faults);
afterAll(() => world.stop());
afterEach(() => setClock());

const calm = { conflict: 0, single: 0, throttle: 0, lost: 0, unprocessed: 0, random: () => 1 };
const start = Date.parse('2026-01-15T08:00:00.250Z');
const MINUTE = 60_000;

type Random = () => number;
type Plan = ReturnType<typeof planOf>;
const upTo = (random: Random, n: number) => Math.floor(random() * n);

/** Reports of two branches, some of them files of one scan. */
function planOf(seed: number) {
  const random = dice(seed);
  const reports = Array.from({ length: 3 + upTo(random, 4) }, () => ({
    ref: random() < 0.7 ? 'main' : 'feature',
    has: problems(9).filter(() => random() < 0.6),
    closeMissing: random() < 0.8,
    isMerged: random() < 0.25,
  }));
  const rates = { conflict: random() * 0.3, single: random() * 0.3, throttle: random() * 0.1 };
  return { random, reports, rates: { ...rates, lost: random() * 0.2, unprocessed: random() * 0.3 } };
}

/** The reports of a plan. A merged one is a second file of the scan of the report before it. */
function submissions({ reports }: Pick<Plan, 'reports'>) {
  const ids = reports.map(() => newId());
  return reports.map(({ ref, has, closeMissing, isMerged }, n) => {
    const isPair = (at: number) => reports[at]?.isMerged && at > 0 && reports[at - 1]?.ref === reports[at]?.ref;
    const sibling = isPair(n) && isMerged ? ids[n - 1] : isPair(n + 1) ? ids[n + 1] : undefined;
    const siblings = sibling ? [sibling] : [];
    return codeScan(sarif(has), { ref, closeMissing, taskId: ids[n] ?? '', siblings });
  });
}

/** Sends every report again until it is accepted, as its sender does. */
async function acceptAll(table: Table, { reports, random }: Plan): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, submission] of submissions({ reports }).entries()) {
    setClock(() => start + n * MINUTE);
    for (let id: string | undefined; id === undefined; ) {
      if (random() < 0.2) victim.killAt(1 + upTo(random, 4), random() < 0.5 ? 'before' : 'after');
      id = await world.accept(table, submission).catch(() => undefined);
      victim.restart();
      if (id) ids.push(id);
    }
  }
  setClock(() => start + reports.length * MINUTE);
  return ids;
}

/** Delivers as the queue does: the oldest message first, and after too many deliveries to the dead letters. */
async function workAll({ random }: Plan, kills: number): Promise<typeof world.messages> {
  const dead: typeof world.messages = [];
  while (world.messages[0]) {
    const [message] = world.messages;
    if (message.received >= deliveries(jobs.ingest)) {
      dead.push(...world.messages.splice(0, 1));
      continue;
    }
    if (random() < kills) victim.killAt(1 + upTo(random, 12), random() < 0.5 ? 'before' : 'after');
    if (random() < 0.1) await sleep(upTo(random, 20));
    world.messages.shift();
    await world.deliver(message);
    const died = victim.isDead();
    victim.restart();
    if (died && !world.messages.includes(message)) world.messages.unshift(message);
  }
  return dead;
}

/**
 * Without how often a repaired finding was seen: a report that became a dead letter half-way has changed the finding, and
 * its sighting is counted at its end, when a newer report may have closed the finding.
 */
async function knowable(table: Table) {
  return (await allFindings(world.connections, table)).map((finding) => {
    const { location, ref, status, firstSeenAt, lastSeenAt, occurrences } = finding;
    const counted = status === 'fixed' ? undefined : occurrences;
    return { location, ref, status, firstSeenAt, lastSeenAt, counted };
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
    const table = world.newOrganization();
    Object.assign(faults, plan.rates, { random: plan.random });
    const ids = await acceptAll(table, plan);
    const dead = await workAll(plan, 0.6);
    const marked = await Promise.all(
      dead.map(({ body }) => table.rows(taskRows).find({ id: JSON.parse(body).taskId })),
    );
    world.messages.push(...dead.map((message) => ({ ...message, received: 0 })));
    await workAll(plan, 0);
    Object.assign(faults, calm);
    expect(marked.filter((task) => task?.status === 'running')).toEqual([]);
    await expectDone(table, ids);
    const expected = world.newOrganization();
    await acceptAll(expected, { ...plan, random: () => 1 });
    await world.drain();
    expect(await knowable(table)).toEqual(await knowable(expected));
  },
);
