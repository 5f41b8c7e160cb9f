import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';

const DAY = 86_400_000;
const day = (time: string) => time.slice(0, 10);
const seconds = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 1000);
const isOpen = ({ status }: StoredFinding) => status === 'open' || status === 'in_progress';
const countBy = (all: string[], values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, all.filter((one) => one === value).length]));

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const statuses = ['open', 'in_progress', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope'];

export type Repair = { at: string; seconds: number; severity: string };

/** Each time that a finding was fixed. */
export const repairsOf = (all: StoredFinding[]): Repair[] =>
  all.flatMap((one) => {
    const last = one.fixedAt
      ? [{ at: one.fixedAt, seconds: seconds(one.reopenedAt ?? one.firstSeenAt, one.fixedAt) }]
      : [];
    return [...(one.repairs ?? []), ...last].map((repair) => ({ ...repair, severity: one.severity }));
  });

export const acknowledgementsOf = (all: StoredFinding[]): Repair[] =>
  all.flatMap(({ acknowledgedAt: at, firstSeenAt, severity }) =>
    at ? [{ at, severity, seconds: seconds(firstSeenAt, at) }] : [],
  );

/** FindingsSummary, counted from the records one by one. */
export function recountSummary(all: StoredFinding[], now: number) {
  const today = day(new Date(now).toISOString());
  const weekAgo = day(new Date(now - 6 * DAY).toISOString());
  const inWeek = (times: (string | undefined)[]) => times.filter((time) => time && day(time) >= weekAgo).length;
  const open = all.filter(isOpen);
  return {
    asOf: new Date(now).toISOString(),
    total: all.length,
    open: open.length,
    overdue: open.filter(({ dueAt }) => dueAt && day(dueAt) < today).length,
    byStatus: countBy(
      all.map(({ status }) => status),
      statuses,
    ),
    bySeverity: countBy(
      all.map(({ severity }) => severity),
      severities,
    ),
    openBySeverity: countBy(
      open.map(({ severity }) => severity),
      severities,
    ),
    opened7d: inWeek(all.map(({ firstSeenAt }) => firstSeenAt)),
    fixed7d: inWeek(all.map(({ status, fixedAt }) => (status === 'fixed' ? fixedAt : undefined))),
    reopened7d: inWeek(all.map(({ reopenedAt }) => reopenedAt)),
    held: 0,
  };
}

/** Mean, median and 90th percentile (nearest rank) of what was measured; undefined of nothing. */
export function measureOf(all: number[]) {
  const sorted = all.toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const rank = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? 0;
  return { mean: mean(sorted), median: rank(0.5), p90: rank(0.9), count: sorted.length };
}

export const mean = (all: number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;

export const openAges = (all: StoredFinding[], now: number): number[] =>
  all.filter(isOpen).map((one) => Math.floor(now / 1000) - openFrom(one));

/** The change of the mean time to fix from the `n` days before the last `n` days to these. */
export function recountChange(repairs: Repair[], now: number, n: number): number | null {
  const from = (days: number) => day(new Date(now - (days - 1) * DAY).toISOString());
  const after = repairs.filter(({ at }) => day(at) >= from(n));
  const before = repairs.filter(({ at }) => day(at) >= from(2 * n) && day(at) < from(n));
  if (after.length === 0 || before.length === 0) return null;
  const [was, is] = [before, after].map((some) => mean(some.map((one) => one.seconds)));
  return was && is !== undefined ? is / was - 1 : null;
}

const openFrom = ({ reopenedAt, firstSeenAt }: StoredFinding): number =>
  Math.floor(Date.parse(reopenedAt ?? firstSeenAt) / 1000);

/** Open findings, the most urgent first; then the newest. */
export const mostUrgent = (all: StoredFinding[]): StoredFinding[] =>
  all.filter(isOpen).toSorted((a, b) => b.priority - a.priority || ordinalOf(b.id) - ordinalOf(a.id));
