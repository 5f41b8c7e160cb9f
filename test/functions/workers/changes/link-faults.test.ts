import { afterAll, afterEach, expect, test } from 'vitest';
import { createRemediation, removeRemediation, updateRemediation } from '#functions/findings/remediations/save.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { progressOf } from '#shared/findings/triage/remediations.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { planOf, seeds, startFaultyWorld, workAll } from '../../../support/fault-plan.ts';
import { findingDraft } from '../../../support/findings.ts';
import { expectSound } from '../imports/expectations.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const ann = { kind: 'user', id: 'ann', name: 'Ann' } as const;
const COUNT = 60;
type Create = Parameters<typeof createRemediation>[0];
type Update = Parameters<typeof updateRemediation>[0];

test.each(seeds)(
  'plan %i of faults and kills links, relinks and unlinks each finding of a remediation once',
  async (seed) => {
    const plan = planOf(seed);
    const { connections } = world;
    const { organizationId } = world.newOrganization();
    const table = openTable(connections.dynamo, organizationId, ann);
    const ids: string[] = [];
    for (let n = 0; n < COUNT; n++) ids.push((await table.create(findings, findingDraft(now()))).id);
    const call = { connections, table, caller: { ...ann, organizationId, role: 'analyst' } };
    const expectLinked = async (id: string, linked: readonly string[], changes: (of: string) => number) => {
      const found = await table.findMany(findings, ids, true);
      const named = found.filter(({ remediationIds = [] }) => remediationIds.includes(id));
      expect(named.map((one) => one.id).toSorted()).toEqual([...linked].toSorted());
      expect(await progressOf(table, id)).toMatchObject({ total: linked.length, fixed: 0 });
      for (const of of ids)
        expect(await table.rows(findingHistory).query(of, { consistent: true })).toHaveLength(changes(of));
      await expectSound(table);
    };

    const [first, second] = [ids.slice(0, 40), ids.slice(20)];
    const body = { title: 'Update all', status: 'planned', findingIds: first };
    const { id } = await createRemediation({ ...call, body } as unknown as Create);
    await workAll(world, plan);
    await expectLinked(id, first, (of) => (first.includes(of) ? 1 : 0));

    await updateRemediation({ ...call, params: { id }, body: { findingIds: second } } as unknown as Update);
    await workAll(world, plan);
    await expectLinked(id, second, (of) => (first.includes(of) && !second.includes(of) ? 2 : 1));

    await removeRemediation(call, id);
    await workAll(world, plan);
    await expectLinked(id, [], () => 2);
  },
);
