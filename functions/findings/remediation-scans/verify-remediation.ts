import { findings } from '#shared/findings/finding/finding.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import type { Call } from '#shared/platform/http/route.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { createEngagement } from '#shared/scanning/engagement-tasks/create.ts';
import { retestOf } from '#shared/scanning/engagement-tasks/retest.ts';
import type { remediationScanRoutes } from './routes.ts';

/** The most findings whose assets one verification scans. */
const MAX_FINDINGS = 500;

const NOT_SCANNED =
  'No engagement with task types found its findings: import a new report of what was scanned, which proves them gone as well.';

/**
 * Scans the assets of a remediation's findings again, in the way of the engagement that found most of them. @throws
 * conflict
 */
export async function verifyRemediation(
  call: Call<typeof remediationScanRoutes.verifyRemediation>,
): Promise<QueuedResponse> {
  const { table, caller, connections, params } = call;
  const { id, title } = await table.get(remediations, params.id, true);
  const page = { paginateFrom: 0, paginateSize: MAX_FINDINGS };
  const { data: found } = await table.list(findings, { ...page, where: { remediationId: id } });
  const body = await retestOf(table, { found, title });
  if (!body) throw conflict(NOT_SCANNED);
  const queued = await createEngagement({ table, caller, connections, body });
  await table.modify(remediations, id, () => ({ verifyTaskId: queued.taskId }));
  return queued;
}
