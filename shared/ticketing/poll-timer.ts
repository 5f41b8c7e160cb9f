import { inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import type { TicketingConnection } from './ticketing-connection.ts';

/** The polls of a connection are worked one after the other. */
export const pollGroup = (connectionId: string): string => `poll-${connectionId}`;

const POLL_SECONDS = 300;
/** While events come, a poll finds only those that were lost. */
const POLL_BESIDE_EVENTS_SECONDS = 3600;

type Polled = Pick<TicketingConnection, 'id' | 'enabled' | 'access' | 'lastDeliveryAt' | 'pollAt'>;

/** The next poll of a connection; null for a connection that cannot be polled. */
export function nextPoll({ enabled, access, lastDeliveryAt }: Omit<Polled, 'id' | 'pollAt'>): string | null {
  if (!enabled || access === 'none') return null;
  const hearsEvents =
    lastDeliveryAt !== null && nowMs() - Date.parse(lastDeliveryAt) < POLL_BESIDE_EVENTS_SECONDS * 1000;
  return inSeconds(hearsEvents ? POLL_BESIDE_EVENTS_SECONDS : POLL_SECONDS);
}

/** Moves the timer of a connection's poll, for the transaction that changes `pollAt`. */
export const pollWrites = (
  { organizationId }: Pick<Table, 'organizationId'>,
  before: Polled | undefined,
  after: Polled | undefined,
): Write[] =>
  moveTimer({ kind: 'ticketing', organizationId, id: (after ?? before)?.id ?? '' }, timeOf(before), timeOf(after));

const timeOf = (one: Polled | undefined): number | undefined => (one?.pollAt ? Date.parse(one.pollAt) : undefined);
