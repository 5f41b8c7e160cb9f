import type { ApexTask } from '#shared/apex/apex-task.ts';
import { keepFiles } from '#shared/apex/files.ts';
import type { ApexTypes } from '#shared/apex/holders.ts';
import { apexLeases, usageAfter } from '#shared/apex/leases.ts';
import { finish } from '#shared/apex/moves.ts';
import { publicUsage } from '#shared/apex/public.ts';
import { takeReports } from '#shared/ingest/take-reports.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { type Caller, type CompletionRules, completeTasks, type TaskCaller } from '#shared/scanning/leases/complete.ts';
import { ApexTaskOutcome } from './routes.ts';
import { scanOf } from './scan.ts';

const apexCompletions: CompletionRules<ApexTypes & { result: ApexTaskOutcome }> = {
  ...apexLeases,
  operation: 'complete_apex_task',
  result: ApexTaskOutcome,
  async accept(caller, { task, result, idOf }) {
    assertSize(result);
    await keepArtifacts(caller, task, result);
    return takeReports(caller, { reports: result.reports, scanOf: () => scanOf(task, zoneOf(task)), idOf });
  },
  async finish(step, { task, result, accepted }) {
    const { summary = null, output = null, artifacts, usage } = result;
    step.batch.write(...publicUsage(step.table, [task], -1));
    return finish(step, task, {
      verb: 'complete',
      progress: { fraction: 1 },
      ingestTaskIds: [...task.ingestTaskIds, ...accepted.ingestTaskIds].slice(-10),
      result: { summary, output, artifacts },
      usage: await usageAfter(step.table, task, usage),
    });
  },
  unfinished: {
    failed: { code: 'task_failed', message: 'The appliance could not complete the task.' },
    cancelled: { code: 'task_cancelled', message: 'The appliance stopped the task.' },
  },
};

/** Takes the results of an appliance, each result separately. */
export const completeAsAppliance = (caller: Caller, results: readonly unknown[]) =>
  completeTasks(apexCompletions, caller, results);

const MAX_OUTPUT_BYTES = 64 * 1024;

function assertSize({ output }: ApexTaskOutcome): void {
  if (output !== undefined && Buffer.byteLength(JSON.stringify(output)) > MAX_OUTPUT_BYTES)
    throw new ApiError('payload_too_large', 'output: is over 64 KB');
}

/** @throws not_found, conflict, upload_incomplete, payload_too_large */
async function keepArtifacts(caller: TaskCaller, { id }: ApexTask, { outcome, artifacts }: ApexTaskOutcome) {
  const ids = outcome === 'completed' ? artifacts.map(({ uploadId }) => uploadId) : [];
  const [refused] = await keepFiles(caller, id, ids);
  if (refused) throw new ApiError(refused[1].code, `artifacts: ${refused[1].message}`);
}

/** A report names no zone: its zone is the common zone of all targets of the task. */
function zoneOf({ targets, zone }: ApexTask): string | null {
  const [first = zone, ...more] = new Set(targets.map((target) => target.zone));
  return more.length === 0 ? first : zone;
}
