import { integrations } from '#shared/code/integrations/integration.ts';
import { removeSource } from '#shared/code/integrations/sources.ts';
import { removeSecret } from '#shared/credentials/sealed.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Deletes an integration with its secret: the service then refuses events signed with it. */
export async function disconnect(table: Table, id: string): Promise<Deletion> {
  const integration = await table.get(integrations, id, true);
  const batch = table.batch();
  batch.delete(integrations, integration);
  batch.write(removeSource(table, integration), removeSecret(table, id));
  await batch.commit();
  return { id, deletedAt: now() };
}
