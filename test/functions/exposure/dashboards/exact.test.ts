import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import type { FindingsTrend } from '#functions/exposure/dashboards/records.ts';
import { updateFinding } from '#functions/findings/findings/update-finding.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { moveStatus, personMoves, scanMoves } from '#shared/findings/finding/finding-status.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { bare } from '../../../support/bare.ts';
import { findingDraft } from '../../../support/findings.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectMetrics } from './expect-metrics.ts';
import { acknowledgementsOf, mostUrgent, openAges, recountSummary, repairsOf } from './recount.ts';

const store = useStore();
afterEach(() => setClock());

const DAY = 86_400_000;
const severity = fc.constantFrom(...Severity.options);
/** Hours until the next thing happens: mostly soon, sometimes weeks later. */
const hours = fc.oneof(fc.nat(30), fc.double({ min: 0, max: 3, noNaN: true }), fc.nat(900));

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('new' as const), severity, hours }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), pick: fc.nat(), to: fc.nat(), hours, severity }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scan' as const), pick: fc.nat(), hours }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('grade' as const), pick: fc.nat(), severity, hours }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plan' as const), pick: fc.nat(), days: fc.nat(90), hours }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat(), hours }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test('the dashboards of findings equal a recount of all findings, whatever happened to them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 70, size: 'max' }),
      fc.nat(DAY),
      async (steps, offset) => {
        let clock = Date.UTC(2025, 2, 30) + offset;
        setClock(() => clock);
        const table = newOrganization(store.dynamo);
        const alive = new Map<string, StoredFinding>();
        for (const [n, one] of steps.entries()) {
          clock += Math.round(one.hours * 3_600_000);
          await endAcceptances(table, alive);
          await live(table, alive, one);
          if (n % 20 === 19) await expectDashboards(table, [...alive.values()]);
        }
        await expectDashboards(table, [...alive.values()]);
        expect((await verify(table, findings)).differences).toEqual([]);
      },
    ),
    { numRuns: runs(5, 25), endOnFailure: true },
  );
});

const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;

async function live(table: Table, alive: Map<string, StoredFinding>, step: Step): Promise<void> {
  if (step.kind === 'new') {
    const made = await table.create(findings, findingDraft(now(), { severity: step.severity }));
    alive.set(made.id, made);
    return;
  }
  const one = [...alive.values()][step.pick % Math.max(1, alive.size)];
  if (!one) return;
  const { connections } = fakeConnections(table.dynamo);
  const decide = async (patch: object) =>
    alive.set(one.id, await updateFinding({ connections, table, caller, id: one.id, patch }));
  if (step.kind === 'delete') {
    await table.delete(findings, one);
    alive.delete(one.id);
  } else if (step.kind === 'decide') {
    const status = at(personMoves[one.status], step.to);
    const acceptedUntil = new Date(nowMs() + (1 + (step.to % 9)) * DAY).toISOString();
    await decide({ status, reason: 'decided', ...(status === 'risk_accepted' && { acceptedUntil }) });
  } else if (step.kind === 'grade') await decide({ severity: step.severity });
  else if (step.kind === 'plan')
    await decide({ dueAt: step.days === 0 ? null : new Date(nowMs() + (step.days - 30) * DAY).toISOString() });
  else if (scanMoves[one.status][0]) {
    const move = { to: scanMoves[one.status][0] ?? 'open', at: now(), scanTaskId: newId() };
    alive.set(one.id, await table.update<StoredFinding, FindingDetail>(findings, one, moveStatus(one, move)));
  }
}

/** The sweeper's work of a minute. */
async function endAcceptances(table: Table, alive: Map<string, StoredFinding>): Promise<void> {
  const { dynamo, organizationId } = table;
  for (const { id, acceptedUntil } of alive.values()) {
    if (!acceptedUntil || acceptedUntil > now()) continue;
    const timer = placedTimer({ at: Date.parse(acceptedUntil), kind: 'acceptance', organizationId, id });
    await work({ dynamo } as never, timer);
    const opened = await table.get(findings, id, true);
    expect(opened.status).toBe('open');
    alive.set(id, opened);
  }
}

type FindingDetail = (typeof findings.detail)[number];
const at = <T>(all: readonly T[], n: number): T | undefined => all[n % all.length];

async function expectDashboards(table: Table, all: StoredFinding[]): Promise<void> {
  const call = { table, query: {}, connections: { bucket: { get: async () => undefined } } } as never;
  expect(bare(await dashboardHandlers.getFindingsSummary(call))).toEqual(recountSummary(all, nowMs()));
  const top = await dashboardHandlers.getTopFindings(call);
  expect(top.map(({ id }) => id)).toEqual(
    mostUrgent(all)
      .slice(0, 5)
      .map(({ id }) => id),
  );
  await expectMeanTimes(call, all);
  await expectFindingsTrend(table, all);
}

/** Year by year from the first moment: what was opened and fixed is that of a recount, and what is left of it is not fixed yet. */
async function expectFindingsTrend(table: Table, all: StoredFinding[]): Promise<void> {
  const left = new Map<string, number>();
  for (let from = Date.UTC(2025, 2, 29); from <= nowMs() + 2 * DAY; from += 366 * DAY) {
    const query = { from: dayOf(from), to: dayOf(from + 365 * DAY) };
    const trend: FindingsTrend = await dashboardHandlers.getFindingsTrend({ table, query } as never);
    const isIn = (time: string) => time.slice(0, 10) >= query.from && time.slice(0, 10) <= query.to;
    for (const severity of Severity.options) {
      const ones = all.filter((one) => one.severity === severity);
      expect(trend.opened[severity]).toBe(ones.filter(({ firstSeenAt }) => isIn(firstSeenAt)).length);
      expect(trend.fixed[severity]).toBe(repairsOf(ones).filter((repair) => isIn(repair.at)).length);
      left.set(severity, (left.get(severity) ?? 0) + trend.net[severity]);
    }
    expect(trend.days).toHaveLength(366);
    expect(trend.days.reduce((sum, { net }) => sum + net, 0)).toBe(
      Object.values(trend.net).reduce((sum, net) => sum + net, 0),
    );
  }
  for (const severity of Severity.options)
    expect(left.get(severity)).toBe(all.filter((one) => one.severity === severity && one.status !== 'fixed').length);
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

async function expectMeanTimes(call: never, all: StoredFinding[]): Promise<void> {
  expectMetrics(await dashboardHandlers.getFindingsMeanTimes(call), {
    repairs: repairsOf(all),
    acknowledgements: acknowledgementsOf(all),
    detections: [],
    containments: [],
    openAges: openAges(all, nowMs()),
  });
}

test('an organization without findings gets zeros and nulls, never a mean of no values', async () => {
  setClock(() => Date.UTC(2026, 1, 28, 23, 59));
  await expectDashboards(newOrganization(store.dynamo), []);
});
