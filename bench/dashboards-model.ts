import { TASK_TYPES } from '#shared/assets/targets/scan-target.ts';
import { frameworks } from '#shared/exposure/compliance/frameworks.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { priorityOf } from '#shared/findings/priority/priority.ts';
import { DEFAULT_POLICIES, dueFields } from '#shared/findings/sla/sla-policies.ts';
import { scopeRows } from '#shared/findings/view/scan-scope.ts';
import { emptyState } from '#shared/findings/view/scan-state.ts';
import { packSightings } from '#shared/findings/view/sightings.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId, newIdAt } from '#shared/platform/runtime/ids.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import {
  type Adds,
  addChanges,
  addMarks,
  contributionOf,
  NOTHING,
} from '#shared/platform/table/layout/contribution.ts';
import { addGrouped } from '#shared/platform/table/layout/grouped.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { orderIn } from '#shared/platform/table/layout/marks.ts';
import { longFieldsIn, rowsOf } from '#shared/platform/table/layout/record.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { SCANNER_TASK_STATUSES, type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { type Scanner, scanners } from '#shared/scanning/scanners/scanner.ts';
import { scannerDraft } from '#test/support/scanning.ts';
import { summed } from './fill-rows.ts';
import { chance } from './store-model.ts';

const YEARS_MS = 730 * DAY_MS;
const ZONES = [null, 'plant', 'office', 'lab'] as const;

/** Each check fails at some finding, so that the counters of checks have all their names. */
const CHECKS = frameworks().flatMap(({ benchmark, controls }) =>
  benchmark ? controls.flatMap(({ checks = [] }) => checks.map((key) => ({ benchmark: benchmark.id, key }))) : [],
);

/** Writes the records with all rows that dashboards read. Rows of lists are left out: they would take minutes. */
export async function place<T extends Stored, D extends keyof T>(table: Table, entity: Entity<T, D>, items: T[]) {
  const keys = keysOf(table.tenant, entity);
  const adds: Adds = new Map();
  const put = items.flatMap((item, ordinal) => {
    const contribution = { ...contributionOf(entity, item), lists: {} };
    const change = { from: NOTHING, to: contribution };
    addChanges(adds, { keys, ordinal }, change);
    if (entity.grouped) addGrouped(adds, { keys, ordinal }, { grouped: entity.grouped, change });
    addMarks(adds, { keys, ordinal }, { set: contribution.marks.filter((mark) => orderIn(mark)), clear: [] });
    const { main } = rowsOf(entity, item, {
      keys,
      ordinal,
      contribution,
      details: { fields: longFieldsIn(entity, item) },
    });
    return [main, ...contribution.ranks.map((rank) => keys.rank(rank, ordinal))];
  });
  for (const some of chunksOf([...put, ...summed(adds)], 2_000)) await writeRows(table.dynamo, { put: some });
}

/** Findings of two years: half are fixed after minutes to months, some are triaged, some are decided. */
export async function fillFindings(table: Table, size: number): Promise<void> {
  const random = chance(11);
  const scopes = Array.from({ length: 20 }, (_, n) => `scope-${n}-of-the-bench`);
  for (const id of scopes)
    await table
      .rows(scopeRows)
      .put({ id, revision: 1, waiting: [], stateKey: `state/${id}`, sightings: packSightings(emptyState) });
  const items = Array.from({ length: size }, (_, n) => aFinding(n, random, scopes[n % scopes.length] ?? ''));
  await place(table, findings, items);
}

/** A time of the last two years, and a time a number of days later, but not in the future. */
export function inTwoYears(random: () => number): [string, (days: number) => string] {
  const first = nowMs() - random() * YEARS_MS;
  return [new Date(first).toISOString(), (days) => new Date(Math.min(nowMs(), first + days * DAY_MS)).toISOString()];
}

export function aFinding(n: number, random: () => number, scope: string): StoredFinding {
  const severity = pick(Severity.options, random);
  const [first, later] = inTwoYears(random);
  const ended = later(60 * random() ** 6);
  const [fixed, seen] = [random() < 0.5, random() < 0.6];
  const decided = random() < 0.1 ? 'risk_accepted' : 'open';
  return {
    ...stamps(n),
    title: 'Outdated nginx allows request smuggling in front of the shop',
    severity,
    status: fixed ? 'fixed' : decided,
    reopenedCount: 0,
    priority: priorityOf({ severity, cvssScore: Math.round(random() * 100) / 10 }),
    cves: ['CVE-2026-12345'],
    cwes: ['CWE-444'],
    asset: { id: newId(), type: 'host', name: `web-${n % 500}.example.com`, zone: null },
    location: '10.0.0.7:443/tcp',
    tool: 'nuclei',
    ruleId: 'http-smuggling',
    ...(n % 3 === 0 && { check: CHECKS[(n / 3) % CHECKS.length] }),
    firstSeenAt: first,
    ...dueFields({ policies: DEFAULT_POLICIES, assets: new Map() }, { severity, asset: { id: '' } }, first),
    tags: ['internet'],
    ...(fixed && { fixedAt: ended }),
    ...(seen && { acknowledgedAt: later(20 * random() ** 6) }),
    scope,
    locationDetail: {},
    evidence: [],
    references: [],
    fingerprint: String(n),
    fingerprintVersion: 1,
    contentHash: String(n),
    taskId: newId(),
  };
}

/** 60 scanners in four zones, and tasks of all types and statuses. */
export async function fillScanners(table: Table, tasks: number): Promise<void> {
  const random = chance(13);
  await place(
    table,
    scanners,
    Array.from({ length: 60 }, (_, n) => aScanner(n, random)),
  );
  await place(
    table,
    scannerTasks,
    Array.from({ length: tasks }, (_, n) => aTask(n, random)),
  );
}

function aScanner(n: number, random: () => number): Scanner {
  const name = `scanner-${n}`;
  const says = { name, hostname: name, platform: 'linux', softwareVersion: '1.6.0', instanceId: newId() };
  const placed = { zone: pick(ZONES, random), status: pick(MACHINE_STATUSES, random) };
  return { ...stamps(n), ...scannerDraft({ ...says, ...placed, supportedTaskTypes: [...TASK_TYPES] }) };
}

function aTask(n: number, random: () => number): ScannerTask {
  const finishedAt = new Date(nowMs() - random() * 2 * DAY_MS).toISOString();
  return {
    ...stamps(n),
    type: pick(TASK_TYPES, random),
    target: { type: 'host', value: `10.0.${n % 256}.7`, zone: null },
    parameters: {},
    zone: pick(ZONES, random),
    scannerGroupId: null,
    status: pick(SCANNER_TASK_STATUSES, random),
    attempt: 1,
    maxAttempts: 3,
    scanner: null,
    engagementId: newId(),
    runId: newId(),
    progress: null,
    leaseExpiresAt: null,
    cancelRequestedAt: null,
    startedAt: null,
    finishedAt,
    error: null,
    ingestTaskId: null,
    ingestTaskIds: [],
  };
}

const createdBy = { kind: 'system', id: 'bench', name: 'bench' } as const;

export function stamps(ordinal: number) {
  const time = new Date(nowMs()).toISOString();
  return { id: newIdAt(ordinal), version: 1, createdAt: time, updatedAt: time, createdBy };
}

export function pick<const V>(values: readonly V[], random: () => number): V {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
