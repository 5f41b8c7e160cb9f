import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { DAY_MS, now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { closeMonths, countedOn, firstDay, isKept, lastOf, reopenMonths } from '#shared/platform/table/daily.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { workJournal } from '#shared/platform/table/journal.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { lastMonths } from '#shared/reporting/figures/days.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
afterEach(() => setClock());

const APPLICATIONS = [newId(), newId()];
const today = () => now().slice(0, 10);
const sourceOf = ({ dynamo, tenant }: Table) => ({ dynamo, tenant, entity: findings });

const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'create', 'move', 'move', 'link', 'delete'),
  hours: fc.oneof(fc.nat(5), fc.nat(40), fc.nat(900)),
  pick: fc.nat(),
  severity: fc.constantFrom(...Severity.options),
  status: fc.constantFrom(...FINDING_STATUSES),
  applications: fc.subarray(APPLICATIONS),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function live(table: Table, alive: Map<string, StoredFinding>, one: Step): Promise<void> {
  const finding = [...alive.values()][one.pick % Math.max(1, alive.size)];
  const change = { severity: one.severity, status: one.status, applicationIds: one.applications };
  if (one.kind === 'create') {
    const made = await table.create(findings, findingDraft(now(), change));
    alive.set(made.id, made);
  } else if (finding && one.kind === 'delete') {
    await table.delete(findings, finding);
    alive.delete(finding.id);
  } else if (finding) {
    const { severity, status, applicationIds } = change;
    const next = one.kind === 'link' ? { applicationIds } : { severity, status };
    alive.set(finding.id, await table.update<StoredFinding, (typeof findings.detail)[number]>(findings, finding, next));
  }
}

type Day = Map<string, Pick<StoredFinding, 'status' | 'severity' | 'applicationIds'>>;

/** The figures of a day by group, counted from the records of that day. */
const recounted = (records: Day, application: string | undefined) =>
  FINDING_STATUSES.map((status) =>
    Severity.options.map(
      (severity) =>
        [...records.values()].filter(
          (one) =>
            one.status === status &&
            one.severity === severity &&
            (application === undefined || one.applicationIds?.includes(application)),
        ).length,
    ),
  );

async function counted(table: Table, day: string, application: string | undefined) {
  const group = application === undefined ? {} : { group: { name: 'application', value: application } };
  const [count] = await countedOn(sourceOf(table), { days: [day], ...group });
  return FINDING_STATUSES.map((status) => Severity.options.map((severity) => count?.({ status, severity }) ?? 0));
}

test('the figures of each day are those of that day, whatever happens later, conflicts and lost answers included', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      fc.nat(1000),
      async (steps, seed) => {
        let clock = Date.UTC(2025, 10, 20);
        setClock(() => clock);
        const dynamo = store.connect();
        injectFaults(dynamo, { random: dice(seed), conflict: 0.2, throttle: 0.1, lost: 0.2 });
        const table = openTable(dynamo, newId());
        const alive = new Map<string, StoredFinding>();
        const days = new Map<string, Day>();
        for (const one of steps) {
          clock += one.hours * 3_600_000;
          await closeMonths(sourceOf(table), today());
          await live(table, alive, one);
          days.set(today(), new Map(alive));
        }
        const calm = openTable(store.dynamo, table.organizationId);
        const kept = new Date(nowMs() - 400 * DAY_MS).toISOString().slice(0, 10);
        for (const [day, records] of days)
          if (day > kept)
            for (const group of [undefined, ...APPLICATIONS])
              expect({ day, group, is: await counted(calm, day, group) }).toEqual({
                day,
                group,
                is: recounted(records, group),
              });
      },
    ),
    { numRuns: runs(4, 25), endOnFailure: true },
  );
});

test('a record of an earlier release is counted on the days that it knows, once', async () => {
  setClock(() => Date.UTC(2026, 10, 28, 12));
  const table = newOrganization(store.dynamo);
  const old = { ...findings, daily: undefined };
  const fixed = { status: 'fixed', fixedAt: '2026-11-10T08:00:00.000Z' } as const;
  await table.create(old, findingDraft('2026-10-03T08:00:00.000Z', { severity: 'high', ...fixed }));
  await table.create(old, findingDraft('2026-11-20T08:00:00.000Z', { severity: 'low', applicationIds: APPLICATIONS }));
  expect(await firstDay(sourceOf(table))).toBeUndefined();
  for (let times = 0; times < 2; times++) await rekey(table, findings);
  expect(await firstDay(sourceOf(table))).toBe('2026-10-03');
  const on = async (day: string, filter: Record<string, string>, value?: string) =>
    (await countedOn(sourceOf(table), { days: [day], ...(value && { group: { name: 'application', value } }) }))[0]?.(
      filter,
    );
  expect(await on('2026-10-02', {})).toBeUndefined();
  expect(await on('2026-11-09', { status: 'open' })).toBe(1);
  expect(await on('2026-11-10', { status: 'open' })).toBe(0);
  expect(await on('2026-11-28', {})).toBe(2);
  expect(await on('2026-11-28', { severity: 'low' }, APPLICATIONS[0])).toBe(1);
});

