import * as fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import { runs } from '../../../support/tier.ts';
import { expectSound } from '../imports/expectations.ts';
import { mergeAssets, partAssets, run, type Step, seenIn, settle, step, world } from './followers-plan.ts';

afterAll(() => world.stop());
afterEach(() => setClock());

async function expectCounted(table: Table): Promise<void> {
  await expectSound(table);
  for (const entity of [vulnerabilities, advisoryGroups, fixGroups])
    expect((await verify(table, entity as typeof vulnerabilities)).differences).toEqual([]);
}

const steps = fc.array(step, { minLength: 3, maxLength: 14 });

test('findings and vulnerabilities end the same, whenever the workers follow reports, decisions, feeds, merges, splits and ends', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { table: eager } = await run(steps, () => true);
      const seen = await seenIn(eager);
      const { table: lazy } = await run(steps, () => false);
      expect(await seenIn(lazy)).toEqual(seen);
      await expectCounted(eager);
      await expectCounted(lazy);
    }),
    { numRuns: runs(2, 8), endOnFailure: true },
  );
});

const decided = (asset: number, status: 'false_positive' | 'in_progress'): Step => ({
  kind: 'decide',
  asset,
  cve: 0,
  status,
  hours: undefined,
  restartSla: false,
});
/** The same problem on two assets, decided on for one of them. */
const onBoth: Step[] = [
  { kind: 'report', asset: 0, names: [0] },
  { kind: 'report', asset: 1, names: [0] },
  { kind: 'report', asset: 1, names: [0] },
  decided(0, 'false_positive'),
];

/** The same, and the one that stays when they are merged is given to somebody: no finding follows a decision meanwhile. */
const oneTaken: Step[] = [
  { kind: 'report', asset: 1, names: [0] },
  { kind: 'assign', asset: 1, cve: 0, isNobody: false },
  { kind: 'report', asset: 0, names: [0] },
];

/** A scan closed the finding that stays; the other finding opens it again. Then it follows what is decided on its vulnerability. */
const repaired: Step[] = [
  { kind: 'report', asset: 0, names: [0] },
  decided(0, 'false_positive'),
  { kind: 'repair', n: 0 },
  { kind: 'report', asset: 1, names: [0] },
];
const repairedOfSomebody: Step[] = [
  { kind: 'report', asset: 0, names: [0] },
  { kind: 'assign', asset: 0, cve: 0, isNobody: false },
  { kind: 'repair', n: 0 },
  { kind: 'report', asset: 1, names: [0] },
];

/** A person decided otherwise on a finding, and the vulnerability of the other asset has a later decision: the moved finding follows that. */
const decidedItself: Step[] = [
  { kind: 'report', asset: 1, names: [0] },
  { kind: 'report', asset: 0, names: [0] },
  { kind: 'report', asset: 0, names: [0] },
  decided(1, 'false_positive'),
  { kind: 'triage', n: 0 },
  decided(0, 'false_positive'),
];

/** The step without the end of its acceptance, which could come while assets are merged and parted. */
const lasting = (one: Step): Step => ('hours' in one ? { ...one, hours: undefined } : one);

const examples = [
  onBoth,
  [...onBoth, decided(1, 'in_progress')],
  oneTaken,
  repaired,
  repairedOfSomebody,
  decidedItself,
];

test('a merge that is undone leaves findings, vulnerabilities and what was decided on them as they were', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat({ max: 1 }), async (steps, into) => {
      const state = await run(steps.filter(({ kind }) => kind !== 'merge').map(lasting), () => true);
      const before = await seenIn(state.table);
      await mergeAssets(state, into);
      await settle(state.table);
      await partAssets(state);
      await settle(state.table);
      expect(await seenIn(state.table)).toEqual(before);
      await expectCounted(state.table);
    }),
    {
      numRuns: runs(examples.length, examples.length + 6),
      endOnFailure: true,
      examples: examples.map((one) => [one, 0]),
    },
  );
});
