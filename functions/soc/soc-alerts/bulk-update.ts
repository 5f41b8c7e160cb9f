import type * as z from 'zod';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { bodyMatching } from '#shared/platform/filter/read.ts';
import { wantedBy } from '#shared/platform/http/many.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alertSelection } from '#shared/soc/alerts/filter.ts';
import { alertFilter } from '#shared/soc/alerts/filter-fields.ts';
import type { AlertBulkChanges, Bulk } from '#shared/soc/incidents/bulk.ts';
import { checkedChanges } from './checked.ts';
import type { AlertsUpdate } from './routes.ts';

/** A checked change of many alerts, with the person that it names. @throws validation_failed */
export async function bulkUpdate(
  table: Table,
  caller: Caller,
  body: AlertsUpdate,
): Promise<{ wanted: Wanted; bulk: Bulk<z.infer<typeof AlertBulkChanges>> }> {
  const { changes, reason } = body;
  const asked = await bodyMatching({ table, caller }, alertFilter, body);
  const wanted = wantedBy(asked, (filter) => alertSelection(filter, caller));
  if (Object.keys(changes).length === 0)
    throw invalid('changes', 'must have at least one field, such as {"status": "false_positive"}');
  const assignee = await checkedChanges({ table, caller }, changes);
  return { wanted, bulk: { changes, reason, assignee: assignee ?? undefined } };
}
