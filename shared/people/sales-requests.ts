import type * as z from 'zod';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import { SALES_DAYS, type SalesRequest, type salesFields, salesRequests } from './sales-request.ts';

/** The timer of the end of a request's retention. */
const deletionTimer = ({ id, deletionAt }: SalesRequest) =>
  ({ kind: 'sales-request', at: Date.parse(deletionAt), organizationId: GLOBAL_SCOPE, id }) as const;

/** Keeps a request until its retention is over. @param table of the global scope */
export const createSalesRequest = (
  table: Table,
  sent: z.infer<z.ZodObject<typeof salesFields>>,
): Promise<SalesRequest> =>
  table.create(
    salesRequests,
    { ...sent, status: 'new', handledBy: null, deletionAt: inSeconds(SALES_DAYS * 86_400) },
    (batch, request) => batch.write(putTimer(deletionTimer(request))),
  );

/** Deletes a request with its timer. @param table of the global scope */
export const deleteSalesRequest = (table: Table, request: SalesRequest) =>
  table.delete(salesRequests, request, (batch) => batch.write(removeTimer(deletionTimer(request))));
