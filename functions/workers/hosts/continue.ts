import { noteHost } from '#shared/code/integrations/health.ts';
import { type Integration, integrations } from '#shared/code/integrations/integration.ts';
import type { Repository } from '#shared/code/repositories/repository.ts';
import { continueAt, type Later } from '#shared/platform/jobs/continue.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { noteCallsDead, type Recorder, recorderOf } from '#shared/platform/outgoing/record-call.ts';

/**
 * Ends a slice in which a code host refused. After a rate limit, the worker asks again when the host allows it; when a
 * host is unavailable, the message returns.
 */
export async function waitOrFail(later: Later, integration: Integration, error: unknown): Promise<undefined> {
  if (!(error instanceof HostError)) throw error;
  const { code, message, retryAt } = error;
  if (retryAt) return continueAt(later, retryAt);
  // an access that was taken away is no fault of the host
  if (code !== 'no_token') await noteHost(later.table, integration, { code, message });
  throw code === 'unreachable' ? error : new TaskFailure(code, message);
}

/** The integration by which a task reports on a repository. @throws TaskFailure for one that is turned off */
export async function tellingIntegration(
  { table, task }: Work,
  { integrationId }: Pick<Repository, 'integrationId'>,
): Promise<Integration> {
  const integration = await table.find(integrations, integrationId, true);
  if (integration?.enabled) return integration;
  await noteCallsDead(table, integrationId, task.id);
  throw new TaskFailure('conflict', 'The integration was deleted or turned off.');
}

/** Keeps what a task writes to a code host in the ledger. */
export const recordedBy = ({ table, task }: Work, { id }: Integration, subject: string, group: string): Recorder =>
  recorderOf({ table }, { targetId: id, channel: 'code_host', subject, work: { taskId: task.id, group } });

/** The same for a slice that reports a verdict. */
export async function endTelling(later: Later, integration: Integration, error: unknown): Promise<undefined> {
  // a token that may only read is no fault of the integration
  const mayNot = error instanceof HostError && ['not_allowed', 'not_found', 'unexpected_answer'].includes(error.code);
  if (mayNot) throw new TaskFailure(error.code, error.message);
  return waitOrFail(later, integration, error);
}
