import type { Integration } from '#shared/entities/integration.ts';
import { noteHost } from '#shared/integrations/health.ts';
import { continueAt, type Later } from '#shared/jobs/continue.ts';
import { TaskFailure } from '#shared/jobs/worker.ts';
import { HostError } from '#shared/outgoing/host-error.ts';

/**
 * Ends a slice in which a code host refused. One that limits requests is asked again when it may be; one that is away comes back,
 * and so does the message.
 */
export async function waitOrFail(later: Later, integration: Integration, error: unknown): Promise<undefined> {
  if (!(error instanceof HostError)) throw error;
  const { code, message, retryAt } = error;
  if (retryAt) return continueAt(later, retryAt);
  // an access that was taken away is no fault of the host
  if (code !== 'no_token') await noteHost(later.table, integration, { code, message });
  throw code === 'unreachable' ? error : new TaskFailure(code, message);
}
