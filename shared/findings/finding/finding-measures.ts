import { countersOf, openCounter } from '#shared/assets/asset/asset-counters.ts';
import type { Tally } from '#shared/platform/table/entity.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import {
  byTenDays,
  dayOf,
  dayTally,
  type Life,
  lifeTallies,
  type Span,
  spanOf,
} from '#shared/reports/report/time-measures.ts';
import { isOpen, openSince, repairOf, type StatusFields } from './finding-status.ts';

/**
 * The counters of a finding besides `lifeTallies`, for the dashboards:
 *
 * - `trend`, a row for ten days (`2026-11-2`): per day and severity (`oc1`: critical ones opened on the day that ends
 * in 1) `o` opened,
 *   `r` returned, each time, and `f` fixed;
 * - `asset`, the same by asset: a row for ten days of eight assets, the asset's digit before each name (`countersOf`);
 * - `open`, a row for the same eight assets: how many findings of each severity are open (`5h`: high ones of the asset
 * with the digit 5);
 * - `due`, a row per month: how many open findings are due on each day of it.
 */
type Measured = StatusFields & { severity: Severity; dueAt?: string; asset: { id: string } };

export const measures = (finding: Measured): Tally[] => [
  ...trendCounters(finding).flatMap((one) => [one, ofAsset(finding, one)]),
  ...timeMeasures(finding),
];

/** All but `trend` and `asset`. */
export const timeMeasures = (finding: Measured): Tally[] => [
  ...lifeTallies(lifeOf(finding)),
  ...(isOpen(finding.status) && finding.dueAt ? [dayTally('due', finding.dueAt)] : []),
  ...(isOpen(finding.status) ? [openOnAsset(finding)] : []),
];

/**
 * A finding is acknowledged when a person first moved or took it. A false positive or an accepted risk was never fixed.
 */
export const lifeOf = (finding: Pick<Measured, 'severity'> & StatusFields): Life => ({
  severity: finding.severity,
  openedAt: finding.firstSeenAt,
  reopenedAt: finding.reopenedAt,
  openSince: isOpen(finding.status) ? openSince(finding) : undefined,
  endedAt: endOf(finding),
  spans: { repair: allRepairs(finding), acknowledge: spanOf(finding.firstSeenAt, finding.acknowledgedAt) },
});

function openOnAsset({ asset, severity }: Measured): Tally {
  const { block, digit } = countersOf(asset.id);
  return { facet: 'open', value: block, add: { [openCounter(digit, severity)]: 1 } };
}

function ofAsset({ asset }: Measured, { value, add = {} }: Tally): Tally {
  const { rowOf, digit } = countersOf(asset.id);
  const own = Object.entries(add).map(([name, amount]) => [digit + name, amount]);
  return { facet: 'asset', value: rowOf(value ?? ''), add: Object.fromEntries(own) };
}

function trendCounters(finding: Measured): Tally[] {
  const { add, tallies } = byTenDays('trend');
  const count = (kind: TrendKind, time: string) => add(time, { [trendCounter(kind, finding.severity)]: 1 });
  count('opened', finding.firstSeenAt);
  for (const at of returnsOf(finding)) count('reopened', at);
  for (const { at } of allRepairs(finding)) count('fixed', at);
  return tallies();
}

const TREND_KINDS = { opened: 'o', reopened: 'r', fixed: 'f' } as const;
export type TrendKind = keyof typeof TREND_KINDS;

/** The name of a counter of `trend` without the digit of its day. */
export const trendCounter = (kind: TrendKind, severity: Severity): string => TREND_KINDS[kind] + severity.slice(0, 1);

/**
 * One return for each repair except the current one, so that opened plus returned minus fixed is 1 until the finding is
 * fixed.
 */
function returnsOf(finding: StatusFields): string[] {
  const opened = allRepairs(finding).map(({ at, seconds }) => new Date(Date.parse(at) - seconds * 1000).toISOString());
  const isBack = finding.status !== 'fixed' && finding.reopenedAt;
  return [...opened.slice(1), ...(isBack ? [isBack] : [])];
}

/** When a fixed finding was fixed. */
export const endOf = ({ status, fixedAt }: Pick<StatusFields, 'status' | 'fixedAt'>): string | undefined =>
  status === 'fixed' ? fixedAt : undefined;

/** The proof that a finding is fixed: a scan that did not find it any more, or the word of a person. */
export const FIXED_BY = ['scan', 'person'] as const;

export const fixedByOf = ({ status, fixedByTaskId }: Pick<Repairing, 'status' | 'fixedByTaskId'>) =>
  status === 'fixed' ? FIXED_BY[fixedByTaskId === undefined ? 1 : 0] : undefined;

/** The statuses of a finding in its past, as far as the record tells. */
type Past<S> = Omit<StatusFields, 'status'> & { status: S; decidedAt?: string | undefined };

export function pastOf<S extends string>({ status, firstSeenAt, repairs = [], ...finding }: Past<S>) {
  const states: { status: S | 'open' | 'fixed'; day: string }[] = repairs.flatMap(({ at, seconds }) => [
    { status: 'open' as const, day: dayOf(new Date(Date.parse(at) - seconds * 1000).toISOString()) },
    { status: 'fixed' as const, day: dayOf(at) },
  ]);
  const since = finding.reopenedAt ?? firstSeenAt;
  if (status !== 'open') states.push({ status: 'open', day: dayOf(since) });
  const changed = status === 'fixed' ? finding.fixedAt : finding.decidedAt;
  return [...states, { status, day: dayOf(status === 'open' ? since : (changed ?? finding.acknowledgedAt ?? since)) }];
}

const allRepairs = (finding: StatusFields): Span[] => [...(finding.repairs ?? []), ...repairOf(finding)];

type Repairing = Pick<StatusFields, 'status'> & { remediationIds?: string[]; fixedByTaskId?: string };

/**
 * For each remediation of a finding: the number of findings, of fixed findings, and of findings that a scan proved
 * gone.
 */
export const ofRemediations = ({ remediationIds = [], status, fixedByTaskId }: Repairing): Tally[] =>
  remediationIds.map((value) => ({
    facet: 'remediation',
    value,
    add: { n: 1, ...(status === 'fixed' && { f: 1, ...(fixedByTaskId && { s: 1 }) }) },
  }));
