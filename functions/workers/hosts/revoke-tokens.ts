import * as z from 'zod';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { revokingGroup } from '#shared/code/code-hosts/revoke.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { waitOrFail } from './continue.ts';
import type { RevokeResult } from './results.ts';

const Input = z.object({ integrationId: z.uuid(), revocations: z.array(z.string()) });

/** Revokes the clone tokens of tasks that have ended. A token that no longer exists is no failure. */
export async function revokeTokens(work: Work): Promise<RevokeResult | undefined> {
  const { connections, table, task } = work;
  const { integrationId, revocations } = Input.parse(task.input);
  const integration = await table.find(integrations, integrationId, true);
  if (!integration?.enabled) throw new TaskFailure('conflict', 'The integration was deleted or turned off.');
  try {
    const host = await openHost({ connections, table }, integration);
    for (const revocation of revocations) await host.revoke(revocation);
    return { revoked: revocations.length };
  } catch (error) {
    // a token that may no longer do so is no fault of the integration: the clone tokens end automatically
    if (error instanceof HostError && error.code === 'not_allowed') throw new TaskFailure(error.code, error.message);
    return waitOrFail({ ...work, group: revokingGroup(integrationId) }, integration, error);
  }
}
