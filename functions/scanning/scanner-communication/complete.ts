import { takeReports } from '#shared/ingest/take-reports.ts';
import { type ScannerTypes, scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { type Caller, type CompletionRules, completeTasks } from '#shared/scanning/leases/complete.ts';
import { finish } from '#shared/scanning/scanner-tasks/moves.ts';
import { TaskResult } from '#shared/scanning/scanners/scanner.ts';
import { scanOf, siblingsOf } from './submission.ts';

const scannerCompletions: CompletionRules<ScannerTypes & { result: TaskResult }> = {
  ...scannerLeases,
  operation: 'complete_scanner_task',
  result: TaskResult,
  accept(caller, { task, result, idOf }) {
    const { reports } = result;
    const scanOfReport = (n: number) => ({ ...scanOf(task, result), siblings: siblingsOf(reports, n).map(idOf) });
    return takeReports(caller, { reports, scanOf: scanOfReport, idOf });
  },
  async finish(step, { task, accepted: { ingestTaskIds } }) {
    const ingestTaskId = ingestTaskIds[0] ?? null;
    return finish(step, task, { verb: 'complete', progress: 1, ingestTaskIds, ingestTaskId });
  },
  unfinished: {
    failed: { code: 'scan_failed', message: 'The scanner could not complete the task.' },
    cancelled: { code: 'scan_cancelled', message: 'The scanner stopped the task.' },
  },
};

/** Takes the results of a scanner, each result separately. */
export const completeAsScanner = (caller: Caller, results: readonly unknown[]) =>
  completeTasks(scannerCompletions, caller, results);
