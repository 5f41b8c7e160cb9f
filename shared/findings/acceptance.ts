import type { StoredFinding } from '../entities/finding.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import { putTimer, removeTimer } from '../timers/timers.ts';

type Accepted = Pick<StoredFinding, 'id' | 'status' | 'acceptedUntil'>;

/** When the risk of a finding is no longer accepted (milliseconds); undefined when it is not, or without an end. */
export const acceptanceEnd = ({ status, acceptedUntil }: Omit<Accepted, 'id'>): number | undefined =>
  status === 'risk_accepted' && acceptedUntil ? Date.parse(acceptedUntil) : undefined;

/** Moves the timer that opens a finding again: for the transaction that changes the finding. */
export function acceptanceWrites({ organizationId }: Table, before: Accepted, after: Accepted): Write[] {
  const [was, is] = [acceptanceEnd(before), acceptanceEnd(after)];
  if (was === is) return [];
  const timerOf = (at: number) => ({ at, kind: 'acceptance' as const, organizationId, id: after.id });
  return [
    ...(was === undefined ? [] : [removeTimer(timerOf(was))]),
    ...(is === undefined ? [] : [putTimer(timerOf(is))]),
  ];
}
