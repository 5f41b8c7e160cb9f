import type * as z from 'zod';
import type { Caller } from '#shared/auth/permissions.ts';
import type { Wanted } from '#shared/findings/many/wanted.ts';
import { wantedBy } from '#shared/http/many.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { AlertBulkChanges, Bulk } from '#shared/soc/bulk.ts';
import { alertSelection } from '#shared/soc/filter.ts';
import type { Table } from '#shared/table/table.ts';
import { checkedChanges } from './checked.ts';
import type { AlertsUpdate } from './routes.ts';

/** A checked change of many alerts, with the person whom it names. @throws validation_failed */
export async function bulkUpdate(
  table: Table,
  caller: Caller,
  body: AlertsUpdate,
): Promise<{ wanted: Wanted; bulk: Bulk<z.infer<typeof AlertBulkChanges>> }> {
  const { changes, reason } = body;
  const wanted = wantedBy(body, (filter) => alertSelection(filter, caller));
  if (Object.keys(changes).length === 0)
    throw invalid('changes', 'must have at least one field, such as {"status": "false_positive"}');
  const assignee = await checkedChanges({ table, caller }, changes);
  return { wanted, bulk: { changes, reason, assignee: assignee ?? undefined } };
}
