import { afterAll, afterEach, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { readUndoable } from '#shared/findings/bulk/undo-rows.ts';
import { UNDOES, undoUpdate } from '#shared/findings/bulk/undo-update.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { openDynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { type Plan, planOf, seeds, startFaultyWorld, upTo, workAll } from '../../../support/fault-plan.ts';
import { findingDraft } from '../../../support/findings.ts';
import { expectSound } from '../imports/expectations.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const ann = { kind: 'user', id: 'ann', name: 'Ann' } as const;
const people = openDynamo('ingest', {
  endpoint: process.env.DYNAMODB_ENDPOINT,
  region: localRegion,
  credentials: localCredentials,
});

type Next = (args: unknown) => Promise<unknown>;
type Stack = {
  add(middleware: (next: Next, context: { commandName?: string }) => Next, options: object): void;
};

/** Somebody changes a finding between what the worker reads and what it writes, as often as the plan says. */
let meddle: () => Promise<unknown> = async () => undefined;
(world.connections.dynamo.client.middlewareStack as unknown as Stack).add(
  (next, { commandName = '' }) =>
    async (args) => {
      const answer = await next(args);
      if (commandName.startsWith('BatchGet')) await meddle();
      return answer;
    },
  { step: 'initialize', name: 'meddle', priority: 'low' },
);

const COUNT = 130;

async function makeFindings(table: Table, plan: Plan): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const status = plan.random() < 0.2 ? ('fixed' as const) : ('open' as const);
    const draft = findingDraft(now(), { status, ...(status === 'fixed' && { fixedAt: now() }) });
    ids.push((await table.create(findings, draft)).id);
  }
  return ids;
}

const bulk = {
  changes: { status: 'risk_accepted', acceptedUntil: '2099-01-01T00:00:00.000Z' },
  approver: ann,
} as const;

test.each(seeds)(
  'plan %i of faults, kills and people changes each of many findings once, and undoes it once',
  async (seed) => {
    const plan = planOf(seed);
    const table = openTable(world.connections.dynamo, world.newOrganization().organizationId, ann);
    const ids = await makeFindings(table, plan);
    const byHand = openTable(people, table.organizationId, { ...ann, id: 'bob' });
    const wanted = plan.random() < 0.5 ? { ids } : { selection: { filter: { severity: 'high' } } };
    const request = { operation: 'update_findings', wanted, input: { ...bulk, reason: 'planned' } } as const;
    const { taskId } = await queueMany({ connections: world.connections, table }, request);
    const meddling = async () => {
      const id = ids[upTo(plan, ids.length)];
      if (id && plan.random() < 0.3) await byHand.modify(findings, id, () => ({ tags: [String(plan.random())] }));
    };
    meddle = meddling;
    await workAll(world, plan);
    meddle = async () => undefined;
    const after = await table.findMany(findings, ids, true);
    const accepted = after.filter(({ status }) => status === 'risk_accepted');
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['fixed', 'risk_accepted']));
    const { status, result } = await world.task(table, taskId);
    const counts = { matched: COUNT, changed: accepted.length, unchanged: 0, refusedCount: COUNT - accepted.length };
    expect({ status, result }).toMatchObject({ status: 'succeeded', result: counts });
    for (const { id } of after) {
      const history = await table.rows(findingHistory).query(id, { consistent: true });
      const isAccepted = accepted.some((one) => one.id === id);
      expect(history.map(({ by }) => by.id)).toEqual(isAccepted ? ['ann'] : []);
    }
    const changes = await readUndoable(table, taskId);
    expect(changes.map(({ id }) => id).toSorted()).toEqual(accepted.map(({ id }) => id).toSorted());
    await expectSound(table);
    const undoing = await undoUpdate({ connections: world.connections, table }, UNDOES.undoFindingsUpdate, taskId);
    meddle = meddling;
    await workAll(world, plan);
    meddle = async () => undefined;
    const counted = { matched: accepted.length, restored: accepted.length, changedSinceCount: 0 };
    expect(await world.task(table, undoing.taskId)).toMatchObject({ status: 'succeeded', result: counted });
    const undone = await table.findMany(findings, ids, true);
    expect(undone.filter(({ acknowledgedAt, status }) => acknowledgedAt || status === 'risk_accepted')).toEqual([]);
    await expectSound(table);
  },
);
