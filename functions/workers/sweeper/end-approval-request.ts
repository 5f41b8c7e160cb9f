import { approvalRequests } from '#shared/people/approval-request.ts';
import { decide } from '#shared/people/second-person.ts';
import type { Due } from './due.ts';

/** Ends a request for which no second person came in time. */
export async function endApprovalRequest({ table, timer, drop }: Due): Promise<void> {
  const request = await table.find(approvalRequests, timer.id, true);
  if (request?.status !== 'waiting') return drop();
  await decide(table, request, { status: 'expired' });
}