test('the oldest day that is kept counts the records of the earlier days of its month', async () => {
  let clock = Date.UTC(2026, 0, 5, 12);
  setClock(() => clock);
  const table = newOrganization(store.dynamo);
  await table.create(findings, findingDraft(now()));
  clock = Date.UTC(2026, 0, 25, 12);
  await table.create(findings, findingDraft(now()));
  clock = Date.UTC(2026, 0, 22) + 400 * DAY_MS;
  await closeMonths(sourceOf(table), today());
  expect(await openOn(table, ['2026-01-26'])).toEqual([2]);
});

const openOn = async (table: Table, days: readonly string[]) =>
  (await countedOn(sourceOf(table), { days })).map((count) => count?.({ status: 'open' }));

test('the ends of months are kept for ten years, and answer in one row with days', async () => {
  let clock = Date.UTC(2026, 0, 5, 12);
  setClock(() => clock);
  const table = newOrganization(store.dynamo);
  for (const month of [0, 2]) {
    clock = Date.UTC(2026, month, 15, 12);
    await table.create(findings, findingDraft(now()));
  }
  clock = Date.UTC(2028, 5, 15);
  await closeMonths(sourceOf(table), today());
  await table.create(findings, findingDraft(now()));
  const ends = lastMonths(Date.UTC(2028, 4, 9), 30).map(lastOf);
  expect(ends.slice(0, 3)).toEqual(['2025-12-31', '2026-01-31', '2026-02-28']);
  const wanted = ends.map((day) => (day < '2026-01' ? undefined : day < '2026-03' ? 1 : 2));
  expect(await openOn(table, [...ends, '2028-06-15'])).toEqual([...wanted, 3]);
  expect(ends.slice(1).every((day) => isKept(day, today()))).toBe(true);
  expect(isKept('2026-03-15', today())).toBe(false);
});

test('in the first days of a month its figures begin with the last month that is closed', async () => {
  let clock = Date.UTC(2026, 0, 5, 12);
  setClock(() => clock);
  const table = newOrganization(store.dynamo);
  await table.create(findings, findingDraft(now()));
  clock = Date.UTC(2027, 4, 1, 12);
  await closeMonths(sourceOf(table), today());
  await table.create(findings, findingDraft(now()));
  expect(await openOn(table, ['2027-05-01'])).toEqual([2]);
});

test('records that rekey counts after the end of a month are in its end', async () => {
  let clock = Date.UTC(2026, 9, 20);
  setClock(() => clock);
  const table = newOrganization(store.dynamo);
  await table.create({ ...findings, daily: undefined }, findingDraft('2026-09-03T08:00:00.000Z'));
  await table.create(findings, findingDraft(now()));
  clock = Date.UTC(2026, 10, 20);
  await closeMonths(sourceOf(table), today());
  await rekey(table, findings);
  await reopenMonths(sourceOf(table), today());
  const days = ['2026-09-30', '2026-10-31', '2026-11-20'];
  expect(await openOn(table, days)).toEqual([1, 2, 2]);
  await closeMonths(sourceOf(table), today());
  expect(await openOn(table, days)).toEqual([1, 2, 2]);
});

test('a bulk import is counted once its journal is worked; a day without change writes nothing; a figure costs few units', async () => {
  let clock = Date.UTC(2026, 0, 5, 12);
  setClock(() => clock);
  const table = newOrganization(store.dynamo);
  const batch = table.batch(true);
  for (let n = 0; n < 5; n++)
    batch.create(findings, table.stamp<StoredFinding>({ ...findingDraft(now()), id: newId() }));
  await batch.commit();
  await workJournal(table.dynamo, keysOf(table.tenant, findings));
  expect(await openOn(table, ['2026-01-05'])).toEqual([5]);
  clock = Date.UTC(2027, 0, 20);
  await closeMonths(sourceOf(table), today());
  const rows = () => queryRows(table.dynamo, { pk: keysOf(table.tenant, findings).daily('all', '').pk, all: true });
  expect((await rows()).map(({ sk }) => sk)).toEqual(['d2026-01-0', ...MONTHS_2026.map((month) => `m${month}`)]);
  const dynamo = store.connect();
  const meter = attachMeter(dynamo, { inStep: true });
  const usage = await meter.measure(() => closeMonths({ ...sourceOf(table), dynamo }, today()));
  expect(usage.writeUnits).toBe(0);
  const read = await meter.measure(() => countedOn({ ...sourceOf(table), dynamo }, { days: ['2026-12-24'] }));
  expect(read.readUnits).toBeLessThanOrEqual(1.5);
});

const MONTHS_2026 = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
