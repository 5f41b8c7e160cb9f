import { createHash } from 'node:crypto';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { blockOf } from '#shared/assets/targets/targets.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { CodeScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { TaskResult } from '#shared/scanning/scanners/scanner.ts';

/** The scan, as the stored task describes it; reports and scanners cannot change it. */
export function scanOf(task: ScannerTask, result: TaskResult): Scan {
  const { type, parameters, zone, engagementId, runId, codeScan, id } = task;
  const { outcome, targetsReached, targetsFailed } = result;
  return {
    source: 'scanner',
    target: { type: task.target.type, value: task.target.value },
    zone,
    scanType: profileName(type, { ...parameters, ...leftOut(task) }),
    ref: text(parameters.ref),
    ...(codeScan && codeScanOf(codeScan, parameters)),
    commit: text(parameters.commit),
    ...(engagementId !== null && { engagementId }),
    scannerTaskId: id,
    ...(runId !== null && { runId }),
    outcome,
    targetsReached,
    targetsFailed,
  };
}

/** Without the files that did not change a report proves nothing gone. */
const codeScanOf = ({ depth }: CodeScan, { baseRef }: ScannerTask['parameters']): Partial<Scan> => ({
  baseRef: text(baseRef),
  ...(depth === 'changes' && { closeMissing: false }),
});

/** The places of the reports that may be of the same scan scope as the n-th. */
export function siblingsOf(reports: readonly { format: string }[], n: number): number[] {
  const format = reports[n]?.format;
  const isSame = (other: string) => other === format || other === 'auto' || format === 'auto';
  return reports.flatMap((report, place) => (place !== n && isSame(report.format) ? [place] : []));
}

/**
 * The names and pages that the scan left out. A scan of a name that leads to an excluded address fails, so the excluded
 * addresses that the task carries narrow nothing.
 */
function leftOut({ exclusions = [] }: ScannerTask): { exclusions?: ScanTarget[] } {
  const within = exclusions.filter((place) => place.type === 'url' || !blockOf(place));
  return within.length > 0 ? { exclusions: within } : {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const OF_BRANCH = ['ref', 'baseRef', 'commit'];

/** A scan with other parameters looks at other things: it proves nothing about the findings of this scan. */
function profileName(type: string, parameters: Record<string, unknown>): string {
  const entries = Object.entries(parameters).filter(([name]) => !OF_BRANCH.includes(name));
  if (entries.length === 0) return type;
  const sorted = JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${type}:${createHash('sha256').update(sorted).digest('base64url').slice(0, 10)}`;
}
