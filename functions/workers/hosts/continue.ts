import { noteHost } from '#shared/code/integrations/health.ts';
import type { Integration } from '#shared/code/integrations/integration.ts';
import { continueAt, type Later } from '#shared/platform/jobs/continue.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';

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
