import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { moveEnd } from './acceptance-notice.ts';

type Accepted = Pick<StoredFinding, 'id' | 'status' | 'acceptedUntil'>;

/** When the risk of a finding is no longer accepted (milliseconds); undefined when it is not, or without an end. */
export const acceptanceEnd = ({ status, acceptedUntil }: Omit<Accepted, 'id'>): number | undefined =>
  status === 'risk_accepted' && acceptedUntil ? Date.parse(acceptedUntil) : undefined;

/** Moves the timers that open a finding again, and that report before: for the transaction that changes the finding. */
export const acceptanceWrites = ({ organizationId }: Table, before: Accepted, after: Accepted): Write[] =>
  moveEnd({ kind: 'acceptance', organizationId, id: after.id }, acceptanceEnd(before), acceptanceEnd(after));
