import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { dashboardHandlers } from '#functions/exposure/dashboards/handlers.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { SCANNER_TASK_STATUSES, type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { type Scanner, scanners } from '#shared/scanning/scanners/scanner.ts';
import { bare } from '../../../support/bare.ts';
import { scannerDraft } from '../../../support/scanning.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
afterEach(() => setClock());

const types = ['network', 'web'] as const;
const zone = fc.constantFrom(null, 'plant', 'a|b #1');
const groups = [newId(), newId()];
const scanner = fc.record({
  zone,
  groupIds: fc.subarray(groups),
  enabled: fc.boolean(),
  taskTypes: fc.subarray([...types]),
  status: fc.constantFrom(...MACHINE_STATUSES),
  versionStatus: fc.constantFrom('current' as const, 'outdated' as const, 'unsupported' as const),
});
const task = fc.record({
  zone,
  scannerGroupId: fc.constantFrom(null, ...groups),
  type: fc.constantFrom(...types),
  status: fc.constantFrom(...SCANNER_TASK_STATUSES),
  hours: fc.nat(30),
});
const change = fc.record({ pick: fc.nat(), status: fc.constantFrom(...SCANNER_TASK_STATUSES), hours: fc.nat(9) });

test('the dashboard of scanners equals a recount of scanners and tasks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(scanner, { maxLength: 8 }),
      fc.array(task, { maxLength: 12 }),
      fc.array(change, { maxLength: 12 }),
      async (machines, work, changes) => {
        let clock = Date.UTC(2026, 1, 27, 13, 20);
        setClock(() => clock);
        const table = newOrganization(store.dynamo);
        const all = { scanners: [] as Scanner[], tasks: [] as ScannerTask[] };
        for (const one of machines) all.scanners.push(await table.create(scanners, aScanner(one)));
        for (const { hours, ...one } of work) {
          clock += hours * 3_600_000;
          all.tasks.push(await table.create(scannerTasks, aTask(one)));
        }
        for (const { pick, status, hours } of changes) {
          clock += hours * 3_600_000;
          const at = pick % Math.max(1, all.tasks.length);
          const current = all.tasks[at];
          if (current)
            all.tasks[at] = await table.update<ScannerTask, never>(scannerTasks, current, {
              status,
              finishedAt: now(),
            });
        }
        expect(bare(await summary(table))).toEqual(recount(all.scanners, all.tasks));
      },
    ),
    { numRuns: runs(4, 20), endOnFailure: true },
  );
});

const summary = (table: Table) => dashboardHandlers.getScannersSummary({ table } as never);

function recount(machines: Scanner[], tasks: ScannerTask[]) {
  const pending = tasks.filter(({ status }) => status === 'pending');
  const hour = new Date(nowMs() - 23 * 3_600_000).toISOString().slice(0, 13);
  const waited = pending.map(({ createdAt }) => Math.floor(nowMs() / 1000) - Math.floor(Date.parse(createdAt) / 1000));
  const taking = machines.filter(({ enabled, versionStatus }) => enabled && versionStatus !== 'unsupported');
  const canDo = ({ type, zone, scannerGroupId: group }: ScannerTask) =>
    taking.some((one) => one.zone === zone && one.taskTypes.includes(type) && (!group || one.groupIds.includes(group)));
  return {
    total: machines.length,
    byStatus: countBy(
      machines.map(({ status }) => status),
      MACHINE_STATUSES,
    ),
    byZone: countBy(
      machines.map(({ zone }) => zone ?? ''),
      [...new Set(machines.map(({ zone }) => zone ?? ''))],
    ),
    outdated: machines.filter(({ versionStatus }) => versionStatus !== 'current').length,
    tasks: {
      pending: pending.length,
      running: tasks.filter(({ status }) => status === 'running').length,
      failed24h: tasks.filter(({ status, finishedAt }) => status === 'failed' && (finishedAt ?? '') >= hour).length,
      unassignable: pending.filter((one) => !canDo(one)).length,
    },
    oldestPendingSeconds: waited.length === 0 ? null : Math.max(...waited),
  };
}

const countBy = (all: string[], values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, all.filter((one) => one === value).length]));

const aScanner = (fields: Partial<Scanner>): Draft<Scanner> =>
  scannerDraft({ taskTypes: [...types], supportedTaskTypes: [...types], ...fields });

const aTask = (fields: Pick<ScannerTask, 'zone' | 'scannerGroupId' | 'type' | 'status'>): Draft<ScannerTask> => ({
  target: { type: 'host', value: '10.0.0.7', zone: fields.zone },
  parameters: {},
  attempt: 0,
  maxAttempts: 3,
  scanner: null,
  engagementId: newId(),
  runId: newId(),
  progress: null,
  leaseExpiresAt: null,
  cancelRequestedAt: null,
  startedAt: null,
  finishedAt: now(),
  error: null,
  ingestTaskId: null,
  ingestTaskIds: [],
  ...fields,
});
