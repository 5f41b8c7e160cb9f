import { currentDay } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';

type Approved = Pick<Engagement, 'status' | 'approvedAt' | 'createdAt'>;

/** The day is after the first approval and before now, in UTC. @throws conflict, validation_failed */
export function assertDayOfWork({ status, approvedAt, createdAt }: Approved, date: string): void {
  if (approvedAt === undefined && ['requested', 'rejected'].includes(status))
    throw conflict(`This engagement is ${status}: enter work after its approval.`);
  // an engagement of an earlier release does not know when it was approved
  const first = (approvedAt ?? createdAt).slice(0, 10);
  const last = currentDay();
  if (date < first) throw invalid('date', `must be ${first} or later: the engagement was not approved before`);
  if (date > last) throw invalid('date', `must be ${last} (UTC) or earlier: work is entered when it is done`);
}
