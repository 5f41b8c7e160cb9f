import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { CALM, type Plan, planOf, seeds, startFaultyWorld, upTo } from '../../../support/fault-plan.ts';
import { expectSound } from './expectations.ts';
import { codeScan, type Problem, problems, sarif } from './reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const start = Date.parse('2026-01-15T08:00:00.250Z');
const MINUTE = 60_000;
const BRANCHES = ['main', 'main', 'feature', 'release'];

const someOf = (plan: Plan): Problem[] => problems(9).filter(() => plan.random() < 0.6);

async function accept(table: Table, plan: Plan, report: { ref: string; has: readonly Problem[] }) {
  const submission = codeScan(sarif(report.has), { ref: report.ref });
  while ((await world.call(plan, () => world.accept(table, submission))) === undefined);
}

const all = { paginateFrom: 0, paginateSize: 500 };

/** The open findings of a collection: branch and place. */
async function openIn(table: Table, entity: typeof findings): Promise<string[]> {
  const { data } = await table.list(entity, all);
  return data.flatMap(({ status, ref, location }) => (isOpen(status) ? [`${ref} ${location}`] : [])).sort();
}

const named = (ref: string, has: readonly Problem[]): string[] => has.map((one) => `${ref} ${placeOf(one)}`).sort();

const placeOf = ({ file, line = 7 }: Problem): string => `${file}:${line}`;

test.each(seeds)(
  'plan %i of faults, kills and merges leaves each problem once: on the default branch, or on the branch that adds it',
  async (seed) => {
    const plan = planOf(seed);
    const table = world.newOrganization();
    setClock(() => start);
    await accept(table, CALM, { ref: 'main', has: someOf(plan) });
    await world.drain();
    world.begin(plan);
    const count = 3 + upTo(plan, 4);
    for (let n = 1; n <= count; n++) {
      setClock(() => start + n * MINUTE);
      await accept(table, plan, { ref: BRANCHES[upTo(plan, BRANCHES.length)] ?? 'main', has: someOf(plan) });
      if (plan.random() < 0.5) await world.deliverAll(plan, 0.4);
    }
    await world.deliverAll(plan, 0.4);
    world.begin(CALM);
    // messages that their processes did not send
    setClock(() => start + 30 * MINUTE);
    await sweep(world.connections);
    world.redrive();
    await world.deliverAll(CALM, 0);
    const last = { main: someOf(plan), feature: someOf(plan), release: someOf(plan) };
    for (const [n, [ref, has]] of Object.entries(last).entries()) {
      setClock(() => start + (60 + n) * MINUTE);
      await accept(table, CALM, { ref, has });
      await world.drain();
    }
    expect(await openIn(table, findings)).toEqual(named('main', last.main));
    const adds = (has: typeof last.main) =>
      has.filter((one) => !last.main.some((other) => placeOf(other) === placeOf(one)));
    const expected = [...named('feature', adds(last.feature)), ...named('release', adds(last.release))].sort();
    expect(await openIn(table, branchFindings)).toEqual(expected);
    await expectSound(table);
  },
);
