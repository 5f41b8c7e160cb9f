import { salesRequests } from '#shared/people/sales-request.ts';
import { deleteSalesRequest } from '#shared/people/sales-requests.ts';
import type { Due } from './due.ts';

/** The retention of a sales request is over: the request is deleted with its timer. */
export async function endSalesRequest({ table, timer, drop }: Due): Promise<void> {
  const request = await table.find(salesRequests, timer.id, true);
  if (request) await deleteSalesRequest(table, request);
  else await drop();
}
