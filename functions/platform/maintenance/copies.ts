import { organizations } from '#shared/credentials/organization.ts';
import { assertMayBeEmptied, queueOrganizationWork } from '#shared/organizations/work.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { readManifest } from '#shared/platform/table/upkeep/copies.ts';

/** Queues the copy of an organization. @throws not_found */
export async function queueCopy(context: Context, organizationId: string): Promise<QueuedResponse> {
  const { id } = await openTable(context.table.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  return queueOrganizationWork(context, { work: 'copy', organizationId: id });
}

type Restoration = { organizationId: string; copyId: string; name: string };

/**
 * Queues the restoration of an organization from a copy.
 * @throws not_found for a copy that is not whole, validation_failed for another name, conflict as a deletion does
 */
export async function queueRestoration(context: Context, { name, ...place }: Restoration): Promise<QueuedResponse> {
  const manifest = await readManifest(context.connections.bucket, place);
  if (!manifest) throw notFound('copy', place.copyId);
  if (manifest.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
  await assertMayBeEmptied(context.table, place.organizationId);
  return queueOrganizationWork(context, { work: 'restore', ...place });
}
