import { integrations } from '#shared/code/integrations/integration.ts';
import { removeSource } from '#shared/code/integrations/sources.ts';
import { removeSecret } from '#shared/credentials/sealed.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Deletes an integration with its secret: the service then refuses events signed with it. */
export async function disconnect(table: Table, id: string): Promise<Deletion> {
  const integration = await table.get(integrations, id, true);
  return table.delete(integrations, integration, (batch) =>
    batch.write(removeSource(table, integration), removeSecret(table, id)),
  );
}
