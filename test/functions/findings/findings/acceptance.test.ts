import { describe, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { updateFinding } from '#functions/findings/findings/update-finding.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { findingDraft } from '../../../support/findings.ts';
import { fakeConnections, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';
import { expectExact } from '../../../support/verify.ts';

/** One each: the sweeper looks at all organizations. */
const store = useStore('test');

const DAY = 86_400;
const start = Date.parse('2025-03-03T10:00:00Z');
const until = '2025-03-13T10:00:00.000Z';
const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;

const decide = (table: Table, id: string, patch: object) =>
  updateFinding({ ...fakeConnections(store.dynamo), table, caller, id, patch });
const accept = (table: Table, id: string, acceptedUntil: string | null = until) =>
  decide(table, id, { status: 'risk_accepted', acceptedUntil, reason: 'replaced in March' });

async function setUp() {
  const clock = stopClock(start);
  const { connections } = fakeConnections(store.dynamo);
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(findings, findingDraft(now()));
  clock.pass(DAY);
  return { clock, connections, table, id, read: () => table.get(findings, id, true) };
}

/** When the sweeper is to end the acceptance of a finding. */
const timerTimes = async (table: Table) =>
  (await timersOf(table)).filter(({ kind }) => kind === 'acceptance').map(({ at }) => new Date(at).toISOString());

describe('a risk that is accepted until a date', () => {
  test('counts its time to fix from that date where it was asked for, and from a later return as ever', async () => {
    const { clock, connections, table, id, read } = await setUp();
    await decide(table, id, { status: 'risk_accepted', acceptedUntil: until, reason: 'replaced', restartSla: true });
    clock.pass(9 * DAY + 1);
    await sweep(connections);
    const dueAt = new Date(Date.parse(until) + 30 * DAY * 1000).toISOString();
    expect(await read()).toMatchObject({ status: 'open', slaFrom: until, dueAt });
    expect((await read()).restartSla).toBeUndefined();
    await decide(table, id, { severity: 'critical' });
    expect((await read()).dueAt).toBe(new Date(Date.parse(until) + 7 * DAY * 1000).toISOString());
  });

  test('is open again after that date, in every number and in the history', async () => {
    const { clock, connections, table, id, read } = await setUp();
    const { dueAt, acknowledgedAt } = await accept(table, id);
    clock.pass(9 * DAY - 1);
    await sweep(connections);
    expect(await read()).toMatchObject({ status: 'risk_accepted', version: 2 });
    clock.pass(2);
    await Promise.all([sweep(connections), sweep(connections)]);
    const opened = await read();
    expect(opened).toMatchObject({
      status: 'open',
      version: 3,
      reopenedCount: 0,
      statusReason: `Its risk was accepted until ${until}.`,
      dueAt,
      acknowledgedAt,
    });
    expect([opened.acceptedUntil, opened.reopenedAt, opened.repairs]).toEqual([undefined, undefined, undefined]);
    const [change, before] = await table.rows(findingHistory).query(id, { backward: true });
    expect(before).toMatchObject({ reason: 'replaced in March' });
    expect(change).toMatchObject({
      version: 3,
      by: { kind: 'system' },
      changes: { status: { from: 'risk_accepted', to: 'open' }, acceptedUntil: { from: until, to: null } },
      reason: opened.statusReason,
    });
    const call = { table, query: {}, connections: { bucket: { get: async () => undefined } } } as never;
    expect(await dashboardHandlers.getFindingsSummary(call)).toMatchObject({ open: 1, reopened7d: 0, fixed7d: 0 });
    await expectExact(table, [findings]);
    expect(await timerTimes(table)).toEqual([]);
  });

  test('stays accepted until the new date when it is accepted again', async () => {
    const { clock, connections, table, id, read } = await setUp();
    await accept(table, id);
    const later = '2025-04-01T00:00:00.000Z';
    await decide(table, id, { acceptedUntil: later });
    expect(await timerTimes(table)).toEqual([later]);
    clock.pass(10 * DAY);
    await sweep(connections);
    expect(await read()).toMatchObject({ status: 'risk_accepted', acceptedUntil: later });
    clock.pass(20 * DAY);
    await sweep(connections);
    expect(await read()).toMatchObject({ status: 'open' });
  });

  test.each([
    ['fixed', { status: 'fixed' }],
    ['open, and in work', { status: 'in_progress' }],
    ['declared false', { status: 'false_positive' }],
    ['accepted for good', { acceptedUntil: null }],
  ])('stays as it is when it was %s meanwhile', async (_what, patch) => {
    const { clock, connections, table, id, read } = await setUp();
    await accept(table, id);
    const decided = await decide(table, id, patch);
    expect(await timerTimes(table)).toEqual([]);
    clock.pass(20 * DAY);
    const { organizationId } = table;
    await work(connections, placedTimer({ at: Date.parse(until), kind: 'acceptance', organizationId, id }));
    await sweep(connections);
    expect(await read()).toEqual(decided);
  });

  test('counts from its first sighting when it is accepted, reopened and then fixed', async () => {
    const { clock, connections, table, id } = await setUp();
    await accept(table, id);
    clock.pass(9 * DAY);
    await sweep(connections);
    await accept(table, id, '2025-03-14T10:00:00Z');
    clock.pass(DAY);
    await sweep(connections);
    const fixed = await decide(table, id, { status: 'fixed' });
    expect(fixed).toMatchObject({ reopenedCount: 0, fixedAt: '2025-03-14T10:00:00.000Z' });
    await expectExact(table, [findings]);
  });
});
