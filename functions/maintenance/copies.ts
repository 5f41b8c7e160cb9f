import { organizations } from '#shared/entities/organization.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { invalid, notFound } from '#shared/runtime/errors.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { inOrganization, openTable, type Table } from '#shared/table/table.ts';
import { readManifest } from '#shared/table/upkeep/copies.ts';
import { assertNoProvider, assertNoSharedWork } from './delete-organization.ts';

/** Queues the copy of an organization, as a task of the staff who ask for it. @throws not_found */
export async function queueCopy(
  connections: Connections,
  table: Table,
  organizationId: string,
): Promise<QueuedResponse> {
  const { id } = await openTable(table.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  return queueTask(connections, table, {
    operation: 'copy_organization',
    job: 'maintenance',
    unit: 'rows and objects',
    input: { work: 'copy', organizationId: id },
    send: { group: id },
  });
}

type Restoration = { organizationId: string; copyId: string; name: string };

/**
 * Queues the restoration of an organization from a copy, as a task of the staff who ask for it.
 * @throws not_found for a copy that is not whole, validation_failed for another name, conflict as a deletion does
 */
export async function queueRestoration(
  connections: Connections,
  table: Table,
  { name, ...place }: Restoration,
): Promise<QueuedResponse> {
  const manifest = await readManifest(connections.bucket, place);
  if (!manifest) throw notFound('copy', place.copyId);
  if (manifest.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
  const theirs = inOrganization(table, place.organizationId);
  await assertNoProvider(table, theirs);
  await assertNoSharedWork(theirs);
  return queueTask(connections, table, {
    operation: 'restore_organization',
    job: 'maintenance',
    unit: 'rows and objects',
    input: { work: 'restore', ...place },
    send: { group: place.organizationId },
  });
}
